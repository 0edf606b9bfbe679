"""Addresses in texts and hyperlinks: their words, types and normal forms."""

import re
from bisect import bisect_right
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from torchatlas.extract.text import Text
from torchatlas.graph.findings import FoundLink, LinkType

# First match first, on lower-case "host/path?query". HUB: github.com/owner/name.
_HUB = r"github\.com/(?!orgs/|settings/|marketplace|features|apps/|topics/|sponsors/)[^/?]+/[^/?]+"
_RULES: tuple[tuple[LinkType, str], ...] = (
    ("rfc", r"(?:raw\.)?github(?:usercontent)?\.com/[^/]+/(?:rfcs?|enhancements|peps)(?:/|$)"),
    ("rfc", r"github\.com/numpy/numpy/blob/[^/]+/doc/neps/|numpy\.org/neps/|docs\.scipy\.org/doc/numpy/neps/"),
    ("rfc", r"peps\.python\.org/|(?:legacy\.)?python\.org/dev/peps|(?:[\w-]+\.)?rfc-editor\.org/"),
    ("rfc", r"datatracker\.ietf\.org/doc/|tools\.ietf\.org/html/|[\w.-]+\.github\.io/rfcs/"),
    ("github_code", rf"{_HUB}/(?:blob|blame|raw|commits?|compare)(?:/|$)|{_HUB}/tree/[^/]+/[^/]"),
    ("github_code", r"(?:raw|gist)\.github(?:usercontent)?\.com/"),
    ("github_issue", rf"{_HUB}/issues(?:/|\?|$)"),
    ("github_pr", rf"{_HUB}/pulls?(?:/|\?|$)"),
    ("github_wiki", rf"{_HUB}/wiki(?:/|$)|{_HUB}\.wiki(?:\.git)?/?$"),
    ("forum", rf"{_HUB}/discussions(?:/|\?|$)|github\.com/orgs/[^/]+/discussions"),
    ("github_repo", rf"{_HUB}(?:/tree/[^/]+|/(?:releases|actions|tags|branches|projects)(?:/.*)?)?/?(?:\?.*)?$"),
    ("profile", r"github\.com/[\w-]+/?$|(?:gitlab|codeberg)\.(?:com|org)/[\w-]+/?$|[^?]*/@[\w.-]+/?$"),
    ("profile", r"(?:mobile\.)?(?:twitter|x|facebook|instagram|threads)\.(?:com|net)/[\w.-]+/?(?:\?.*)?$"),
    ("profile", r"(?:mobile\.)?(?:patreon|ko-fi)\.(?:com|net)/[\w.-]+/?(?:\?.*)?$"),
    ("profile", r"(?:[\w-]+\.)?linkedin\.com/(?:in|company)/|bsky\.app/profile/[^/]+/?$"),
    ("google_doc", r"(?:docs|drive|slides|sheets)\.google\.com/"),
    ("video", r"(?:[\w-]+\.)?(?:youtube|vimeo)\.com/|youtu\.be/|(?:[\w-]+\.)?(?:twitch\.tv|bilibili\.com)/"),
    ("paper", r"(?:[\w-]+\.)?(?:arxiv|semanticscholar|jmlr)\.org/|openreview\.net/|ar5iv\.org/|nature\.com/"),
    ("paper", r"(?:dl\.acm|(?:dx\.)?doi|aclanthology)\.org/|ieeexplore\.ieee\.org/|(?:proceedings|papers)\.[\w.-]+/"),
    ("paper", r"usenix\.org/.*/presentation/|(?:link\.springer|sciencedirect|researchgate|paperswithcode)\.\w+/"),
    ("episode", r"[\w-]+\.simplecast\.com/episodes/|[^?]*/episodes?/[^/?]|(?:open\.)?spotify\.com/episode"),
    ("episode", r"podcasts\.apple\.com/.*[?&]i=|player\.fm/series/[^/]+/[^/]+|overcast\.fm/\+"),
    ("forum", r"(?:dev-)?(?:discuss|forums?|discourse|community|answers|lists)\.[\w.-]+/"),
    ("forum", r"(?:[\w-]+\.)?(?:stackoverflow|stackexchange|reddit|quora|superuser|serverfault)\.com/"),
    ("forum", r"news\.ycombinator\.com/|lobste\.rs/|groups\.google\.com/|mail\.python\.org/"),
    ("forum", r"[\w.-]+/(?:forums?|discussions?)/"),
    ("blog", r"(?:[\w-]*blogs?|engineering|medium|hackernoon)\.[\w.-]+/|(?:medium|substack)\.com/|dev\.to/"),
    ("blog", r"[\w.-]*blog\.\w+/|[\w-]+\.(?:medium|substack|wordpress|blogspot|tumblr|hashnode|ghost)\.[\w.]+/"),
    ("blog", r"[\w.-]+/(?:[\w-]*blogs?|posts?|weblog|news|articles?)(?:/|$)"),
    ("blog", r"[\w.-]+/(?:[^?]*/)?(?:19|20)\d\d/(?:[01]\d|[a-z]{3})/"),
    ("paper", r"[^?]+\.(?:pdf|ps)$"),
    ("docs", r"(?:docs?|documentation|cppdocs|manual|reference|api|man|learn)\.[\w.-]+/"),
    ("docs", r"[\w.-]+\.(?:readthedocs|rtfd)\.\w+/"),
    ("docs", r"(?:[\w-]+\.)?(?:cppreference|man7|kernel|tensorflow|triton-lang|bazel|buck2?)\.(?:com|org|build)/"),
    ("docs", r"[\w.-]+/(?:[^?]*/)?(?:(?:online)?docs?|documentation|tutorials?|reference|manuals?)(?:/|$|\.html)"),
    ("docs", r"[\w.-]+/(?:[^?]*/)?(?:guides?|help|api|cppdocs|dox|man\d?)(?:/|$|\.html)"),
    ("docs", r"pytorch\.org/(?!$|blog|news|events|community|foundation|features|about)[\w-]+"),
)
_COMPILED = tuple((kind, re.compile(rule)) for kind, rule in _RULES)
_REDIRECTS = re.compile(r"(?:[\w-]+\.)?(?:google\.[a-z.]+/url|youtube\.com/redirect|facebook\.com/l\.php)")
_TRACKING = re.compile(r"utm_\w+|fbclid|gclid|ref_src|mc_[ce]id|igshid|si", re.I)


def link_type(url: str) -> LinkType:
    """Return the type of a URL by the first rule that fits; "other" if none does.

    >>> link_type("https://github.com/pytorch/pytorch/blob/main/c10/core/Device.h")
    'github_code'
    """
    if not (parts := _parts(url)):
        return "other"
    host, path, query = parts
    place = f"{host.partition(':')[0]}{path or '/'}".lower() + (f"?{query.lower()}" if query else "")
    return next((kind for kind, rule in _COMPILED if rule.match(place)), "other")


def normal(url: str) -> str:
    """Return one form for all addresses of a thing; others without tracking.

    >>> normal("https://github.com/pytorch/pytorch/pull/130935")
    'pytorch/pytorch#130935'
    """
    if not (parts := _parts(url)):
        return url
    host, path, query = parts[0], unquote(parts[1]), parts[2]
    for pattern, form in _FORMS.items():
        if m := re.match(pattern, f"{host}{path}"):
            rest = {name: part.rstrip("/") for name, part in m.groupdict().items()}
            return form.format_map(rest | {"repo": rest.get("repo", "").lower()})
    if host.endswith("youtube.com") and (video := dict(parse_qsl(query)).get("v")):
        return f"youtube:{video}"
    kept = [(k, v) for k, v in parse_qsl(query, keep_blank_values=True) if not _TRACKING.fullmatch(k)]
    return host + path.rstrip("/") + (f"?{urlencode(sorted(kept))}" if kept else "")


def _parts(url: str, *, deep: bool = True) -> tuple[str, str, str] | None:
    """Return host with port, path and query; of a redirect, its target's."""
    try:
        parts = urlsplit(url if "//" in url.partition("?")[0] else f"//{url}")
        port = f":{parts.port}" if parts.port not in (None, 80, 443) else ""
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return None
    asked = dict(parse_qsl(parts.query)) if deep and _REDIRECTS.fullmatch(f"{host}{parts.path}") else {}
    target = asked.get("q") or asked.get("url") or asked.get("u") or ""
    return _parts(target, deep=False) if "//" in target else (host + port, parts.path, parts.query)


_REPO = r"(?P<repo>[^/]+/[^/]+)"
_FORMS = {
    rf"github\.com/{_REPO}/(?:issues|pull|discussions)/(?P<number>\d+)(?:/|$)": "{repo}#{number}",
    rf"github\.com/{_REPO}/(?:blob|tree|blame|raw)/[^/]+/(?P<path>.+)$": "{repo}:{path}",
    rf"raw\.githubusercontent\.com/{_REPO}/[^/]+/(?P<path>.+)$": "{repo}:{path}",
    rf"github\.com/{_REPO}/wiki/(?P<page>[^/]+)": "{repo}/wiki/{page}",
    r"github\.com/(?P<repo>[^/]+/[^/]+?)(?i:\.git)?/?$": "{repo}",
    rf"github\.com/{_REPO}/(?P<rest>.+)$": "{repo}/{rest}",
    r"(?:docs\.)?pytorch\.org/docs/[^/]+/(?P<page>.+)$": "pytorch.org/docs/{page}",
    r"stackoverflow\.com/(?:questions|q)/(?P<number>\d+)(?:/|$)": "stackoverflow:{number}",
    r"(?:[\w-]+\.)*(?:arxiv|ar5iv)\.org/(?:abs|pdf|html)/(?P<paper>\d{4}\.\d{4,5}|[a-z.-]+/\d{7})": "arxiv:{paper}",
    r"(?:docs|drive)\.google\.com/.*/d/(?P<doc>[\w-]{10,})": "google:{doc}",
    r"(?:youtu\.be|(?:[\w-]+\.)?youtube(?:-nocookie)?\.com/(?:embed|live|shorts))/(?P<id>[\w-]{6,})": "youtube:{id}",
}
"""Patterns of "host/path", and the form of what they find. The first that fits counts."""
_ADDRESS = r"""[^\s<>"“”„«»‹›`\x00-\x1f…—•→，。；（）「」]"""
_SITES = r"github\.com/|arxiv\.org/|pytorch\.org/|youtu\.be/|youtube\.com/|docs\.google\.com/|numpy\.org/"
_URL = re.compile(
    rf"(?:https?://|(?<![\w@/.])www\.(?=\w)|(?<![\w@/.:=-])(?:[\w-]{{1,60}}\.)?(?:{_SITES})(?=\w)){_ADDRESS}+", re.I
)
# Where one address runs into the next. A path or a query may hold another address.
_GLUED = re.compile(r"(?<=[^/=?&#:])https?://", re.I)
_SENTENCE_MARKS = ".,;:!?'’‘*|·–、！？："
_OPENING = {")": "(", "]": "[", "}": "{"}
_SCHEME = re.compile(r"^(?:https?:)?//(?:www\.)?|^www\.", re.I)
_JOINT = re.compile(r"\W*(?:and|or|also|see|und|et|y)?\W*", re.I)
_NUMBER = re.compile(r"\W*(?:\d{1,3}|[ivx]{1,4})\W*", re.I)
LONGEST_LABEL = 120


def url_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of addresses in a text, without closing punctuation.

    >>> url_spans("See (https://example.org/a).")
    [(5, 26)]
    """
    if "/" not in text and "www." not in text.lower():  # as in most texts
        return []
    spans = []
    for match in _URL.finditer(text):
        starts = [match.start(), *(glued.start() for glued in _GLUED.finditer(text, match.start() + 1, match.end()))]
        spans += [(a, _end(text, a, b)) for a, b in zip(starts, [*starts[1:], match.end()], strict=True)]
    return [(a, b) for a, b in spans if re.search(r"\w", text[a + 8 : b]) or text[a : a + 4].lower() != "http"]


def find_links(source: Text) -> tuple[FoundLink, ...]:
    """Return the links in order, each once, labelled by anchor or words nearby.

    >>> find_links(Text("PR: https://github.com/pytorch/rfcs/pull/1."))[0].type
    'rfc'
    """
    text, spans = source.text, url_spans(source.text)
    anchors = sorted((a for a in source.anchors if re.match(r"(?:https?:)?//\w", a.href, re.I)), key=lambda a: a.start)
    found: list[tuple[int, str, str]] = []
    previous, label = 0, ""
    for (start, end), following in zip(spans, [*(a for a, _ in spans[1:]), None], strict=False):
        before = text[previous:start]
        own = _label(before) or _label_behind(text[end : following or end + 200])
        label = own or (label if previous and _JOINT.fullmatch(before) else "")
        place = bisect_right(anchors, start, key=lambda a: a.start)
        around = anchors[place - 1] if place else None
        # An address printed in its own anchor, perhaps cut short.
        printed, whole = (_SCHEME.sub("", url) for url in (text[start:end], around.href if around else ""))
        if not (around and start < around.end and printed and whole.startswith(printed)):
            found.append((start, text[start:end], label))
        previous = end
    for anchor in anchors:
        words = " ".join(text[anchor.start : anchor.end].split())
        if not words or re.search(r"\S*://\S*|www\.\S*", words, re.I):
            words = _label(text[max(0, anchor.start - 300) : anchor.start]) or _label_behind(text[anchor.end :][:200])
        found.append((anchor.start, anchor.href, words[:LONGEST_LABEL]))
    links: dict[str, FoundLink] = {}
    for _, url, words in sorted(found, key=lambda f: f[0]):
        if url not in links or (words and not links[url].label):
            links[url] = FoundLink(url, link_type(url), label=words, id=normal(url))
    return tuple(links.values())


def _end(text: str, start: int, end: int) -> int:
    """Return where the address ends, before closing marks and brackets."""
    url = text[start:end]
    stop, unopened = len(url), {end: url.count(end) - url.count(begin) for end, begin in _OPENING.items()}
    while stop and (url[stop - 1] in _SENTENCE_MARKS or unopened.get(url[stop - 1], 0) > 0):
        stop -= 1
        if url[stop] in unopened:
            unopened[url[stop]] -= 1
    emphasised = start and stop and text[start - 1] in "_~" and url[stop - 1] == text[start - 1]
    return start + stop - bool(emphasised)


def _label(before: str) -> str:
    """Return the words between the last break and the address."""
    if markdown := re.search(r"\[([^\[\]\n]+)\]\($", before[-400:]):
        return " ".join(markdown[1].split())[:LONGEST_LABEL]
    words = re.split(r"\n|[•·]|(?<=\s)[-–—*](?=\s)|[.!?…](?=\s)", before[-400:])[-1]
    words = re.sub(r"^\W*(?:and|or)\s+", "", " ".join(words.split()), flags=re.I)
    words = re.sub(r"^[\s)\]},;:]+|[\s(\[{:,;–—-]+$", "", words)
    if not re.search(r"[^\W_]", words) or _JOINT.fullmatch(words) or _NUMBER.fullmatch(words):
        return ""
    if len(words) <= LONGEST_LABEL:
        return words
    kept = words[-LONGEST_LABEL - 1 :]
    return kept.partition(" ")[2] or kept[1:]  # whole words


def _label_behind(following: str) -> str:
    """Return the words after an address that explain it: "https://... - the guide"."""
    found = re.match(r"[)\]>*_]*(?:\s*[—–:|]\s+|\s+-\s+|\s*\()([^\n()•<>]{2,160})", following)
    return " ".join(re.split(r"[.!?](?:\s|$)", found[1])[0].split())[:LONGEST_LABEL] if found else ""
