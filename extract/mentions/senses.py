"""Senses: words that are a term in one context and everyday English in another, told apart by their company.

A rule says in which company a word is *not* the term; it is about English, not about any vocabulary.
"""

import re
from typing import Final

_WINDOW = 40
_OUR = r"\b(?:my|our|your|his|her|their) "
_ONE = r"(?:an?|the|my|our|your|this|that|its|their)"
_PROJECT = rf" (?:of )?(?:{_ONE} )?(?:\S+ ){{0,3}}?(?:repo|repository|library|project|codebase|package)\b"
_ARTEFACT = r"(?:data|files?|symbols?|headers?|macros?|variables?|functions?|classes|metrics|goods|csv|json|pdf)\b"
_BACK = rf" (?:(?:it|them|this|that|{_ONE} \w+) )?back\b"
_OF_CODE = r"(?:in|of (?:the )?(?:code|size|cost|time|memory|overhead))\b"

# What may stand neither before the words nor behind them, next to them and in any case; "in_place" is two words.
RULES: Final[tuple[tuple[str, str, str], ...]] = (
    ("view", rf"{_OUR}|point of |\bin(?: \w+)? |\bto |high-level |overall |different ", " of the (?:world|field)"),
    ("view", r"\b(?:get|gets|give|gives|have|take|offers?) (?:\w+ )?an? (?:\w+ )?", rf" (?:it|them|{_ONE} \w+) as\b"),
    ("views", rf"{_OUR}|strong |political |different |page ", r" (?:on|about|it|them)\b"),
    ("hook", r"off the |\bto ", r" (?:up|into)\b"),
    ("hooks", "", r" (?:up|into)\b"),
    ("hook hooks",
     r"\b(?:React|git|commit|push|load|state_dict|import|audit|trac(?:e|ing)|FSDP|comm|communication|web) ", ""),
    ("schema schemas", r"\b(?:JSON|YAML|XML|SQL|database|protobuf|FlatBuffers?|GraphQL|config|log|export|graph|table) ",
     ""),
    ("codegen", r"\b(?:Inductor|Triton|LLVM|C\+\+|GPU|CPU|Clang|compiler|kernel)(?:'s)? ", ""),
    ("optimizer optimizers",
     r"\b(?:binary|code|loop|compiler|LLVM|query|peephole|bytecode|graph|link-time|C\+\+)(?:'s)? ", ""),
    ("differentiate differentiated differentiating", "", r" (?:between|from)\b"),
    ("reentrant", "", r" (?:lock|mutex|function|interrupt|code|call)s?\b"),
    ("guard", r"\boff |\bto |\bon ", r" against\b"),
    ("guards guarded guarding", "", r" against\b"),
    ("trace", r"without a |\bno ", rf"{_BACK}| amounts?\b"),
    ("traces traced tracing", "", _BACK),
    ("fork", rf"{_OUR}|\bGitHub |personal ", rf"{_PROJECT}| of\b| in the road\b"),
    ("forks forked forking", rf"{_OUR}|\bGitHub ", _PROJECT),
    ("spawn spawns spawned spawning", "", r" (?:(?:an?|the|more|new|many|several|\d+) )*(?:threads?|kernels?)\b"),
    ("export exports exported exporting", r"\bre-|\bimport/|\bimports? (?:and|or) ", rf" (?:\S+ ){{0,2}}?{_ARTEFACT}"),
    ("export exported", "", r" (?:from|by) (?:the |a |this )?(?:module|dll|library|header)\b"),
    ("export exports exported exporting", "", r" (?:\S+ ){0,3}?to (?:ONNX|Core ?ML|TensorRT|disk|an? file)\b"),
    ("export exports exported exporting", "", r" (?:\S+ ){0,2}?(?:reports?|tables?|charts?|results|notebooks?)\b"),
    ("scripting", r"\b(?:shell|bash|Lua|cross-site) ", r" (?:languages?|engines?|interfaces?|attacks?)\b"),
    ("lowering lower lowers lowered", r"\b(?:XLA|MLIR|LLVM|HLO|Triton|ExecuTorch|MPS)(?:'s)? ", ""),
    ("decomposition decompositions", r"\b(?:polynomial|spectral|singular|functional|domain) ", ""),
    ("overflow overflows", r"\b(?:stack|buffer|integer|heap|queue) ", ""),
    # Before most words it is a participle or an adjective: "distributed to all", "distributed programs".
    ("distributed", r"\b(?:\w+ly|be|being|are|were|been) ",
     r"\s(?!(?:APIs?|overview|package|module|library|stack|support|team|and|or|in|on|is|are|for|of|at|by|work|works?)\b)\w"),
    ("tries", "", r" (?:to|again|it|out)\b"),
    ("latency", r"\b(?:low|lower|high|higher|tail|less|more|commit|inference|request|launch|end-to-end|our|the|of) ",
     r" (?:of|from|by|at|for|under|in|on)\b"),
    ("rank", r"\b(?:low|full|matrix|tensor|high|higher|top)[ -]", r"-\d| (?:and file|them|it|by|polymorph\w*)\b"),
    ("rank ranks", "", r" of (?:an? |the )?(?:matrix|matrices|tensors?)\b"),
    ("ranks", r"\b(?:matrix|tensor|the higher) ", r" (?:among|as|first|high|higher)\b"),
    ("ranks", "", r" of (?!.{0,15}\b(?:group|job|mesh|world))"),
    ("barrier barriers", r"\b(?:memory|write|read|language|type|performance|cost|adoption|trade) ", r" to\b"),
    ("throughput", r"\b(?:training|inference|serving|request|maximum|peak|high|higher|better|more|reduced) ", ""),
    ("throughput", r"\b(?:increas(?:es?|ing)|improv(?:es?|ing)|reduc(?:es?|ing)|maximi[sz](?:es?|ing)|the) ", ""),
    ("attention", rf"{_OUR}|\b(?:pay|paying|paid|pays|more|special|close|much|draw|any|no|lots? of) ",
     r" to (?!heads?\b)"),
    ("reduction", r"\b(?:code|size|cost|cycle) ", rf" {_OF_CODE}"),
    ("reductions", r"\b(?:code|size|cost) ", r" in\b"),
    ("lower lowers", r"\b(?:the|an?|is|are|much|even) ", r"(?! (?:\S+ ){1,4}?(?:to|into)\b)"),
    ("decomposition decompositions", r"\b(?:LU|QR|value|eigen|eigenvalue|Cholesky|Schur|matrix|problem) ", ""),
    ("closure", r"\b(?:some|bring|transitive|issue) ", ""),
    ("invariant", r"\b(?:permutation|rotation|translation|shift|scale|batch|loop)[ -]", r" (?:to|under)\b"),
    ("alignment", r"\b(?:model|AI|sequence|human) ", r" (?:research|team|training)\b"),
    ("ownership", r"\b(?:code|take|takes|taking|took) ", r" (?:over|of (?:the |this )?(?:project|code|feature))\b"),
    ("profile profiles", r"\b(?:user|service|cluster|seccomp|public|my|your|his|her|their) ", ""),
    ("pooling", r"\b(?:memory|connection|thread|resource) ", r" (?:resources|memory|connections|threads)\b"),
    ("momentum", r"\b(?:gain|gained|gaining|lose|lost|project) ", r" (?:of the project|behind)\b"),
    ("callback", "", r" to (?:an?|the|our|that|last) (?:\w+ )?(?:episode|talk|joke)\b"),
    ("macro macros", r"\b(?:Rust|Lisp|Scheme|Julia|Elixir|procedural|spreadsheet) ", ""),
    ("macro", "", r"[ -](?:level|scale|view|perspective|benchmarks?)\b"),
    ("derivative", "", r" works?\b"),
    ("wheel", r"\b(?:reinvent(?:ing)? the|steering|big) ", ""),
    ("in_place", "", r" of\b"),
    ("conjunction", r"\bin ", ""),
    ("sync", r"\b(?:in|of|to) ", r" (?:with|up|to|from)\b"),
    ("landing", "", r" (?:page|zone)\b"),
    ("storage", r"\b(?:disk|cloud|file|object|persistent|external|blob) ", r" (?:service|system|bucket|space)\b"),
    ("activation", "", r" of\b"),
    ("seed seeds seeded", r"\bplant(?:ed)? ", r" (?:of|money|funding|round)\b"),
    ("binding bindings", r"\b(?:legally|key|variable) ", ""),
    ("backward backwards", r"\b(?:steps?|lean|bend|bent|going|work|works|worked|working|look|looking) ", "[- ]compat"),
    # "forward" is the pass only where nothing comes that it could modify, or "backward" does.
    ("forward",
     r"\b(?:look|looking|looks|moving|move|moved|going|go|way|steps?|straight|path|so|flows?|flow(?:ed|ing)) ",
     r"(?!\s*(?:[,.;:?!)/]|(?:and|or)\b|\Z))"),
    ("forward", r"\b(?:bring|put|carry|push|fast|it|them|this) ", ""),
    ("mock mocks mocked mocking", r"\bto ", r" (?:up|ups|interview)\b"),
    ("future", "", r" (?:work|directions?|plans?|of|reading|episodes?|versions?|proof)\b"),
    ("adam", "", r" (?-i:[A-Z][a-z]+|[A-Z]\.)"),
    ("async", "", r"(?:/await| def| with)\b"),
    ("tls", r"\b(?:SSL/|SSL or |mutual |over ) ?", r" (?:1\.\d|certificates?|handshakes?|encryption|connections?)\b"),
    ("turing", r"\bAlan ", r"[ -](?:machines?|tests?|award|complete\w*)\b"),
    ("pascal", r"\b(?:Blaise|Turbo|Object|written in) ", r" ?(?:compilers?|language|programs?|case|strings?)\b"),
    ("maxwell kepler", r"\b(?:James|Clerk|Johannes) ", r"['’]s\b| (?:equations?|distributions?|laws?)\b"),
    ("target", r"\b(?:to|can|should|that|which|we) ", rf" (?:{_ONE}|audience|date|both|different|multiple)\b"),
    ("targets", r"\b(?:it|that|which|also) ", rf" (?:{_ONE}|both|different|multiple)\b"),
    ("event events", r"\b(?:any|the|all|current|some|social) ", r" (?:loop|of)\b"),
    ("stream streams", r"\b(?:output|input|file|byte|live|token|instruction|steady) ", r" of\b"),
    ("template templates", r"\b(?:issue|email|PR|jinja) ", ""),
    ("pool", r"\b(?:max|average|swimming) ", ""),
    ("layout layouts", r"\b(?:page|keyboard|folder|directory|repo|repository|code) ", ""),
)  # fmt: skip


def _by_word() -> dict[str, list[tuple[re.Pattern[str], re.Pattern[str]]]]:
    rules: dict[str, list[tuple[re.Pattern[str], re.Pattern[str]]]] = {}
    for words, before, after in RULES:
        patterns = re.compile(rf"(?:{before or '(?!)'})\Z", re.I), re.compile(after or "(?!)", re.I)
        for word in words.split():
            rules.setdefault(word.replace("_", " "), []).append(patterns)
    return rules


_BY_WORD = _by_word()


def is_everyday(text: str, start: int, end: int) -> bool:
    """Return whether text[start:end], a word that can be a term, is everyday English where it stands.

    >>> is_everyday("in my view", 6, 10), is_everyday("a view of a tensor", 2, 6)
    (True, False)
    """
    rules = _BY_WORD.get(text[start:end].lower())
    return rules is not None and any(
        before.search(text[max(0, start - _WINDOW) : start]) or after.match(text[end : end + _WINDOW])
        for before, after in rules
    )
