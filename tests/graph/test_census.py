from torchatlas.graph.model import Concept, Episode, Snapshot, Teaches
from torchatlas.graph.views import census


def test_what_is_there_is_counted_with_an_example() -> None:
    graph = Snapshot(
        (Concept("a", "A", area="Area", definition="What it is."), Concept("b", "B", area="Area")),
        (Episode("e", "E", show="Show"),),
        teaches=(Teaches("e", "a", depth="main", at=3),),
    )
    counted = census(graph)
    kinds = {kind.name: kind for kind in (*counted.nodes, *counted.relationships)}
    assert (kinds["Concept"].count, kinds["Concept"].pattern) == (2, "(:Concept)")
    assert {p.name: p.count for p in kinds["Concept"].properties}["definition"] == 1
    assert kinds["TEACHES"].example == "(:Episode {id: 'e'})-[:TEACHES]->(:Concept {id: 'a'})"
    assert {p.name: p.type for p in kinds["TEACHES"].properties}["at"] == "integer"
    assert (kinds["PART_OF"].count, kinds["PART_OF"].example) == (0, None)
