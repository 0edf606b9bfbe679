"""The prompts that a person can choose in an assistant."""

from typing import Annotated

from pydantic import Field

PURPOSE = "Plan what to hear, in which order and why."


def plan_my_listening(
    goal: Annotated[str, Field(description="What you want to understand, in any words.")],
    time: Annotated[str, Field(description="How long you have, such as 90m or 3x30m.")] = "",
    known: Annotated[str, Field(description="What you know already.")] = "",
) -> str:
    """Return what a person says to an assistant who wants a plan.

    >>> print(plan_my_listening("AOTAutograd", time="60m").splitlines()[1])
    I have 60m.
    """
    wishes = (
        f"Plan my listening with torchatlas: I want to understand {goal}.",
        f"I have {time}." if time else "",
        f"I know {known} already." if known else "",
        "Call `plan`. Of each episode, give the number, the title, the minutes, a sentence on why it comes there, and"
        " its address. Then list what a sentence is enough for, with that sentence. Say what was left out. Offer to"
        " explain any step with `explain`, or to look closer at a concept with `concept`.",
    )
    return "\n".join(filter(None, wishes))
