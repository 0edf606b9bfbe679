"""Posts teach and are cited, but nobody listens to them."""

from torchatlas.graph.planning.plan import make_plan
from torchatlas.graph.values.model import Concept, Episode, Snapshot, Teaches

VMAP = Concept("vmap", "vmap", area="Transforms", definition="Batching.")
EPISODE, POST = (
    Episode("show/vmap", "vmap", show="Show", minutes=18),
    Episode("blog/vmap", "On vmap", show="Blog", kind="post"),
)


def test_a_post_is_no_step_of_a_plan() -> None:
    taught = tuple(Teaches(e.id, "vmap", depth="main") for e in (EPISODE, POST))
    both = Snapshot(concepts=(VMAP,), episodes=(EPISODE, POST), teaches=taught)
    assert [s.episode_id for s in make_plan(both, ["vmap"]).steps] == [EPISODE.id]
    alone = Snapshot(concepts=(VMAP,), episodes=(POST,), teaches=taught[1:])
    assert not make_plan(alone, ["vmap"]).steps
