from torchatlas.graph.cypher import misspelt, tokens, with_remedy
from torchatlas.graph.stores.ladybug import LADYBUG


def test_a_slip_is_named_only_where_something_is_near() -> None:
    written = tokens("MATCH (n:Concpt) RETURN n.somewhere")
    assert misspelt(["Concpt"], written) == "there is no Concpt in this graph; did you mean Concept?"
    assert misspelt(["somewhere", "REQUIRES"], written) is None


def test_what_the_embedded_engine_lacks_comes_with_a_remedy() -> None:
    assert "label(r)" in with_remedy("Catalog exception: function TYPE does not exist.", "RETURN type(r)", LADYBUG)
    there = with_remedy(
        "Binder exception: Table EXPLAINS does not exist.", "MATCH ()-[:EXPLAINS]->() RETURN 1", LADYBUG
    )
    assert there.startswith("there is no EXPLAINS in this graph; there are ") and " TEACHES," in there
    assert "did you mean name" in with_remedy("Binder exception: Cannot find property nam for n.", "", LADYBUG)
