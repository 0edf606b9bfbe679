from functools import cache
from pathlib import Path

import pytest

from torchatlas.extract.catalogue import load_catalogue, load_vocabulary
from torchatlas.extract.extraction_cache import ExtractionCache, key
from torchatlas.graph.build import join_graph
from torchatlas.graph.errors import UnknownName
from torchatlas.graph.findings import Catalogue, Vocabulary
from torchatlas.graph.questions import Resolver
from torchatlas.shipped import SHOW, bundled, bundled_file


@cache
def vocabulary() -> Vocabulary:
    return load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml"))


@cache
def catalogue() -> Catalogue:
    return load_catalogue(bundled("episodes", ".toml"), vocabulary(), SHOW)


def test_every_episode_has_a_main_subject() -> None:
    mains = {t.source for t in catalogue().teaches if t.depth == "main"}
    assert len(catalogue().episodes) >= 83
    assert not {e.id for e in catalogue().episodes} - mains


def test_a_concept_goes_by_the_name_that_episodes_say() -> None:
    names = {c.id: c.name for c in vocabulary().concepts}
    ids = ("operator-fusion", "operator-decomposition", "native-operator", "gil", "volta")
    said = ["fusion", "decomposition", "native function", "global interpreter lock", "Volta"]
    assert [names[id_] for id_ in ids] == said


@pytest.mark.parametrize(("goal", "meant"), [("JIT", "TorchScript"), ("AOT", "AOTAutograd")])
def test_an_abbreviation_that_means_several_things_is_asked_back(goal: str, meant: str) -> None:
    with pytest.raises(UnknownName, match="several things") as caught:
        Resolver(join_graph(vocabulary(), catalogue(), ()).graph).resolve(goal, "goal")
    assert meant in caught.value.suggestions


def test_every_edge_that_is_shipped_has_evidence() -> None:
    assert join_graph(vocabulary(), catalogue(), ()).set_aside == ()


def test_the_declared_orders_of_the_catalogue_have_no_circle() -> None:
    from graphlib import TopologicalSorter

    sorter = TopologicalSorter[str]()
    for after in catalogue().listen_after:
        sorter.add(after.source, after.target)
    sorter.prepare()


def test_what_the_cache_keeps_is_what_was_read(tmp_path: Path) -> None:
    for _ in range(2):
        with ExtractionCache(tmp_path / "c") as kept:
            assert kept.kept(key("vocabulary"), vocabulary, Vocabulary) == vocabulary()
            assert kept.kept(key("catalogue"), catalogue, Catalogue) == catalogue()
