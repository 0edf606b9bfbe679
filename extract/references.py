"""The spaCy component "torchatlas_references": how episodes and concepts relate.

Each is a span of `doc.spans["references"]`: `label_` is the relation, `id_` the
subject ("": the episode whose text this is) and `kb_id_` the object.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.matcher import Matcher, PhraseMatcher
from spacy.tokens import Doc, Span
from spacy.util import filter_spans

from torchatlas.extract.english import LISTS, STOP_WORDS, words
from torchatlas.extract.forms import Titles, numbers_in, plain
from torchatlas.extract.links import link_type, url_spans
from torchatlas.graph.findings import Statement
from torchatlas.graph.names import folded_title

FACTORY = "torchatlas_references"
_LONGEST_SENTENCE = 120
_NAME = "\ue000"  # stands for a name, or for several in a row, in the words of a sentence
GROUPS = {
    "A": _NAME,
    "B": _NAME,
    "BE": "is|are|was|were|be|been|being|'s|'re",
    "BUILDS": "builds|build|based|relies|rely|rests|rest|depends|depend",
    "EPISODE": "episode|episodes|podcast|podcasts|show",
    "FIRST": "first|before|beforehand|already|previously|prior",
    "HEAR": "listen|listening|listened|hear|hearing|heard|watch|watching|watched|read|reading",
    "HEARD": "heard|listened|caught|seen|read|watched",
    "LARGER": "extension|enhancement|generalization|generalisation|superset|version|rewrite|fork|successor",
    "ON": "about|on",
    "PREVIOUS": "previous|earlier|past|prior|last|another|separate",
    "SURE": "make|making|be|assume|assumes|assuming|hope",
    "THIS": "this|podcast|episode|post|article|video|talk|lecture|paper|tutorial|chapter",
    "WE": "we|you|one|i|people|readers|viewers|listeners",
}
EPISODES = (
    ("LISTEN_AFTER", "HEAR to? ~8 ON? ~2 B EPISODE|one? ,? ~3 FIRST"),
    ("LISTEN_AFTER", "HEAR to? ~3 FIRST ,? ~3 : ~6 ON? ~2 B"),
    ("LISTEN_AFTER", "BUILDS on|upon ~3 B ,|; so|and? ~2 HEAR to? that|it EPISODE|one? FIRST"),
    ("LISTEN_AFTER", "builds|build on|upon ~2 EPISODE ON? ~2 B"),
    ("LISTEN_AFTER", "before ~2 listening|this|hearing|starting|diving to? ~4 , ~4 to? ~2 HEAR to|out? ~6 ON? ~2 B"),
    ("LISTEN_AFTER", "first ,? HEAR to? ~5 ON? ~2 B"),
    ("LISTEN_AFTER", "start|begin with ~3 B FIRST?"),
    ("LISTEN_AFTER", "helps|help|want|need|useful|best to have HEARD to? ~5 ON? ~2 B"),
    ("LISTEN_AFTER", "THIS assumes|assume|requires|presupposes ~2 familiarity|acquaintance with ~4 B"),
    ("LISTEN_AFTER", "SURE sure|certain? that? WE ~2 HEARD to? ~5 ON? ~2 B"),
    ("LISTEN_AFTER", "if you ~1 n't|n’t|not|never ~2 HEARD to? ~5 ON? ~2 B"),
    ("LISTEN_AFTER", "THIS|we|i continue|continues|continuing|extends|resume|resumes ~3 from|of? ~6 ON? ~2 B"),
    ("LISTEN_AFTER", "THIS builds|picks up|on|upon|on ~2 from|where? ~6 ON? ~2 B"),
    ("LISTEN_AFTER", "follow|follow-up|followup|sequel|continuation -? up? to|of|from ~6 ON? ~2 B"),
    ("LISTEN_AFTER", "part|second two|2|ii|half|part of|to ~6 ON? ~2 B"),
    ("LISTEN_AFTER", "prerequisites|prerequisite|prereqs|required ~2 : ~3 B"),
    ("LISTEN_BEFORE", "HEAR to? ~6 ON? ~2 B EPISODE? ~1 next|afterwards|after|later|afterward"),
    ("LISTEN_BEFORE", "HEAR to? this ~1 before ~2 listening|hearing? to? ~4 ON? ~2 B"),
    ("LISTEN_BEFORE", "this ~3 HEAR to? before ~6 ON? ~2 B"),
    ("LISTEN_BEFORE", "before ~2 listening|hearing|tackling to? ~6 ON? ~2 B , ~4 HEAR to? this"),
    ("LISTEN_BEFORE", "continued|continues|continue in ~6 ON? ~2 B"),
    ("LISTEN_BEFORE", "HEAR to? next ~2 : ~4 B"),
    ("LISTEN_BEFORE", "next up|EPISODE ,? will? BE|: ~6 ON? ~2 B"),
    ("RELATED_EPISODE", "related ~1 EPISODE :? on|about|are|is|:? ~3 B"),
    ("RELATED_EPISODE", "PREVIOUS|other ~1 EPISODE on|about|titled|: ~3 B"),
    ("RELATED_EPISODE", "see|check|refer also|out|to? ~3 EPISODE on|about|titled|called|for ~2 B"),
    ("RELATED_EPISODE", "see|check|refer also|out|to? ~3 B EPISODE"),
    ("RELATED_EPISODE", "the|my|our ~1 EPISODE on|about|titled ~1 B"),
    ("RELATED_EPISODE", "the|my|our ~1 B EPISODE"),
    ("RELATED_EPISODE", "B ,? ~2 covered|discussed|explained|mentioned ~1 in ~1 PREVIOUS|other ~1 EPISODE"),
)
CONCEPTS = (  # each right 8 times of 10 or more on labelled texts of kinds that it was not written from
    ("EXTENDS", "A BE ~2 a|an|the ~2 LARGER of|to ~1 B"),
    ("EXTENDS", "A , a|an|the ~2 LARGER of|to ~1 B"),
    ("EXTENDS", "A extends|generalizes|generalises ~1 B"),
    ("USES", "A uses|leverages|utilizes ~1 B"),
    ("USES", "A makes|takes ~1 use|advantage of ~1 B"),
)
"""Relations and their words, for spaCy's Matcher. `A`, `B`: names, of which B alone stands in rows on episodes; `x|y`:
either word; `x?`: a word that may be missing; `~3`: up to three words of a noun phrase; other capitals: see GROUPS."""
_NOT_IN_PHRASE = LISTS["not in a phrase"] | {_NAME}
_NEGATIONS = words("not n't n’t never no nothing neither nor without cannot nobody hardly longer even")
_DOUBTS = _NEGATIONS | LISTS["doubts"]
_RELEASING = re.compile(  # advice taken back: "do not listen to it first"
    r"\b(?:do(?:es)? (?:not|n't|n’t) (?:listen|hear|watch|read|need|have|bother|worry|matter)|need (?:not|n't|n’t)"
    r"|(?:is|'s) (?:optional|(?:not|n't|n’t) (?:needed|required|necessary))|no (?:need|problem|worries|matter)"
    r"|never mind|or (?:after|later)) "
)
_AUXILIARIES = words("is are was were does do did can could should would will has have had might am did")
_ASKING = words("what why how when where which who whose")
_MARKS = words(", ; : ( ) — – -")
_BULLETS = words("• - * –")
_JOINING = words(", and or & / ( ) • - * – in")
_ADVISING = words("please you should to also go and then first must might can just , : ; ( — – - • well now")
"""Words before "read" or "watch" where they are advice: "threads read the page first" is none."""
_ADVICE = words("read watch watched start begin first")
_PREPOSITIONS = words("of in on with for by from into to via using through under like unlike than about")
_RELATING = re.compile(  # other texts relate nothing: they are not read
    r"""\b(?:episodes?|podcasts?|listen\w*|hear|heard|follow-?\s?up|sequel|continu\w+|prereq\w*|part\s+(?:two|2|ii)
    |(?:read|watch)\w*(?=\W[^.]{0,120}\b(?:first|before(?:hand)?|next)\b)
    |(?:makes|takes)\s(?:\w+\s)?(?:use|advantage)\sof
    |(?:first|before)\W(?:\w+\W+){0,3}(?:read|watch)\w*|(?:start|begin)\swith|this\s(?:\w+\s)?builds
    |(?:have|n't|n’t|not)\s(?:\w+\s)?(?:seen|read|watched)|required\s\w+ing\b|assum\w+\s(?:\w+\s)?familiarity
    |extension|enhancement|generali[sz]\w+|superset|version|rewrite|fork|successor|extends
    |uses|leverages|utilizes)\b""",
    re.I | re.X,
)


class _Word(NamedTuple):
    """A lower-case word, its tokens `first` to `stop`, and its names."""

    text: str
    first: int
    stop: int
    names: tuple[Span, ...] = ()


def statements(doc: Doc, title: str) -> tuple[Statement, ...]:
    """Return what a text says, by title: `statements(nlp("..."), "Strides")`."""
    found = (
        Statement(span.label_, span.id_ or title, object=span.kb_id_, quote=span.text, start=span.start_char)
        for span in doc.spans["references"]
    )
    kept = (s for s in found if folded_title(s.subject) != folded_title(s.object))
    return tuple(sorted(kept, key=lambda s: (s.start, s.relation, s.subject, s.object)))


@Language.factory(FACTORY, assigns=["doc.spans"], default_config={"titles": [], "names": {}}, retokenizes=False)
class References:
    """The component. `titles`: of episodes. `names`: concept id -> name.

    Example: `nlp.add_pipe("torchatlas_references", config={"titles": ["Views"]})`
    """

    def __init__(self, nlp: Language, name: str = FACTORY, titles: Any = (), names: Any = ()) -> None:
        self.vocab = nlp.vocab
        self.matcher = Matcher(nlp.vocab)
        for place, (_, row) in enumerate((*EPISODES, *CONCEPTS)):
            pattern: list[dict[str, Any]] = []
            for word in row.split():
                if word[0] == "~":
                    pattern.append({"LOWER": {"NOT_IN": sorted(_NOT_IN_PHRASE)}, "OP": f"{{0,{word[1:]}}}"})
                else:
                    choices = [c for part in word.rstrip("?").split("|") for c in GROUPS.get(part, part).split("|")]
                    pattern.append({"LOWER": {"IN": choices}} | ({"OP": "?"} if word.endswith("?") else {}))
            self.matcher.add(str(place), [pattern])
        self.know(nlp, titles, names)

    def know(self, nlp: Language, titles: Iterable[str], names: Mapping[str, str]) -> None:
        """Replace the titles and names; many in a config would take seconds."""
        self.names = dict(names)
        self.titles = Titles(titles)
        self.phrases = PhraseMatcher(nlp.vocab, attr="LOWER")
        for title in sorted(set(self.titles.by_name.values())):
            self.phrases.add(title, [nlp.make_doc(title)])

    def __call__(self, doc: Doc) -> Doc:
        """Find each relation once; an episode to hear first is not also related."""
        text = doc.text
        doc.spans["references"] = []
        if not (_RELATING.search(text) or any(link_type(text[a:b]) == "episode" for a, b in url_spans(text))):
            return doc
        sentences = [*filter(None, _sentences(doc, self._named(doc)))]
        found: dict[tuple[str, str, str], Span] = {}
        heading: list[_Word] = []
        for sentence in sentences:  # an item follows its heading
            item = sentence[0].text in _BULLETS or bool(sentence[0].names)
            heading = heading if item else sentence if sentence[-1].text == ":" else []
            read = [*heading, *(w for w in sentence if w.text not in _BULLETS)] if heading and item else sentence
            for relation in self._read(doc, read) if len(read) <= _LONGEST_SENTENCE else ():
                key = relation.id_ and relation.label_, relation.id_, folded_title(relation.kb_id_)
                if key not in found or found[key].label_ == "RELATED_EPISODE" != relation.label_:
                    found[key] = relation
        for sentence in sentences:
            for page in (name for word in sentence for name in word.names if name.label_ == "page"):
                related = Span(doc, sentence[0].first, page.end, "RELATED_EPISODE", kb_id=page.kb_id_)
                found.setdefault(("", "", folded_title(page.kb_id_)), related)
        doc.spans["references"] = list(found.values())
        return doc

    def _named(self, doc: Doc) -> list[Span]:
        """Return names in order. `label_`: "concept", "episode" or "page" (address);
        `id_`: a concept's name; `kb_id_`: an episode's title or number, or ""."""
        known, unlisted, pages, numbers = list[Span](), list[Span](), list[Span | None](), list[Span | None]()
        text = doc.text  # joins all tokens each time
        for span in doc.spans.get("concepts", ()):
            name = self.names.get(span.label_) or plain(span.text)
            title = self.titles.of_name(name, span.text) or ""
            named = Span(doc, span.start, span.end, "concept", kb_id=title, span_id=name)
            (known if span.label_ in self.names else unlisted).append(named)
        found = (span for span in self.phrases(doc, as_spans=True) if span.text[0].isupper())
        titles = [Span(doc, span.start, span.end, "episode", kb_id=span.label_) for span in found]
        for start, end in url_spans(text):
            title, url = "", text[start:end]
            if link_type(url) == "episode":  # ".../episodes/zero-one-specialization"
                spelled = re.sub(r"\W+", " ", re.split(r"[?#]", url)[0].rstrip("/").rpartition("/")[2]).strip()
                title = self.titles.of_name(spelled) or spelled.capitalize()
            pages.append(doc.char_span(start, end, "page", title, alignment_mode="expand"))
        for start, end in numbers_in(text):
            numbers.append(doc.char_span(start, end, "episode", text[start:end], alignment_mode="expand"))
        return filter_spans(filter(None, [*pages, *known, *titles, *unlisted, *numbers]))

    def _read(self, doc: Doc, sentence: Sequence[_Word]) -> Iterator[Span]:
        """Yield a sentence's relations, read with and without parentheses."""
        opening = [word.text for word in sentence[:2]]
        asks = opening[0] in _ASKING and opening[-1] in _AUXILIARIES
        asks = asks or opening[0] in _AUXILIARIES or "?" in [word.text for word in sentence[-3:]]
        if asks or not any(word.names for word in sentence):
            return
        seen, depth, outside = set(), 0, list[_Word]()
        for word in sentence:
            depth += word.text == "("
            outside += [] if depth else [word]
            depth -= word.text == ")" and depth > 0
        for variant in (sentence, outside):
            texts = [word.text for word in variant]
            for row, start, end in self.matcher(Doc(self.vocab, words=texts)):
                place = int(self.vocab.strings[row])
                at = [i for i in range(start, end) if variant[i].names]
                slot = place, variant[at[0]].first, variant[at[-1]].first
                if slot not in seen and _asserted(texts, start, end, place):
                    seen.add(slot)
                    yield from self._stated(doc, variant, (start, end), place)

    def _stated(self, doc: Doc, sentence: Sequence[_Word], match: tuple[int, int], place: int) -> Iterator[Span]:
        """Yield a relation for each pair of names in the match of a row."""
        start, end = match
        relation, row = (*EPISODES, *CONCEPTS)[place]
        at = [i for i in range(start, end) if sentence[i].names]
        about_episodes = place < len(EPISODES)
        objects = sentence[at[-1]].names
        if at[-1] == end - 1 and _is_content(sentence[end].text if end < len(sentence) else "."):
            objects = objects[:-1] or (objects if about_episodes else ())  # "uses A and B has", "uses the A storage"
        span = min(sentence[start].first, sentence[at[0]].first), max(w.stop for w in sentence[start:end])
        if about_episodes:
            heard = relation == "RELATED_EPISODE" or "HEAR" in row or "EPISODE" in row
            for other in objects:
                if other.kb_id_ or (heard and other.id_):
                    yield Span(doc, *span, relation, kb_id=other.kb_id_ or other.id_)
            return
        subjects = sentence[at[0]].names
        before = sentence[start - 1].text if start else ","
        if (_is_content(before) or before in _PREPOSITIONS) and sentence[start + 1].text != ",":
            subjects = subjects[1:][-1:]  # "the author of A uses", "the Acme A uses"
        for subject in subjects:
            for other in objects:
                if subject.id_ and other.id_ and subject.id_ != other.id_:
                    yield Span(doc, *span, relation, kb_id=other.id_, span_id=subject.id_)


def _ends(doc: Doc, i: int) -> bool:
    """Return whether a sentence, a line or an item of a list ends with a token."""
    text, after = doc[i].text, doc[i + 1 : i + 2].text
    if "\n" in text:
        before = doc[i - 1].lower_ if i else ""
        goes_on = before == "," or before in STOP_WORDS or after.islower()
        return text.count("\n") > 1 or after in _BULLETS or not goes_on
    return text[0] in ".!?…" and (doc[i].whitespace_ != "" or after.isspace()) and not after.islower()


def _sentences(doc: Doc, named: Sequence[Span]) -> Iterator[list[_Word]]:
    """Yield the sentences and list items. Names in a list are one word."""
    spans = {span.start: span for span in named}
    sentence: list[_Word] = []
    i = 0
    while i < len(doc):
        span, token = spans.get(i), doc[i]
        stop = span.end if span else i + 1
        if span and (span.id_ or span.kb_id_):
            last = len(sentence)
            while last and sentence[last - 1].text in _JOINING:
                last -= 1
            before, between = sentence[last - 1] if last else None, {word.text for word in sentence[last:]}
            episodes = bool(span.kb_id_ and before and before.names and before.names[-1].kb_id_)
            listed = before and 0 < len(before.names) < _LONGEST_SENTENCE  # a longer tuple would take quadratic time
            if before and listed and (episodes or (between and between <= words(", and or /"))):
                sentence[last - 1 :] = [_Word(_NAME, before.first, span.end, (*before.names, span))]
            else:
                sentence.append(_Word(_NAME, span.start, span.end, (span,)))
        elif not span and not token.is_space and token.text.strip("*_`\"'“”‘’"):
            sentence.append(_Word(token.lower_, i, stop))
        if (span and not (span.id_ or span.kb_id_)) or _ends(doc, stop - 1):
            yield sentence
            sentence = []
        i = stop
    yield sentence


def _is_content(word: str) -> bool:
    """Return whether a word is a content word, such as a noun or a verb."""
    return word in {_NAME, "'s", "’s"} or (word[0].isalnum() and word not in STOP_WORDS - _AUXILIARIES)


def _asserted(texts: Sequence[str], start: int, end: int, place: int) -> bool:
    """Return whether nothing near a match denies, doubts or retracts it."""
    begin = start
    while begin and texts[begin - 1] not in _MARKS:
        begin -= 1
    said = {*texts[begin:end], *texts[:2]}
    if place >= len(EPISODES):
        return said.isdisjoint(_DOUBTS)
    relation, row = EPISODES[place]
    if texts[start] in _ADVICE and start and texts[start - 1] not in _ADVISING:
        return False
    if texts[start] in {"start", "begin"} and texts[end : end + 1] and texts[end][0].isalnum():  # "with it in mind"
        return False
    own = set(re.split(r"[ |]", row))
    released = relation != "RELATED_EPISODE" and _RELEASING.search(" ".join([*texts[end:], ""]))
    return not released and said.isdisjoint(_NEGATIONS - own)
