"""The application as one object: all that a user can do, with values in and out and no screen. Start here.

What a map is while it is open stands in `open_map`; each method is a function over that, in the module named here.
"""

from torchatlas import (
    asking,
    collection,
    drafting,
    exports,
    listener,
    listening,
    map_reader,
    own_server,
    sharing,
    text_reader,
    understanding,
)
from torchatlas.open_map import OpenMap
from torchatlas.settings import load_settings


def open_atlas(store: str | None = None) -> "Atlas":
    """Return the atlas whose graph is kept at `store`, by default where the command line keeps it.

    Nothing is read yet. The first question builds the graph if it is missing or out of date.

    Example: torchatlas.open().plan("AOTAutograd", budget=60).steps[0].title
    """
    return Atlas(load_settings(store))


class Atlas(OpenMap):
    """A map of concepts and episodes, the person who uses it, and the sources that it is made of.

    Answers come from the graph as it was at the first question; `build`, `add` and the like bring a new one. Every
    expected failure is an AtlasError.

    Example: torchatlas.open().related("Strides")[0].title
    """

    # What to hear, and in which order
    plan = map_reader.plan
    quiz = map_reader.quiz
    what_next = map_reader.what_next
    journeys = map_reader.journeys
    journey = map_reader.journey
    first_goals = listening.first_goals
    find_episodes = listening.find_episodes
    checklist = listening.checklist
    under_way = listening.under_way
    opens = listening.opens

    # What there is on the map
    search = map_reader.search
    related = map_reader.related
    concept = map_reader.concept
    episode = map_reader.episode
    neighbourhood = map_reader.neighbourhood
    explain = map_reader.explain
    concepts = map_reader.concepts
    shows = map_reader.shows
    areas = map_reader.areas
    concept_names = map_reader.concept_names
    episode_names = map_reader.episode_names
    other_names = map_reader.other_names
    most_explained = map_reader.most_explained
    gaps = map_reader.gaps
    requirements = map_reader.requirements
    names_of = listener.names_of

    # What words mean
    understand = understanding.understand
    meaning = understanding.meaning
    names_with_commas = understanding.names_with_commas

    # What the person knows, has heard and hears now
    know = listener.know
    know_subjects = listener.know_subjects
    heard = listener.heard
    begin = listener.begin
    set_profile = listener.set_profile
    undo = listener.undo

    # Questions in Cypher
    query = asking.query
    ask = asking.ask
    questions = asking.questions
    choices = asking.choices
    complete = asking.complete
    schema = asking.schema
    nodes = asking.nodes
    nodes_in = asking.nodes_in
    nodes_by_row = asking.nodes_by_row

    # Sources and builds
    new = staticmethod(drafting.new_home)
    add = collection.add
    build = collection.build
    import_pages = collection.import_pages
    sources = collection.sources
    feed_of = collection.feed_of
    remove_source = collection.remove_source
    corrections = collection.corrections
    accept = collection.accept
    reject = collection.reject

    # What texts say, without a map
    extract = text_reader.extract
    candidates = text_reader.candidates
    draft = text_reader.draft

    # Plans and maps to take along
    plan_text = exports.plan_text
    write_plan = exports.write_plan
    shared = sharing.shared
    share = sharing.share
    export = exports.export
    exported = exports.exported
    network = exports.network
    diff = exports.diff

    # A Neo4j server of one's own
    start_server = own_server.start_server
    server = own_server.server
    stop_server = own_server.stop_server
