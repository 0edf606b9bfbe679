import re

import pytest

from torchatlas.extract.mentions.senses import RULES, is_everyday

EVERYDAY = """
in my [view], this is wrong | a [view] of the world | it gives a good [view] | we [view] it as new
strong [views] | [views] on the matter | off the [hook] | a [hook] up there | it [hooks] into them
to [guard] it | a [guard] against bugs | it [guards] against bugs | without a [trace] | [trace] it back to its source
he [traces] it back | my [fork] | a [fork] of the project | GitHub [forks] | we [forked] the PyTorch repository
to [spawn] more threads | import and [export] | [exports] the symbols | [exported] by the module
[export] the model to ONNX | they [export] the report | Lua [scripting] | a [scripting] language | XLA's [lowering]
a polynomial [decomposition] | Stack [Overflow] | a buffer [overflow]
[distributed] programs | it [tries] to run | low [latency] | [latency] of calls
evenly [distributed] | work [distributed] over threads | [distributed] to all | low-[rank] | [rank]-1
the [rank] of a matrix | tensor [ranks] | it [ranks] among them | [ranks] of officers | memory [barrier]
a [barrier] to entry | pay [attention] | [attention] to this | cost [reduction] | a [reduction] in noise
size [reductions] | [reductions] in noise | a [lower] layer to us | it [lowers] costs | LU [decomposition]
permutation-[invariant] | [invariant] under rotation | AI [alignment] | [alignment] research | code [ownership]
[ownership] of the project | memory [pooling] | [pooling] resources | gained [momentum] | the [momentum] behind it
a [callback] to an earlier episode | a user [profile] | the [macro] level | a [derivative] work
the transitive [closure] | reinvent the [wheel] | in [sync] | to keep [sync] with it | the [landing] page
cloud [storage] | a [storage] bucket | the [activation] of it | plant [seed] | [seed] money | legally [binding]
[in place] of REST | in [conjunction] with it
a step [backward] | [backward]-compatible | looking [forward]. | the [forward] declaration | they put it [forward].
to [mock] | a [mock] interview | in [future] work | [Adam] Smith | to [target] | the [target] audience
a test that [targets] it | one [targets] both | the [event] | an [event] loop | the output [stream]
a [stream] of words | issue [template] | max [pool] | page [layout] | a git [hook] | JSON [schema]
Inductor's [codegen] | LLVM's [optimizer] | [differentiate] between them | a [reentrant] lock
[async]/await | SSL/[TLS] | a [TLS] certificate
Alan [Turing] | a [Turing] machine | written in [Pascal] | a [Pascal] compiler | Johannes [Kepler]
[Maxwell]'s equations | max [pool] | a Rust [macro] | the peak [throughput] | it improves [throughput]
a [stream] of words | issue [template] | page [layout]
"""
TERMS = """
a [view] of a tensor | the child of a [fork] has no threads | a [guard] fails | we [trace] the model
[export] the model | What is [distributed]? | every [rank] waits | the [ranks] of the group | self-[attention] to heads
[scripting] keeps loops | the [lowering] of this node | a table of [decompositions] | the sum would [overflow]
the DDP [hook] | an operator's [schema] | the [codegen] of ATen | [differentiate] it | [reentrant] backward
the [optimizer] | latency and [throughput] of the queue | [latency] and throughput | two [tries]
an [invariant] of the structure | the [alignment] of the data | [ownership] of a tensor | max and mean [pooling]
SGD with [momentum] | a [callback] to the scheduler | the [macro] TORCH_CHECK | the [derivative] of a sum
after [forward] and backward | it [lowers] the node to loops | [Adam] keeps two moments | the [dispatcher]
after [forward] and backward | an [async] copy | a copy in [TLS]
a [Turing] card | [Pascal], Volta and Ampere | [Kepler] and older
it [lowers] the node to loops | [Adam] keeps two moments | the [dispatcher]
"""


def sentences(block: str) -> list[tuple[str, int, int]]:
    """Return each sentence without its brackets, and where the word in brackets begins and ends."""
    found = []
    for marked in re.split(r" \| |\n", block.strip()):
        before, word, after = re.split(r"[\[\]]", marked)
        found.append((before + word + after, len(before), len(before + word)))
    return found


@pytest.mark.parametrize(("text", "start", "end"), sentences(EVERYDAY))
def test_company_makes_a_word_everyday_english(text: str, start: int, end: int) -> None:
    assert is_everyday(text, start, end)


@pytest.mark.parametrize(("text", "start", "end"), sentences(TERMS))
def test_in_other_company_it_is_the_term(text: str, start: int, end: int) -> None:
    assert not is_everyday(text, start, end)


def test_each_half_of_a_rule_is_the_only_one_that_some_example_needs() -> None:
    needed = set()
    for text, start, end in sentences(EVERYDAY):
        sides = [
            (words, side, pattern)
            for words, *halves in RULES
            for side, pattern in enumerate(halves)
            if text[start:end].lower() in [word.replace("_", " ") for word in words.split()] and pattern
            and re.search(*((f"^(?:{pattern})", text[end:]) if side else (f"(?:{pattern})$", text[:start])), re.I)
        ]  # fmt: skip
        needed |= {*sides} if len(sides) == 1 else set()
    halves = {(w, side, pattern) for w, *both in RULES for side, pattern in enumerate(both) if pattern}
    assert halves - needed == set()
