"""A plan of one step with everything in it that marks of Markdown could spoil."""

from torchatlas.graph.answers import Needed, Plan, Primer, Step, Taught, Unmet

STEP = Step(
    episode_id="s/a", number=21, title="__torch_function__", minutes=17, estimated=True, role="before",
    teaches=(Taught("tf", "__torch_function__", at=266),), needs=(Needed("d", "dispatcher", source="known"),),
    why="it explains [hooks]", caveats=("old *news*",), url="https://example.org/21",
)  # fmt: skip
PLAN = Plan(
    ("subclasses",),
    ("dispatcher",),
    minutes=17,
    steps=(STEP,),
    primer=(Primer("gil", "GIL", definition="One lock."),),
    unmet=(Unmet("vmap", 75),),
)
