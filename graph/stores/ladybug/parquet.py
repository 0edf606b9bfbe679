"""Columns of values as an Arrow table, and as a Parquet file, from which the engine's COPY reads.

COPY takes an Arrow table too, but with the first one the engine imports pandas where that is installed, and so does
`pyarrow.array`: that takes longer than to write a graph of some thousand nodes. So arrays are made from buffers.
"""

from array import array
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain
from typing import Any

from torchatlas.graph.model import NodeTable, TableSchema


def parquet(rows: Any) -> bytes:
    """Return an Arrow table as the content of a Parquet file.

    Example: `parquet(arrow_table(table, values))[:4] == b"PAR1"`
    """
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyarrow.parquet import write_table  # type: ignore[import-untyped]

    content = pa.BufferOutputStream()
    write_table(rows, content, compression="none", use_dictionary=False, write_statistics=False)
    return bytes(content.getvalue())


def arrow_table(table: TableSchema, values: Mapping[str, Sequence[Any]]) -> Any:
    """Return the columns of a table as an Arrow table of declared types.

    Example: `arrow_table(TABLES["Concept"], columns_of(snapshot)["Concept"])`
    """
    import pyarrow as pa

    ends = [] if isinstance(table, NodeTable) else [("source", "string"), ("target", "string")]
    columns = ends + [(column.name, column.type) for column in table.columns]
    return pa.table({name: column(values[name], kind) for name, kind in columns})


def column(values: Sequence[Any], kind: str) -> Any:
    """Return values as an Arrow array; None is a null. `kind`: the type of a column of the schema.

    >>> column(["a", None], "string").to_pylist(), column([("a", "b"), ()], "strings").to_pylist()
    (['a', None], [['a', 'b'], []])
    """
    import pyarrow as pa

    there = [value is not None for value in values]
    nulls = None if all(there) else pa.py_buffer(_bits(there))
    if kind == "strings":
        ends = array("i", accumulate((len(value or ()) for value in values), initial=0))
        texts = column(list(chain.from_iterable(value or () for value in values)), "string")
        return pa.Array.from_buffers(pa.list_(pa.string()), len(values), [nulls, pa.py_buffer(ends)], children=[texts])
    if kind == "string":
        texts = [b"" if value is None else value.encode() for value in values]
        ends = array("i", accumulate(map(len, texts), initial=0))
        return pa.Array.from_buffers(
            pa.string(), len(values), [nulls, pa.py_buffer(ends), pa.py_buffer(b"".join(texts))]
        )
    code, of = {"integer": ("q", pa.int64()), "float": ("d", pa.float64())}[kind]
    numbers = array(code, (0 if value is None else value for value in values))
    return pa.Array.from_buffers(of, len(values), [nulls, pa.py_buffer(numbers)])


def _bits(flags: Sequence[bool]) -> bytes:
    """Return flags as the bits of bytes, the lowest bit first."""
    size = (len(flags) + 7) // 8
    return int("".join("01"[flag] for flag in reversed(flags)), 2).to_bytes(size, "little")
