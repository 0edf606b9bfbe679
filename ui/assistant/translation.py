"""From answers of the atlas to those for an assistant: short, with addresses, and with a word on what is left out."""

from collections.abc import Iterable, Sequence

from torchatlas.graph.answers import census
from torchatlas.graph.values import answers, explanations, gaps
from torchatlas.graph.values.formatting import counted, listed
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.readings import Understood
from torchatlas.graph.values.table import Table
from torchatlas.presentation import cards
from torchatlas.presentation.listings import episode_names
from torchatlas.ui.assistant import answers as told
from torchatlas.ui.assistant.cells import COLUMNS, whole_rows
from torchatlas.ui.assistant.links import Links

STEPS, MOMENTS, NOTES, SENTENCES, REMARKS, ROWS = 20, 6, 3, 12, 10, 10
"""How many of each an answer has at the most."""
MOST_ROWS = 20
"""The limit to which an assistant may raise the rows of a list."""


def plan_answer(links: Links, plan: answers.Plan) -> told.PlanAnswer:
    """Return a plan: its steps with addresses, the sentences that are enough, and what a larger budget adds.

    Example: plan_answer(Links(8501), atlas.plan("AOTAutograd")).steps[0].title
    """
    sentences, remarks = (*plan.primer, *plan.gaps), (*map(str, plan.successors), *plan.remarks, *_near(plan))
    goals = tuple(dict.fromkeys(id_ for meant in plan.understood for id_ in meant.ids))
    steps = plan.steps[:STEPS]
    return told.PlanAnswer(
        understood=list(plan.readings),
        heading=plan.heading,
        minutes=plan.minutes,
        steps=[_step(links, step) for step in steps],
        sentences=[
            told.Sentence(id=p.id, name=p.name, definition=p.told, read=p.link) for p in sentences[:SENTENCES]
        ],
        sessions=list(plan.schedule[:STEPS]),
        remarks=list(remarks[:REMARKS]),
        other_routes=list(plan.alternatives[:REMARKS]),
        page=links.path(goals[:ROWS]),
        left_out=left_out([
            ("step", plan.steps, STEPS), ("sentence", sentences, SENTENCES), ("session", plan.schedule, STEPS),
            ("remark", remarks, REMARKS), ("other route", plan.alternatives, REMARKS),
            ("explained concept", [taught for step in steps for taught in step.teaches[MOMENTS:]], 0),
            ("note", [note for step in steps for note in step.caveats[NOTES:]], 0), ("linked goal", goals, ROWS),
        ]),
    )  # fmt: skip


def _near(plan: answers.Plan) -> list[str]:
    return [f"Near {near.goal}: {near.name}: {near.why}" for near in plan.nearest]


def _step(links: Links, step: answers.Step) -> told.PlannedEpisode:
    return told.PlannedEpisode(
        id=step.episode_id,
        number=step.number,
        season=step.season,
        title=step.title,
        minutes=step.minutes,
        role=step.role,
        origin=step.origin,
        why=step.why,
        explains=[told.Moment(id=t.id, name=t.name, at=t.at) for t in step.teaches[:MOMENTS]],
        notes=list(step.caveats[:NOTES]),
        episode=step.url,
        page=links.episode(step.episode_id),
    )


def related_answer(
    graph: Snapshot, links: Links, meant: Understood, rows: Sequence[answers.Related], limit: int
) -> told.RelatedAnswer:
    """Return the episodes near the one that was meant; of `rows`, one more than `limit` says that there are more.

    Example: related_answer(atlas.graph, Links(8501), meant, atlas.related(meant.ids[0], 6), 5).related[0].why
    """
    names, id_ = episode_names(graph), meant.ids[0]
    return told.RelatedAnswer(
        understood=_sentences(meant),
        id=id_,
        title=names[id_],
        related=[
            told.EpisodeNear(
                id=row.episode_id,
                title=names[row.episode_id],
                score=row.score,
                why=row.why,
                episode=graph.episode[row.episode_id].url,
                page=links.episode(row.episode_id),
            )
            for row in rows[:limit]
        ],
        page=links.episode(id_),
        left_out=_further(rows, limit),
    )


def search_answer(graph: Snapshot, links: Links, hits: Sequence[answers.Hit], limit: int) -> told.SearchAnswer:
    """Return what was found; of `hits`, one more than `limit` says that there are more.

    Example: search_answer(atlas.graph, Links(8501), atlas.search("views", 6), 5).found[0].id
    """
    return told.SearchAnswer(
        found=[
            told.Found(
                kind=hit.kind,
                id=hit.id,
                name=graph.label_of(hit.id),
                matched=hit.matched,
                episode=graph.episode[hit.id].url if hit.kind == "episode" else None,
                page=links.subject(graph, hit.id),
            )
            for hit in hits[:limit]
        ],
        left_out=_further(hits, limit),
    )


def concept_answer(graph: Snapshot, links: Links, meant: Understood, card: cards.ConceptCard) -> told.ConceptAnswer:
    """Return the card of the concept that was meant; what counts most stands first in each list.

    Example: concept_answer(atlas.graph, Links(8501), meant, atlas.concept(meant.ids[0])).needs[0].why
    """
    return told.ConceptAnswer(
        understood=_sentences(meant),
        id=card.id,
        name=card.name,
        area=card.area,
        definition=card.definition,
        aliases=list(card.aliases[:ROWS]),
        source_files=list(card.source_paths[:ROWS]),
        explained_in=[_lesson(graph, links, lesson) for lesson in card.taught_in[:ROWS]],
        needs=_neighbours(card.needs),
        leads_to=_neighbours(card.leads_to),
        others=_neighbours(card.others),
        read=card.reading,
        page=links.concept(card.id),
        left_out=left_out([
            ("other name", card.aliases, ROWS), ("source file", card.source_paths, ROWS),
            ("episode", card.taught_in, ROWS), ("need", card.needs, ROWS), ("dependent", card.leads_to, ROWS),
            ("other relation", card.others, ROWS),
        ]),
    )  # fmt: skip


def _lesson(graph: Snapshot, links: Links, lesson: cards.Lesson) -> told.Lesson:
    return told.Lesson(
        id=lesson.id,
        title=lesson.name,
        why=lesson.why,
        at=lesson.at,
        episode=graph.episode[lesson.id].url,
        page=links.episode(lesson.id),
    )


def _neighbours(rows: Sequence[cards.Neighbour]) -> list[told.Neighbour]:
    return [told.Neighbour(id=row.id, name=row.name, why=row.why) for row in rows[:ROWS]]


def explain_answer(found: explanations.Explanation, *meant: Understood) -> told.ExplainAnswer:
    """Return why one thing comes before another, or that the other does.

    Example: explain_answer(atlas.explain("strides", "AOTAutograd")).verdict
    """
    chain = found.chain or found.reverse
    return told.ExplainAnswer(
        understood=_sentences(*meant),
        verdict=found.verdict,
        chain=[
            told.Reason(
                source=edge.source,
                source_name=edge.source_name,
                verb=edge.verb,
                target=edge.target,
                target_name=edge.target_name,
                why=edge.words,
                evidence=edge.evidence,
            )
            for edge in chain[:STEPS]
        ],
        left_out=left_out([("edge", chain, STEPS)]),
    )


def gaps_answer(graph: Snapshot, links: Links, found: gaps.Gaps, limit: int) -> told.GapsAnswer:
    """Return the first `limit` gaps of each kind.

    Example: gaps_answer(atlas.graph, Links(8501), atlas.gaps(), 5).kinds[0].total
    """
    kinds = [
        told.Lacks(
            kind=heading,
            total=len(rows),
            gaps=[
                told.Lack(id=r.id, name=r.name, why=r.words, read=r.link, page=links.subject(graph, r.id))
                for r in rows[:limit]
            ],
        )
        for heading, rows in found.sections.items()
    ]
    more = any(kind.total > limit for kind in kinds)
    return told.GapsAnswer(kinds=kinds, left_out=_more(limit, " of some kinds") if more else "")


def schema_answer(counted_: census.Census) -> told.SchemaAnswer:
    """Return the schema in the form of Cypher.

    Example: schema_answer(atlas.schema()).nodes[0].pattern
    """

    def kinds(rows: Sequence[census.ElementType]) -> list[told.Kind]:
        return [
            told.Kind(
                pattern=row.pattern,
                count=row.count,
                properties=[f"{p.name}: {p.type}" for p in row.properties if p.count],
                example=row.example,
            )
            for row in rows
        ]

    return told.SchemaAnswer(nodes=kinds(counted_.nodes), relationships=kinds(counted_.relationships))


def query_answer(table: Table, *, more: bool = True) -> told.QueryAnswer:
    """Return the rows of a query that fit into an answer; `more`: whether further rows can be asked for.

    Example: query_answer(atlas.query("MATCH (c:Concept) RETURN c.name")).rows[0]
    """
    rows = whole_rows(table.rows)
    fewer = len(rows) < len(table.rows)
    missing = (
        f"{len(rows)} of {counted(len(table.rows), 'row')} fit; return fewer columns or rows." if fewer else "",
        f"There are more rows; {'raise rows' if more else 'use SKIP'}, or count them." if table.truncated else "",
        f"Only the first {COLUMNS} columns are shown." if len(table.columns) > COLUMNS else "",
    )
    return told.QueryAnswer(columns=list(table.columns[:COLUMNS]), rows=rows, left_out=" ".join(filter(None, missing)))


def left_out(lists: Iterable[tuple[str, Sequence[object], int]]) -> str:
    """Return the sentence on the rows of some lists, each with its noun, that are beyond its bound; "" for none.

    >>> left_out([("step", "abc", 2), ("note", "", 2)])
    'Left out: 1 more step.'
    """
    more = [f"{counted(len(rows) - most, f'more {noun}')}" for noun, rows, most in lists if len(rows) > most]
    return f"Left out: {listed(more)}." if more else ""


def _sentences(*meant: Understood) -> list[str]:
    return [each.sentence for each in meant if each.sentence]


def _further(rows: Sequence[object], limit: int) -> str:
    return _more(limit) if len(rows) > limit else ""


def _more(limit: int, which: str = "") -> str:
    """Return that there are more, and how to get them where that can be.

    >>> _more(8), _more(20)
    ('There are more; raise limit.', 'There are more than 20.')
    """
    return f"There are more{which}; raise limit." if limit < MOST_ROWS else f"There are more than {MOST_ROWS}{which}."
