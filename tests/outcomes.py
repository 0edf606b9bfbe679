"""How calls that were disturbed ended, as a table."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ended:
    """A call, what befell it, the line with which it ended ("" where it was answered), and its seconds."""

    call: str
    fault: str
    line: str
    seconds: float

    def __str__(self) -> str:
        return f"{self.call:12} {self.fault:8} {self.seconds:6.1f} s  {self.line or 'answered'}"


def report(coming: Iterable[Ended]) -> None:
    """Print each as it comes, then the table. Nothing is printed of one that broke: it raises an error."""
    found = []
    for each in coming:
        print(each, flush=True)
        found.append(each)
    print(*table(found), sep="\n")
    print(f"{len(found)} were disturbed; each ended in time, left a whole graph, and the next one worked", flush=True)


def table(found: Sequence[Ended]) -> Iterator[str]:
    """A row for each call and fault, then each line that was said, with how often.

    >>> ended = Ended("load", "killed", "no server at h:7687; start it", 1.5), Ended("load", "killed", "", 3)
    >>> for row in table(ended): print(row)
    call         fault    times  answered  one line  slowest
    load         killed       2         1         1    3.0 s
       1 x no server at h; start it
    """
    yield f"{'call':12} {'fault':8} {'times':>5} {'answered':>9} {'one line':>9} {'slowest':>8}"
    for call, fault in dict.fromkeys((each.call, each.fault) for each in found):
        ended = [each for each in found if (each.call, each.fault) == (call, fault)]
        answered, slowest = sum(not each.line for each in ended), max(each.seconds for each in ended)
        yield f"{call:12} {fault:8} {len(ended):5} {answered:9} {len(ended) - answered:9} {slowest:6.1f} s"
    said = Counter(re.sub(r":\d+\b", "", each.line) for each in found if each.line)
    yield from (f"{times:4} x {line}" for line, times in said.most_common())
