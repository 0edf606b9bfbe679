"""What is found, and what the index ranks first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extract.cases import pairs
from tests.graph.builds import graph
from torchatlas.graph.model import Concept, Episode, Snapshot
from torchatlas.graph.questions import Resolver, search
from torchatlas.graph.search import COUNTED, TextIndex

PLACE, LEAK = "aten/src/ATen/core/dispatch", "DataLoader with multiple workers leaks memory"
RESOLVER = Resolver(
    Snapshot(
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
)
OTHERS = " ".join(f"word{n}" for n in range(COUNTED - 1))


# Words of names, aliases, places, titles, questions and definitions, with slips; stop words, and what stands nowhere,
# decide nothing. The first fifty telling words count: each word of a link is compared with all words of the index.
BEST = f"""
views => view view-replay | func => functionalization e/functionalization | what is vmap? => vmap e/vmap
functionlization => functionalization e/functionalization | ATen/core/dispatch => dispatcher
as_strided => e/functionalization | c10 dispatcher => dispatcher | why does training run out of memory => e/data
dataloader leaks memory => e/data | batching rules => e/vmap | map over a dimension => vmap | does this leak => e/data
what is the difference between reshape and a view => view | the dispacher and a frobnicator => dispatcher
when does the dispatcher call my frobnicator function => dispatcher
{OTHERS} vmap => e/vmap vmap | how does the {OTHERS} vmap => e/vmap vmap | {OTHERS} word{COUNTED} vmap => | {OTHERS} =>
=> | ?! => | quantum chromodynamics =>
"""


@pytest.mark.parametrize(("text", "best"), [*pairs(BEST), ("  ", ""), ("the " * 100_000 + "vmap", "")])
def test_the_best_come_first(text: str, best: str) -> None:
    found = [hit.id for hit in search(RESOLVER, text)]
    assert found[: len(best.split())] == best.split() and bool(found) == bool(best)
    assert [hit.id for hit in search(RESOLVER, text, limit=1)] == found[:1]


def test_a_hit_says_what_matched_and_a_name_scores_more_than_its_beginning_a_slip_and_free_words() -> None:
    hit = search(RESOLVER, "dispatches of c10")[0]
    assert (hit.kind, hit.name, hit.matched) == ("concept", "dispatcher", "c10 dispatcher")
    name, begun, slip, asked = (search(RESOLVER, text)[0] for text in ("view", "func", "dispacher", "data leaks"))
    assert name.score == 1 > begun.score > slip.score > asked.score > 0


@given(st.text(max_size=60))
def test_any_text_may_be_asked(text: str) -> None:
    hits = search(RESOLVER, text)
    assert len({(h.kind, h.id) for h in hits}) == len(hits)
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)


def told(**definitions: str) -> tuple[Concept, ...]:
    return tuple(Concept(id_, id_, area="A", definition=said) for id_, said in definitions.items())


MOVES = told(a="Moves bytes between devices.", b="Moves bytes between devices.", c="Moves bytes between devices.")
TITLED = tuple(Episode(f"s/{n}", f"Title {n}", show="S", summary="On bytes.") for n in ("a", "b"))
COMMON = told(**{f"c{n}": "Tensor here, tensor there." for n in range(8)}, rare="A storage.", storage="")


@pytest.mark.parametrize(
    ("where", "text", "best"),
    [
        # of two concepts that fit as well the one that episodes are about comes first
        (Snapshot(MOVES), "moving bytes", "a b c"),
        (graph(MOVES, teaches="one c ~b"), "moving bytes", "c b a"),
        # of two episodes the one whose subject fits
        (graph(told(x="Nothing.", mover="Moves bytes."), TITLED, teaches="s/a x, s/b mover"), "bytes", "s/b s/a"),
        # a rare word counts more than a common one, and a name more than a definition
        (Snapshot(COMMON), "tensor storage", "storage rare"),
    ],
)
def test_the_index_ranks_by_words_and_by_what_episodes_are_about(where: Snapshot, text: str, best: str) -> None:
    found = [match.id for match in TextIndex(where).matches(text, ["concept", "episode"]) if match.id != "mover"]
    assert found[: len(best.split())] == best.split()


def test_the_score_is_the_share_of_what_the_words_tell_and_a_match_shows_a_sentence_of_a_summary() -> None:
    index = TextIndex(Snapshot(told(storage="Bytes of a tensor.", view="Shares bytes.")))
    whole, half = (index.matches(text, ["concept"])[0] for text in ("storage bytes", "storage frobnicators"))
    assert whole.coverage == 1 and half.coverage < 0.6 and half.score < whole.score
    episode = Episode("s/a", "Title", show="S", summary="First come queues. Then the bytes move! At last all wait.")
    (match,) = TextIndex(Snapshot(episodes=(episode,))).matches("moving bytes", ["episode"])
    assert match.best == "Then the bytes move!"
