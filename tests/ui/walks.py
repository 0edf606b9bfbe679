"""Walks through a door of the program: a claim, and below it steps, each with what is there after it."""

import re

import pytest

Steps = list[tuple[str, list[str]]]


def walks(*texts: str) -> pytest.MarkDecorator:
    """Run a test with the `steps` of each paragraph.

    Its first line is the claim, each further one a step and, behind =>, what is there then, with bars between; a line
    that begins with => goes on with that.
    """
    found = []
    for block in "\n\n".join(map(str.strip, texts)).split("\n\n"):
        claim, *lines = block.replace("\n=>", " =>").splitlines()
        rows = [re.split(r" => | \| ", line) for line in lines]
        steps = [(step, [part.strip() for part in then]) for step, *then in rows]
        found.append(pytest.param(steps, id=claim.replace(" ", "_")))
    return pytest.mark.parametrize("steps", found)
