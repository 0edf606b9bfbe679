import pytest

from torchatlas.extract.mentions.senses import is_everyday


@pytest.mark.parametrize(
    ("before", "word", "after", "expected"),
    [
        ("In my ", "view", ", this is wrong", True),
        ("to get a good ", "view", " of it", True),
        ("a ", "view", " of a tensor", False),
        ("a ", "fork", " of the project", True),
        ("we ", "forked", " the PyTorch repository", True),
        ("the child of a ", "fork", " has no threads", False),
        ("to ", "guard", " against bugs", True),
        ("a ", "guard", " fails", False),
        ("", "trace", " it back to its source", True),
        ("we ", "trace", " the model", False),
        ("", "export", " a symbol from a library", True),
        ("", "export", " the model", False),
        ("work ", "distributed", " over threads", True),
        ("What is ", "distributed", "?", False),
        ("the ", "rank", " of a matrix", True),
        ("every ", "rank", " waits", False),
        ("pay ", "attention", " to this", True),
        ("self-", "attention", " to heads", False),
        ("looking ", "forward", ".", True),
        ("the ", "forward", " declaration", True),
        ("after ", "forward", " and backward", False),
        ("it ", "lowers", " the node to loops", False),
        ("a ", "lower", " bound", True),
        ("", "Adam", " Smith", True),
        ("", "Adam", " keeps two moments", False),
        ("", "dispatcher", "", False),
    ],
)
def test_company_tells_the_term_from_the_word(before: str, word: str, after: str, expected: bool) -> None:
    assert is_everyday(before + word + after, len(before), len(before) + len(word)) is expected
