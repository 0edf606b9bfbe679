"""Templates of Jinja beside this module: what is written for browsers, players and notebooks."""

from pathlib import Path

from torchatlas.graph.formatting import clock, web_address
from torchatlas.graph.names import one_line, xml_text


def written(name: str, **values: object) -> str:
    """Return a template filled in: `written("plan.html", title="vmap")`.

    A value is always a text on one line: none adds a mark or an element.
    """
    from jinja2 import Environment

    templates = Environment(autoescape=True, trim_blocks=True, keep_trailing_newline=True)
    templates.finalize = lambda value: xml_text(one_line(str(value)))
    templates.filters |= {"web_address": web_address, "clock": clock}
    return templates.from_string(Path(__file__).with_name(name).read_text("utf-8")).render(values)
