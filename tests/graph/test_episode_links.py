"""Links of the notes to other episodes, in feeds without a vocabulary."""

from dataclasses import replace

import pytest

from torchatlas.graph.build import episode_links, join_graph
from torchatlas.graph.findings import Catalogue, Extraction, FoundLink, LinkType, Vocabulary
from torchatlas.graph.model import Episode, InShow, Show, Snapshot
from torchatlas.graph.related import nearest

ONE = Episode("s/one", "Why owls hoot", show="The Owl Show", guid="1", url="https://example.org/1")
TWO = Episode("s/two", "Episode 2: How owls see", show="The Owl Show", guid="2", url="https://example.org/2/")
OTHER = Episode("o/one", "How moles dig", show="Other", guid="3", url="https://example.org/3")
TEXT = "We said how owls see, and more."


def notes(label: str, url: str = "https://other.example/x", kind: LinkType = "other") -> Extraction:
    return Extraction(ONE, TEXT, links=(FoundLink(url, kind, label=label, id=url),))


def referred(extraction: Extraction, *more: Episode) -> list[tuple[str, str, int | None]]:
    episodes = (ONE, TWO, OTHER, *more)
    shows = (Show("s", "The Owl Show", url="https://example.org/"), Show("o", "Other"))
    in_show = tuple(InShow(e.id, e.id[0], quote=e.show) for e in episodes)
    edges = episode_links([(ONE.id, extraction)], Snapshot((), episodes, shows=shows, in_show=in_show))
    return [(edge.target, edge.quote, edge.start) for edge in edges]


def test_a_link_leads_to_the_episode_whose_page_it_names() -> None:
    assert referred(notes("more", "http://www.example.org/2#t=9")) == [(TWO.id, "more", 26)]
    assert referred(notes("", "https://example.org/2")) == [(TWO.id, "https://example.org/2", None)]
    assert referred(notes("more", "https://example.org/3")) == [(OTHER.id, "more", 26)]
    assert not referred(notes("more", "https://example.org/1"))  # its own
    assert not referred(notes("more", "https://example.org/2"), replace(TWO, id="s/x"))  # the page of the show


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("Furthermore, to see more", 20),
        ("Nevermore", None),
        ("On hares more, and on owls more", None),  # which of the two bears the link is not known
    ],
)
def test_the_words_of_a_link_are_quoted_where_they_stand_once_as_whole_words(text: str, start: int | None) -> None:
    ((_, quote, found),) = referred(replace(notes("more", TWO.url or ""), text=text))
    assert (quote, found) == (TWO.url if start is None else "more", start)


def test_the_address_of_the_show_leads_to_no_episode() -> None:
    """The page of a trailer is often the show's own: every "our website" would refer to it."""
    trailer = Episode("s/trailer", "Trailer", show="The Owl Show", url="https://example.org")
    assert not referred(notes("more", "https://www.example.org/"), trailer)


@pytest.mark.parametrize("label", ["how owls see", "The Owl Show - Episode 2: How owls see!", "S2E2: How owls see"])
def test_a_link_leads_to_the_episode_of_the_show_whose_whole_title_it_bears(label: str) -> None:
    ((target, _, _),) = referred(notes(label))
    assert target == TWO.id
    assert not referred(notes(label), replace(TWO, id="s/x", url=None))  # a title of two episodes
    assert not referred(notes(label, kind="profile"))


def test_a_link_leads_to_no_episode_of_another_season_or_number() -> None:
    first, second = (Episode(f"s/{n}", f"S{n}E3: What owls eat", show="Owl Show") for n in (1, 2))
    assert not referred(notes("S2E5: What owls eat"), first)
    assert [target for target, _, _ in referred(notes("S2E3: What owls eat"), first, second)] == ["s/2"]
    assert [target for target, _, _ in referred(notes("What owls eat"), first)] == ["s/1"]


@pytest.mark.parametrize("label", ["How moles dig", "owls see", "How owls see at night", "Why owls hoot", ""])
def test_other_words_lead_to_no_episode(label: str) -> None:
    """A title of another show, too few words, more words, the title of the episode itself."""
    assert not referred(notes(label), Episode("s/short", "Owls see", show="The Owl Show"))


@pytest.mark.parametrize("title", ["The Owl Show", "The Owl Show: ?!"])
def test_the_name_of_the_show_leads_to_no_episode(title: str) -> None:
    """A trailer may bear it, and what stands behind it may be marks alone."""
    trailer = Episode("s/trailer", title, show="The Owl Show")
    assert not referred(notes("The Owl Show"), trailer)
    assert not referred(notes("The Owl Show: - !"), trailer)


def test_two_shows_of_one_title_keep_their_episodes_apart() -> None:
    own, others = (Show("owl-show", "The Owl Show", guid=guid) for guid in ("11111111-1", "22222222-2"))
    two = replace(TWO, id="t/two", show="The Owl Show")
    texts = [replace(notes("how owls see"), show=own), Extraction(two, "On eyes.", show=others)]
    assert not join_graph(Vocabulary(()), Catalogue(), texts).graph.refers_to
    of_one = [replace(text, show=own) for text in texts]
    assert len(join_graph(Vocabulary(()), Catalogue(), of_one).graph.refers_to) == 1


def test_the_catalogue_states_its_references_itself() -> None:
    assert not referred(replace(notes("how owls see"), episode=replace(ONE, summary=TEXT)))


def test_an_episode_that_notes_link_is_related() -> None:
    graph = join_graph(Vocabulary(()), Catalogue(), [notes("how owls see"), Extraction(TWO, "On eyes.")]).graph
    (edge,) = graph.refers_to
    assert (edge.target, edge.relation, TEXT[edge.start or 0 :][: len(edge.quote)]) == (
        TWO.id,
        "mentions",
        "how owls see",
    )
    assert [e.reasons for e in nearest(graph)] == [("this episode mentions it",), ("mentions this episode",)]
