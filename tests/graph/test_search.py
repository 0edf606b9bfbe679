"""What is found, and what the index ranks first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.graph.model import Concept, Episode, Snapshot, Teaches
from torchatlas.graph.questions import Resolver, search
from torchatlas.graph.search import COUNTED, TextIndex

PLACE, LEAK = "aten/src/ATen/core/dispatch", "DataLoader with multiple workers leaks memory"
GRAPH = Snapshot(
    concepts=(
        Concept("view", "view", area="A"),
        Concept("view-replay", "view replay", area="A"),
        Concept("dispatcher", "dispatcher", area="A", aliases=("c10 dispatcher",), source_paths=(PLACE,)),
        Concept("functionalization", "functionalization", area="B"),
        Concept("vmap", "vmap", area="B", definition="Maps a function over a dimension of its inputs."),
    ),
    episodes=(
        Episode("e/functionalization", "Functionalization", show="S", keywords=("as_strided",)),
        Episode("e/data", LEAK, show="S", questions=("Why does my training run out of host memory?",)),
        Episode("e/vmap", "vmap", show="S", questions=("What does a batching rule do?",)),
    ),
)
RESOLVER = Resolver(GRAPH)


def found(text: str) -> list[str]:
    return [h.id for h in search(RESOLVER, text)]


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("views", ["view", "view-replay"]),
        ("func", ["functionalization", "e/functionalization"]),
        ("functionlization", ["functionalization", "e/functionalization"]),
        ("what is vmap?", ["vmap", "e/vmap"]),
        ("ATen/core/dispatch", ["dispatcher"]),
        ("as_strided", ["e/functionalization"]),
        ("c10 dispatcher", ["dispatcher"]),
        ("why does training run out of memory", ["e/data"]),
        ("dataloader leaks memory", ["e/data"]),
        ("batching rules", ["e/vmap"]),
        ("what is the difference between reshape and a view", ["view"]),  # reshape stands nowhere: view decides
        ("when does the dispatcher call my frobnicator function", ["dispatcher"]),  # named in the question
        ("the dispacher and a frobnicator", ["dispatcher"]),  # a word with a typo counts
        ("map over a dimension", ["vmap"]),  # words of the definition
        ("does this leak", ["e/data"]),  # stop words tell nothing
    ],
)
def test_the_best_come_first(text: str, best: list[str]) -> None:
    assert found(text)[: len(best)] == best


def test_a_hit_says_what_matched() -> None:
    hit = search(RESOLVER, "dispatch core")[0]
    assert (hit.kind, hit.name, hit.matched) == ("concept", "dispatcher", PLACE)


def test_a_name_scores_more_than_its_beginning_a_slip_and_free_words() -> None:
    name, begun, slip, asked = (search(RESOLVER, text)[0] for text in ("view", "func", "dispacher", "data leaks"))
    assert name.score == 1 > begun.score > slip.score > asked.score > 0


@pytest.mark.parametrize("text", ["", "  ", "?!", "quantum chromodynamics"])
def test_what_is_not_there_is_not_found_and_the_limit_holds(text: str) -> None:
    assert search(RESOLVER, text) == ()
    assert len(search(RESOLVER, f"view {text}", limit=1)) == 1


@given(st.text(max_size=60))
def test_any_text_may_be_asked(text: str) -> None:
    hits = search(RESOLVER, text)
    assert len({(h.kind, h.id) for h in hits}) == len(hits)
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)


def test_the_first_fifty_telling_words_count() -> None:
    """A link can carry any text, and each word is compared with all words of the index."""
    others = " ".join(f"word{n}" for n in range(COUNTED - 1))
    assert "vmap" in found(f"{others} vmap")
    assert "vmap" in found(f"how does the {others} vmap")
    assert found(f"{others} word{COUNTED} vmap") == found(others) == []
    assert found("the " * 100_000 + "vmap") == []


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
    (match,) = TextIndex(Snapshot(episodes=(episode,))).matches("moving bytes", ["episode"], 1)
    assert match.best == "Then the bytes move!"
