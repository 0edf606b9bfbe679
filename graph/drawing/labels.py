"""How much room a name takes beside or under its dot."""

WRAPPED = 24
"""A name of so many characters stands on two lines, where it has a space."""

CHARACTER = 7.0
"""Pixels that a character takes at 12 pixels of height: a wide one."""


def lines(label: str) -> tuple[str, ...]:
    """Return a name as it is written: cut in two at the space nearest to its middle where it is long.

    >>> lines("reverse-mode automatic differentiation")
    ('reverse-mode automatic', 'differentiation')
    """
    cuts = [i for i, character in enumerate(label) if character == " " and i >= 3]
    if len(label) < WRAPPED or not cuts:
        return (label,)
    cut = min(cuts, key=lambda i: (abs(i - len(label) / 2), i))
    return label[:cut], label[cut + 1 :]


def width(label: str) -> float:
    """Return the pixels that a name takes: `width("autograd")` is 56."""
    return max(len(line) for line in lines(label)) * CHARACTER
