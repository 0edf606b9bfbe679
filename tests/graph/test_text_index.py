"""What the index ranks first, beyond the words themselves."""

from torchatlas.graph.model import Concept, Episode, Snapshot, Teaches
from torchatlas.graph.search import TextIndex


def ranked(snapshot: Snapshot, text: str) -> list[str]:
    return [match.id for match in TextIndex(snapshot).matches(text, ["concept", "episode"], 9)]


def concept(id_: str, definition: str) -> Concept:
    return Concept(id_, id_, area="A", definition=definition)


def test_of_two_concepts_that_fit_as_well_the_one_that_episodes_are_about_comes_first() -> None:
    concepts = tuple(concept(id_, "Moves bytes between devices.") for id_ in ("a", "b", "c"))
    episodes = (Episode("s/one", "One", show="S"),)
    assert ranked(Snapshot(concepts, episodes), "moving bytes") == ["a", "b", "c"]
    part, main = Teaches("s/one", "b", depth="part", weight=0.5), Teaches("s/one", "c", depth="main")
    assert ranked(Snapshot(concepts, episodes, teaches=(part, main)), "moving bytes") == ["c", "b", "a"]


def test_of_two_episodes_that_fit_as_well_the_one_whose_subject_fits_comes_first() -> None:
    concepts = (concept("plain", "Nothing of that."), concept("mover", "Moves bytes."))
    episodes = tuple(Episode(f"s/{n}", f"Title {n}", show="S", summary="On bytes.") for n in ("a", "b"))
    teaches = (Teaches("s/a", "plain", depth="main"), Teaches("s/b", "mover", depth="main"))
    found = [id_ for id_ in ranked(Snapshot(concepts, episodes, teaches=teaches), "bytes") if id_ != "mover"]
    assert found == ["s/b", "s/a"]


def test_a_rare_word_counts_more_than_a_common_one_and_a_name_more_than_a_definition() -> None:
    common = tuple(concept(f"c{n}", "Tensor here, tensor there.") for n in range(8))
    graph = Snapshot((*common, concept("rare", "A storage."), Concept("storage", "storage", area="A")))
    assert ranked(graph, "tensor storage")[:2] == ["storage", "rare"]


def test_the_score_is_the_share_of_what_the_words_tell() -> None:
    index = TextIndex(Snapshot((concept("storage", "Bytes of a tensor."), concept("view", "Shares bytes."))))
    whole, half = (index.matches(text, ["concept"], 1)[0] for text in ("storage bytes", "storage frobnicators"))
    assert whole.coverage == 1 and half.coverage < 0.6 and half.score < whole.score


def test_the_text_that_a_match_shows_is_a_sentence_of_a_summary() -> None:
    episode = Episode("s/a", "Title", show="S", summary="First come queues. Then the bytes move! At last all wait.")
    assert (
        TextIndex(Snapshot(episodes=(episode,))).matches("moving bytes", ["episode"], 1)[0].best
        == "Then the bytes move!"
    )
