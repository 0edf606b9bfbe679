"""What an address is (the contract's link types) and its one normal form, so that two episodes that cite it meet."""

import re
from collections.abc import Callable
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from graph.evidence import LinkType

# First match first. The patterns read "host/path?query" in lower case, without "www."; HUB is github.com/owner/name.
_HUB = r"github\.com/(?!orgs/|settings/|marketplace|features|apps/|topics/|sponsors/)[^/?]+/[^/?]+"
_RULES: tuple[tuple[LinkType, tuple[str, ...]], ...] = (
    ("rfc", (
        r"(?:raw\.)?github(?:usercontent)?\.com/[^/]+/(?:rfcs?|enhancements|peps)(?:/|$)",
        r"github\.com/numpy/numpy/blob/[^/]+/doc/neps/",
        r"numpy\.org/neps/|peps\.python\.org/|python\.org/dev/peps|rfc-editor\.org/|datatracker\.ietf\.org/doc/",
    )),
    ("github_code", (
        rf"{_HUB}/(?:blob|blame|raw|commits?|compare)(?:/|$)|{_HUB}/tree/[^/]+/[^/]",
        r"(?:raw|gist)\.github(?:usercontent)?\.com/",
    )),
    ("github_issue", (rf"{_HUB}/issues(?:/|\?|$)",)),
    ("github_pr", (rf"{_HUB}/pulls?(?:/|\?|$)",)),
    ("github_wiki", (rf"{_HUB}/wiki(?:/|$)",)),
    ("forum", (rf"{_HUB}/discussions(?:/|\?|$)|github\.com/orgs/[^/]+/discussions",)),
    ("github_repo", (rf"{_HUB}(?:/tree/[^/]+|/(?:releases|actions|tags|branches|projects)(?:/.*)?)?/?(?:\?.*)?$",)),
    ("google_doc", (r"(?:docs|drive|slides|sheets)\.google\.com/",)),
    ("video", (r"(?:[\w-]+\.)?(?:youtube|vimeo)\.com/|youtu\.be/|(?:[\w-]+\.)?twitch\.tv/",)),
    ("paper", (
        r"(?:[\w-]+\.)?(?:arxiv|semanticscholar|jmlr)\.org/|openreview\.net/|(?:dl\.acm|(?:dx\.)?doi|aclanthology)\.org/",
        r"ieeexplore\.ieee\.org/|(?:proceedings|papers)\.[\w.-]+/",
    )),
    ("episode", (
        r"[\w-]+\.simplecast\.com/episodes/|[^?]*/episodes?/[^/?]",
        r"(?:open\.)?spotify\.com/episode|podcasts\.apple\.com/.*[?&]i=|player\.fm/series/[^/]+/[^/]+|overcast\.fm/\+",
    )),
    ("forum", (
        r"(?:dev-)?(?:discuss|forums?|discourse|community|answers|lists)\.[\w.-]+/",
        r"(?:[\w-]+\.)?(?:stackoverflow|stackexchange|reddit|quora|superuser|serverfault)\.com/",
        r"news\.ycombinator\.com/|lobste\.rs/|groups\.google\.com/|[\w.-]+/(?:forums?|discussions?)/",
    )),
    ("blog", (
        r"(?:[\w-]*blogs?|engineering|medium|hackernoon)\.[\w.-]+/|(?:medium|substack)\.com/|dev\.to/",
        r"[\w-]+\.(?:medium|substack|wordpress|blogspot|tumblr|hashnode|ghost)\.[\w.]+/",
        r"[\w.-]+/(?:[\w-]*blogs?|posts?|weblog|news|articles?)(?:/|$)|[\w.-]+/(?:[^?]*/)?(?:19|20)\d\d/[01]\d/",
    )),
    ("paper", (r"[^?]+\.(?:pdf|ps)$",)),
    ("docs", (
        r"(?:docs?|documentation|cppdocs|manual|reference|api|man|learn)\.[\w.-]+/|[\w.-]+\.(?:readthedocs|rtfd)\.\w+/",
        r"(?:[\w-]+\.)?(?:cppreference|man7|kernel)\.(?:com|org)/",
        r"[\w.-]+/(?:[^?]*/)?(?:docs?|documentation|tutorials?|reference|manuals?|guides?|api|cppdocs|man\d?)(?:/|$|\.html)",
        r"pytorch\.org/(?!$|blog|news|events|community|foundation|features|about)[\w-]+",
    )),
)  # fmt: skip
_COMPILED = tuple((kind, re.compile("|".join(patterns))) for kind, patterns in _RULES)
_TRACKING = re.compile(r"utm_\w+|fbclid|gclid|ref_src|mc_[ce]id|igshid|si", re.I)


def link_type(url: str) -> LinkType:
    """The type the URL decides, by the first rule that fits; "other" where none does."""
    try:
        parts = urlsplit(url if "//" in url else f"//{url}")
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return "other"
    place = f"{host}{parts.path or '/'}".lower() + (f"?{parts.query.lower()}" if parts.query else "")
    return next((kind for kind, rule in _COMPILED if rule.match(place)), "other")


def normal(url: str) -> str:
    """One form for one thing: "pytorch/pytorch#130935" for a pull request or an issue (GitHub numbers them together),
    "pytorch/pytorch:c10/core/Device.h" for code on any branch, "arxiv:1410.0759" for a paper; otherwise host and path.
    """
    try:
        parts = urlsplit(url if "//" in url else f"//{url}")
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return url
    path = unquote(parts.path)
    for pattern, form in _FORMS:
        if m := pattern.match(f"{host}{path}"):
            return _SHAPES[form](*m.groups())
    if host == "youtube.com" and (video := dict(parse_qsl(parts.query)).get("v")):
        return f"youtube:{video}"
    kept = [(k, v) for k, v in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKING.fullmatch(k)]
    return host + path.rstrip("/") + (f"?{urlencode(sorted(kept))}" if kept else "")


_SHAPES: dict[str, Callable[..., str]] = {
    "number": lambda repo, number: f"{repo.lower()}#{number}",
    "code": lambda repo, path: f"{repo.lower()}:{path.rstrip('/')}",
    "wiki": lambda repo, page: f"{repo.lower()}/wiki/{page.rstrip('/')}",
    "repo": lambda repo: repo.lower().removesuffix(".git"),
    "arxiv": lambda paper: f"arxiv:{paper}",
    "google": lambda doc: f"google:{doc}",
    "youtube": lambda video: f"youtube:{video}",
}
_FORMS = tuple(
    (re.compile(pattern), form)
    for pattern, form in (
        (r"github\.com/([^/]+/[^/]+)/(?:issues|pull|discussions)/(\d+)(?:/|$)", "number"),
        (r"github\.com/([^/]+/[^/]+)/(?:blob|tree|blame|raw)/[^/]+/(.+)$", "code"),
        (r"raw\.githubusercontent\.com/([^/]+/[^/]+)/[^/]+/(.+)$", "code"),
        (r"github\.com/([^/]+/[^/]+)/wiki/([^/]+)", "wiki"),
        (r"github\.com/([^/]+/[^/]+?)/?$", "repo"),
        (r"(?:[\w-]+\.)?arxiv\.org/(?:abs|pdf|html)/(\d{4}\.\d{4,5})", "arxiv"),
        (r"(?:docs|drive)\.google\.com/.*/d/([\w-]{10,})", "google"),
        (r"(?:youtu\.be|youtube\.com/(?:embed|live|shorts))/([\w-]{6,})", "youtube"),
    )
)
