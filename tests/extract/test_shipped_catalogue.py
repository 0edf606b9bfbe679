from torchatlas.extract.curated.catalogue import load_catalogue
from torchatlas.extract.curated.vocabulary import load_vocabulary
from torchatlas.graph.build.join import join_graph
from torchatlas.inputs.bundled import SHOW, bundled, bundled_file

VOCABULARY = load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml"))
CATALOGUE = load_catalogue(bundled("episodes", ".toml"), VOCABULARY, SHOW)


def test_every_episode_has_a_main_subject() -> None:
    mains = {t.source for t in CATALOGUE.teaches if t.depth == "main"}
    assert len(CATALOGUE.episodes) == 83
    assert not {e.id for e in CATALOGUE.episodes} - mains


def test_every_edge_that_is_shipped_has_evidence() -> None:
    assert join_graph(VOCABULARY, CATALOGUE, ()).set_aside == ()


def test_the_declared_orders_of_the_catalogue_have_no_circle() -> None:
    from graphlib import TopologicalSorter

    sorter = TopologicalSorter[str]()
    for after in CATALOGUE.listen_after:
        sorter.add(after.source, after.target)
    sorter.prepare()
