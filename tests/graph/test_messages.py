"""Messages that users paste: found in any wrapping, never in a sentence of everyday; and the files of a stack."""

import pytest

from tests.extract.cases import vocabulary
from torchatlas.graph import messages

SHAPES = "mat1 and mat2 shapes cannot be multiplied"
HEADER = "Traceback (most recent call last):\n"
PACKAGES = "/opt/conda/envs/torch/lib/python3.12/site-packages"


@pytest.mark.parametrize(
    ("pasted", "text"),
    [
        ("RuntimeError: MAT1 and  mat2 sha\r\npes cannot be multi\r\nplied (4x8 and 16x2)", SHAPES),
        ("[rank1]: mat1 and mat2 shapes\n[rank1]: cannot be multiplied", SHAPES),
        ("\x1b[31mE   RuntimeError: mat1 and mat2\x1b[0m\nE   shapes cannot be multiplied", SHAPES),
        ("│ mat1 and mat2 shapes │\n│ cannot be multiplied │", SHAPES),
        (f"UserWarning: TypedStorage is deprecated. It will be removed\nIndexError: {SHAPES}", SHAPES),
        (f"{SHAPES}\nRuntimeError: Trying to backward through the graph a second time", "Trying to backward through"),
        ("Can’t call numpy() on Tensor that requires grad", "Can't call numpy() on Tensor that requires grad"),
        (f"Expected 4D (unbatched) or {'x ' * 900}D (batched) input to conv", ""),
        ("how are matrices multiplied, and which shapes cannot be", ""),
    ],
)
def test_a_message_is_recognised_in_any_wrapping(pasted: str, text: str) -> None:
    found = messages.recognised(pasted)
    assert (found and found.text[: len(text)]) == (text or None)


def test_every_shipped_message_is_recognised_and_names_concepts() -> None:
    shipped = messages.messages()
    assert len({(m.concept, m.text) for m in shipped}) == len(shipped) >= 80
    assert not {id_ for m in shipped for id_ in (m.concept, *m.also)} - {c.id for c in vocabulary().concepts}
    for message in shipped:
        assert sum(map(str.isalpha, "".join(message.words))) >= 16 and type(message.words) is tuple, message.text
        assert messages.recognised(" of 3 ".join(message.words)) is message
        placed = message.found or message.by or message.torch != shipped[0].torch
        assert placed and message.meaning.endswith("."), message.text


@pytest.mark.parametrize(
    ("text", "files"),
    [
        (f'File "{PACKAGES}/torch/nn/a.py", line 3\n  File "{PACKAGES}/numpy/b.py", line 1', "torch/nn/a.py"),
        (f"File {PACKAGES}/torch/nn/a.py:3, in f\nFile ~/torch/nn/b.py:4", "torch/nn/b.py torch/nn/a.py"),
        ('File "C:\\site-packages\\torch\\fx\\a.py", line 3, in f', "torch/fx/a.py"),
        ('File "/s/torch/a.py", line 3\nRuntimeError: at ../c10/B.cpp:12 (most recent', "c10/B.cpp torch/a.py"),
        (f'{HEADER}File "/s/torch/a.py", line 3\nKeyError: 1\n{HEADER}File "/s/torch/b.py", line 3', "torch/b.py"),
        ("torch/fx/a.py has a line 3", ""),
        ("#0 0x7f in c10::Error::Error () from x.so\n#1 0x7f in at::native::f<int>(int)\n#2 main ()", "at::native::f"),
        ("frame #4: c10d::Work::wait(int) + 0x3e (0x7f in a.so)\nframe #5: <unknown>", "c10d::Work::wait"),
    ],
)
def test_the_files_of_a_stack_are_named_the_deepest_first(text: str, files: str) -> None:
    assert messages.frames(text) == files.split()


@pytest.mark.parametrize(
    ("text", "error", "kept"),
    [
        ("how does autograd work?", None, "how does autograd work?"),
        ("autograd " * 30, None, "name"),
        ("one line\nand another", "", "name"),
        (f"{HEADER}KeyError: 1\n[rank0]: torch.exc.Unsupported: b\n[rank0]: more", "torch.exc.Unsupported: b", "name"),
        (f"terminate called\n  what():  {SHAPES} (secret)", f"what():  {SHAPES} (secret)", SHAPES),
    ],
)
def test_a_log_is_told_from_a_question_and_not_kept(text: str, error: str | None, kept: str) -> None:
    assert messages.is_pasted(text) == (error is not None) and messages.last_error(text) == (error or "")
    assert messages.kept(text, "name") == kept
