"""How far a listener is on the way to goals: what is left of a plan, with the heard part at its places."""

from collections.abc import Collection, Sequence

from torchatlas.graph.values.answers import Step
from torchatlas.graph.values.listening import Checklist, Tick


def checklist(left: Sequence[Step], whole: Sequence[Step], heard: Collection[str]) -> Checklist:
    """Return the steps that are left, in their order, and each heard step of the `whole` plan at its place.

    `whole` is the plan that was made as if nothing had been heard. A heard step stands before the first step left that
    comes after it there.

    Example: `checklist(plan.steps, anew.steps, heard=["show/strides"]).told`
    """
    order = {step.episode_id: place for place, step in enumerate(whole)}
    ids = {step.episode_id for step in left}
    done = [step for step in whole if step.episode_id in heard and step.episode_id not in ids]
    rows: list[Tick] = []
    for step in left:
        while done and order[done[0].episode_id] < order.get(step.episode_id, -1):
            rows.append(Tick(done.pop(0), heard=True))
        rows.append(Tick(step, heard=False))
    return Checklist((*rows, *(Tick(step, heard=True) for step in done)))
