"""The type of an address, and its normal form, by which two episodes that cite one page are connected."""

import re
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from torchatlas.graph.values.findings import LinkType

# First match first. The patterns read "host/path?query" in lower case, without "www."; HUB is github.com/owner/name.
_HUB = r"github\.com/(?!orgs/|settings/|marketplace|features|apps/|topics/|sponsors/)[^/?]+/[^/?]+"
_RULES: tuple[tuple[LinkType, tuple[str, ...]], ...] = (
    ("rfc", (
        r"(?:raw\.)?github(?:usercontent)?\.com/[^/]+/(?:rfcs?|enhancements|peps)(?:/|$)",
        r"github\.com/numpy/numpy/blob/[^/]+/doc/neps/",
        r"numpy\.org/neps/|docs\.scipy\.org/doc/numpy/neps/|peps\.python\.org/|(?:legacy\.)?python\.org/dev/peps",
        r"(?:[\w-]+\.)?rfc-editor\.org/|datatracker\.ietf\.org/doc/|tools\.ietf\.org/html/|[\w.-]+\.github\.io/rfcs/",
    )),
    ("github_code", (
        rf"{_HUB}/(?:blob|blame|raw|commits?|compare)(?:/|$)|{_HUB}/tree/[^/]+/[^/]",
        r"(?:raw|gist)\.github(?:usercontent)?\.com/",
    )),
    ("github_issue", (rf"{_HUB}/issues(?:/|\?|$)",)),
    ("github_pr", (rf"{_HUB}/pulls?(?:/|\?|$)",)),
    ("github_wiki", (rf"{_HUB}/wiki(?:/|$)|{_HUB}\.wiki(?:\.git)?/?$",)),
    ("forum", (rf"{_HUB}/discussions(?:/|\?|$)|github\.com/orgs/[^/]+/discussions",)),
    ("github_repo", (rf"{_HUB}(?:/tree/[^/]+|/(?:releases|actions|tags|branches|projects)(?:/.*)?)?/?(?:\?.*)?$",)),
    ("profile", (
        r"github\.com/[\w-]+/?$|(?:gitlab|codeberg)\.(?:com|org)/[\w-]+/?$|[^?]*/@[\w.-]+/?$",
        r"(?:mobile\.)?(?:twitter|x|facebook|instagram|threads|patreon|ko-fi)\.(?:com|net)/[\w.-]+/?(?:\?.*)?$",
        r"(?:[\w-]+\.)?linkedin\.com/(?:in|company)/|bsky\.app/profile/[^/]+/?$",
    )),
    ("google_doc", (r"(?:docs|drive|slides|sheets)\.google\.com/",)),
    ("video", (r"(?:[\w-]+\.)?(?:youtube|vimeo)\.com/|youtu\.be/|(?:[\w-]+\.)?(?:twitch\.tv|bilibili\.com)/",)),
    ("paper", (
        r"(?:[\w-]+\.)?(?:arxiv|semanticscholar|jmlr)\.org/|openreview\.net/|(?:dl\.acm|(?:dx\.)?doi|aclanthology)\.org/",
        r"ieeexplore\.ieee\.org/|(?:proceedings|papers)\.[\w.-]+/|ar5iv\.org/|usenix\.org/.*/presentation/|nature\.com/",
        r"(?:link\.springer|sciencedirect|researchgate|paperswithcode)\.\w+/",
    )),
    ("episode", (
        r"[\w-]+\.simplecast\.com/episodes/|[^?]*/episodes?/[^/?]",
        r"(?:open\.)?spotify\.com/episode|podcasts\.apple\.com/.*[?&]i=|player\.fm/series/[^/]+/[^/]+|overcast\.fm/\+",
    )),
    ("forum", (
        r"(?:dev-)?(?:discuss|forums?|discourse|community|answers|lists)\.[\w.-]+/",
        r"(?:[\w-]+\.)?(?:stackoverflow|stackexchange|reddit|quora|superuser|serverfault)\.com/",
        r"news\.ycombinator\.com/|lobste\.rs/|groups\.google\.com/|mail\.python\.org/|[\w.-]+/(?:forums?|discussions?)/",
    )),
    ("blog", (
        r"(?:[\w-]*blogs?|engineering|medium|hackernoon)\.[\w.-]+/|(?:medium|substack)\.com/|dev\.to/|[\w.-]*blog\.\w+/",
        r"[\w-]+\.(?:medium|substack|wordpress|blogspot|tumblr|hashnode|ghost)\.[\w.]+/",
        r"[\w.-]+/(?:[\w-]*blogs?|posts?|weblog|news|articles?)(?:/|$)|[\w.-]+/(?:[^?]*/)?(?:19|20)\d\d/(?:[01]\d|[a-z]{3})/",
    )),
    ("paper", (r"[^?]+\.(?:pdf|ps)$",)),
    ("docs", (
        r"(?:docs?|documentation|cppdocs|manual|reference|api|man|learn)\.[\w.-]+/|[\w.-]+\.(?:readthedocs|rtfd)\.\w+/",
        r"(?:[\w-]+\.)?(?:cppreference|man7|kernel|tensorflow|triton-lang|bazel|buck2?)\.(?:com|org|build)/",
        r"[\w.-]+/(?:[^?]*/)?(?:(?:online)?docs?|documentation|tutorials?|reference|manuals?|guides?|help|api|cppdocs|dox|man\d?)(?:/|$|\.html)",
        r"pytorch\.org/(?!$|blog|news|events|community|foundation|features|about)[\w-]+",
    )),
)  # fmt: skip
_COMPILED = tuple((kind, re.compile("|".join(patterns))) for kind, patterns in _RULES)
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
    """Return the same form for every address of one thing; otherwise host, path and query without tracking.

    >>> normal("https://github.com/pytorch/pytorch/pull/130935")  # GitHub numbers issues and pull requests together
    'pytorch/pytorch#130935'
    >>> normal("https://github.com/pytorch/pytorch/blob/main/c10/core/Device.h")
    'pytorch/pytorch:c10/core/Device.h'
    >>> normal("http://www.arxiv.org/pdf/1410.0759.pdf")
    'arxiv:1410.0759'
    """
    if not (parts := _parts(url)):
        return url
    host, path, query = parts[0], unquote(parts[1]), parts[2]
    for pattern, form in _FORMS:
        if m := pattern.match(f"{host}{path}"):
            rest = {name: part.rstrip("/") for name, part in m.groupdict().items()}
            return form.format_map(rest | {"repo": rest.get("repo", "").lower()})
    if host.endswith("youtube.com") and (video := dict(parse_qsl(query)).get("v")):
        return f"youtube:{video}"
    kept = [(k, v) for k, v in parse_qsl(query, keep_blank_values=True) if not _TRACKING.fullmatch(k)]
    return host + path.rstrip("/") + (f"?{urlencode(sorted(kept))}" if kept else "")


def _parts(url: str, *, deep: bool = True) -> tuple[str, str, str] | None:
    """Return host with port, path and query; of a page that only redirects, those of its target if `deep`."""
    try:
        parts = urlsplit(url if "//" in url.partition("?")[0] else f"//{url}")
        port = f":{parts.port}" if parts.port not in (None, 80, 443) else ""
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return None
    if deep and _REDIRECTS.fullmatch(f"{host}{parts.path}"):
        asked = dict(parse_qsl(parts.query))
        if "//" in (target := asked.get("q") or asked.get("url") or asked.get("u") or ""):
            return _parts(target, deep=False)
    return host + port, parts.path, parts.query


_REPO = r"(?P<repo>[^/]+/[^/]+)"
_PAGES = (
    (rf"github\.com/{_REPO}/(?:issues|pull|discussions)/(?P<number>\d+)(?:/|$)", "{repo}#{number}"),
    (rf"github\.com/{_REPO}/(?:blob|tree|blame|raw)/[^/]+/(?P<path>.+)$", "{repo}:{path}"),
    (rf"raw\.githubusercontent\.com/{_REPO}/[^/]+/(?P<path>.+)$", "{repo}:{path}"),
    (rf"github\.com/{_REPO}/wiki/(?P<page>[^/]+)", "{repo}/wiki/{page}"),
    (r"github\.com/(?P<repo>[^/]+/[^/]+?)(?i:\.git)?/?$", "{repo}"),
    (rf"github\.com/{_REPO}/(?P<rest>.+)$", "{repo}/{rest}"),
    (r"(?:docs\.)?pytorch\.org/docs/[^/]+/(?P<page>.+)$", "pytorch.org/docs/{page}"),
    (r"stackoverflow\.com/(?:questions|q)/(?P<number>\d+)(?:/|$)", "stackoverflow:{number}"),
    (r"(?:[\w-]+\.)*(?:arxiv|ar5iv)\.org/(?:abs|pdf|html)/(?P<paper>\d{4}\.\d{4,5}|[a-z.-]+/\d{7})", "arxiv:{paper}"),
    (r"(?:docs|drive)\.google\.com/.*/d/(?P<doc>[\w-]{10,})", "google:{doc}"),
    (r"(?:youtu\.be|(?:[\w-]+\.)?youtube(?:-nocookie)?\.com/(?:embed|live|shorts))/(?P<id>[\w-]{6,})", "youtube:{id}"),
)  # fmt: skip
_FORMS = tuple((re.compile(pattern), form) for pattern, form in _PAGES)
