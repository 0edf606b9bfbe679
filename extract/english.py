"""English: the words that are too common to be names, those that programmers cut short, and regular inflection."""

import re
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path


def words(text: str) -> frozenset[str]:
    """Return the words of a list that is written as one string.

    >>> sorted(words("pin map tag"))
    ['map', 'pin', 'tag']
    """
    return frozenset(text.split())


_SPACY = find_spec("spacy")
_FILE = Path((_SPACY and _SPACY.origin) or "").parent / "lang" / "en" / "stop_words.py"
STOP_WORDS = frozenset[str](run_path(str(_FILE))["STOP_WORDS"])
"""spaCy's everyday words in lower case, read from their own file: to import them loads all of spaCy."""

UBIQUITOUS = words(
    """pytorch python c++ c haskell linux github nvidia yaml grep cpu cpus gpu gpus tensor tensors operator
    operators op ops operation operations function functions graph graphs kernel kernels pass passes node nodes
    model models module modules parameter parameters batch batches inference compile compiles compiled compiling
    compiler compilers compilation thread threads device devices memory dtype dtypes namespace namespaces
    constraint constraints api apis framework frameworks library libraries build builds test tests testing debug
    debugging optimization optimizations metadata runtime runtimes convolution convolutions matmul matmuls git docs
    documentation issue issues pr prs rfc rfcs nep neps llm llms"""
) | {"pull request", "pull requests"}
"""Words of the whole domain, and operators that serve as examples. They count only inside a longer term."""

NO_VERB = words(
    """compile generate split save normalize normalise break optimize optimise organize organise train test build
    debug program process work stage name order load cast land index log stream time learn mean bind read write
    meet pool layer share bucket str spring hook thread checkpoint inline tile seed forward backward vendor
    cache lock version subclass rebase slice hash compress trie"""
)
"""Verbs that are everyday even where the noun made from them is a term."""

NOUN_AND_VERB = words("leak launch reuse")
"""Heads that are verbs too, with the word before them as their object: a memory leak, it leaks memory."""

EVERYDAY = NO_VERB | words(
    """batch batches script scripts schedule schedules viewed viewing variable variables type types storage
    storages buffer buffers node nodes loop loops scheduling scheduled generator generators sampler samplers event
    events stream streams scalar scalars list lists symbol symbols block blocks item items data rank ranks gil was
    mast rest main boxed boxes box trees hub heads target object objects value values reader writer store stores
    future futures works worker context contexts reduce guard scope zero fold folds thrust linen reducer public
    private interface sharp lamb bolt dwarf magma neon spark sparks storm arrow ray rays raid raids yarn yarns gist
    gists rope ropes bios aries thrift airflow homebrew pulsar pulsars polar"""
)
"""Words that mean something else unless they are written as the name is. No verb form is derived from them."""

QUALIFIERS = words("pytorch python c++ tensor nvidia intel github")
"""Words before a term that add nothing if the term alone means the same."""

EMPTY_HEADS = words(
    """api design architecture mechanism process problem mismatch idea proposal documentation mechanics semantics
    overview behavior behaviour code support call regime class classes computation formulas macro"""
)
"""Words behind a term that add nothing if the term alone means the same."""

VAGUE = words(
    """default single multiple several new old other same different various whole entire full many more most own main
    basic simple good better best big small large high low fast slow next last first second previous current actual
    real normal standard regular common general generic special specific certain particular available possible
    existing extra additional original final initial individual respective corresponding underlying necessary
    required needed used given called known named set get use using run running call high-speed high-performance
    high-performing high-level low-level high-quality high-end low-cost low-overhead well-known well-defined
    large-scale open-source in-house stand-alone standalone easy-to-use state-of-the-art up-to-date third-party
    efficient inefficient robust seamless convenient sufficient frequent subsequent significant relevant recent heavy
    higher highest lowest earlier earliest later latest greater greatest larger largest smaller smallest faster fastest
    slower slowest longer longest shorter shortest newer newest older oldest optimal suboptimal complete correct
    incorrect careful comprehensive elegant novel scalable reliable flexible reusable composable handy trivial
    nontrivial non-trivial fancy upcoming planned proposed official unofficial surrounding enclosing unrelated
    dissimilar identical unequal spare remaining leftover resulting performant production-ready cutting-edge"""
)
"""Words before a term that tell nothing of its kind."""

VAGUE_HEADS = words(
    """object test error system structure thread training inference device memory process application user framework
    compilation number size order argument call code python input output case data value result name issue problem
    author team project community support feature performance speed task job work step stage part thing way effort
    implementation development developer ecosystem world hardware option parameter setting point example tool utility
    program software script section overview guide tutorial documentation level variable time machine experience
    expert ai lab engineer side logic information run use usage trick api design"""
)
"""Words behind a term that make no other term of it, though they end some names."""

COMMON = words(
    """able abstract actual added adding adds advanced advantage ago aka ala allow allowed allowing allows answer
    answers apart applied approach approaches article ask asked asks aspect aspects attempt attempts author available
    avoid away bad banter based basic basics begin begins behave behaves believe beneath benefit best better big bit
    blog book books breaks bring brings broken build builds built buy called calling calls came care case cases cause
    causes certain challenge challenges change changed changes chapter chat cheap check choice choose clear close
    closing come comes coming common community company compare compared complex complicated conclusion conclusions
    conference consider contact contain contains continue conversation cool correct cost costs couple course cover
    covered covering covers create created creates creating current day days deal decide decided dedicated deep demo
    demos depend depends design detail details develop developed developer developers difference different difficult
    discord discuss discussed discusses discussing discussion dive download easier easiest easy effort end ends
    engineer engineers enjoy ensure entire episode episodes etc event everyday exact example examples excited exist
    exists expect expensive experience explain explained explaining explains explanation explore explores extra
    facebook fact fail fails famous farewell fast faster favorite feature features feed feel feels figure final find
    finds fine finish fit fix fixed focus follow followed following follows forget form found free fresh friday fun
    future gave general gets getting given gives giving goal goes going good goodbye got great guest guests guide half
    hand happen happened happening happens hard harder hear heard hello help helped helps hi high history hit hold
    holds home hope host hosts hour hours housekeeping huge idea ideas imagine implement implemented implementing
    implements important improve improved improvement improvements include included includes including information
    inside instagram instead intended interest interested interesting interview intro introduce introduced introduces
    introducing introduction introductions intros invented involve involving issue issues january join joined joins
    june keeps kept kind kinds knew know known knows large larger late later latest lead leads learn learned learning
    learns leave left let lets life like limit limited lines link linkedin links listen listener listeners little live
    lives long longer look looked looking looks lose lot lots love low main major makes making manage mastodon matter
    matters maybe mean means meant meet meeting mention mentioned mentions middle mind minus minute minutes miss
    modern moment monday money month months morning motivation moved moves named names natural near need needed needs
    new newer news nice night note notes number numbers obvious occur occurred occurs october old older online open
    opened order original output outro outros overview pages paper papers particular parting parts past patreon people
    person philosophy pick place plan plans play plus podcast point points popular possible post posts powerful
    practical practice prefer present pretty prevent previous problem problems produce produces product program
    project projects proper provide provided provides publish published pull purpose puts question questions quick
    rating reach read reader readers reading reads ready real reason reasons recap recent record recorded recording
    reduce reference references related release released remain remember remove removed report request require
    required requires rest result results return returns review rewrite rid right roadmap role room rule run running
    runs said save saw saying says season second seen sense sent sentence series set sets share shares short shown
    shows similar simple simpler single site size slides slow slower small smaller software solution solutions solve
    solved solves sort sound sounds speak speaker special specific spend spent sponsor start started starting starts
    stay step steps stop stories story stuff subject subscribe suggest summary sunday support supported supporting
    supports sure surprising taken takes taking talk talked talking talks teach team teams tell tells term terms test
    thank thanks theory thing things think thinking thought thursday time timeline times tiny today told tomorrow took
    tool tools topic topics total touch tour track transcript trick tricks tried tries trouble true try trying tuesday
    turn turned turns tutorial twitter types typical underneath understand understanding understands unlike upfront
    use useful user users uses usual values version versions versus video view visit voice vs wait walk want wanted
    wants watch way ways website wednesday week weeks welcome went wide wish word words work worked working works
    world worry worse worth write writes writing written wrong wrote year years yesterday york"""
)
"""Words that make no term: of talking and of podcasts, verbs and adjectives of any text."""

KINDS = words(
    """allocator algorithm architecture assembler backend benchmark cache codec compiler container debugger dialect
    driver emulator engine extension format framework frontend interpreter kernel language library linker loader
    middleware optimizer package parser plugin profiler project protocol runtime scheduler server simulator solver
    suite toolchain toolkit tool transpiler"""
)
"""What software is said to be: "Numba is a compiler"."""

MECHANISMS = words(
    """allocation caching checkpointing collection communication compaction composition conversion decoding dispatch
    dispatching elimination encoding eviction execution hashing indexing inlining instrumentation invocation isolation
    journaling linking locking multiplexing offloading partitioning pipelining pooling prefetching profiling
    propagation pruning reclamation recovery replication rewriting routing sampling scheduling serialization sharding
    speculation spilling streaming synchronization tiling translation traversal unrolling vectorization versioning
    virtualization
    allocator analyzer arbiter assembler balancer canonicalizer collector compactor compressor converter coordinator
    debugger decoder demangler dispatcher emitter encoder evaluator executor exporter fuser generator importer inliner
    interpreter legalizer lexer linker loader mapper marshaller matcher multiplexer optimizer outliner packer parser
    partitioner pipeliner planner prefetcher profiler propagator reducer renderer resolver rewriter router sanitizer
    scheduler serializer solver splitter tokenizer tracer translator vectorizer verifier
    backend bitmap buffer bytecode cache dialect heap pipeline queue registry shim stub thunk trampoline trie"""
)
"""What systems do and what does it, so that a word before one of these makes a term: "tree traversal"."""

NO_ABBREVIATIONS = words(
    """USA US UK EU TPU PDF HTML CSS HTTP HTTPS URL URLS RSS CEO CTO AI ML AGI LLM LLMS NLP TODO FYI IMO IMHO AMA
    DIY MIT BSD IBM AMD AWS GCP CI CD PEP UTC GMT PST EST AM PM OK TV FM DJ CV HR QA IT MP3 MP4 CSV XML FAQ TL DR EP
    II III IV VI VII ASCII UTF BTW NOT AND THE ALL NEW DL SDK VM OS UI UX GUI CLI IDE JS TS ARM PC RAM SSD HDD WIP
    BC OSS POC TBD ETA RFC ISO IEEE ACM ECMA IETF USB LAN WAN IP TCP UDP DNS SSH FTP SQL JSON YAML TOML REST SOAP
    MVP OKR KPI ROI LGTM PTAL AFAIK IIRC IIUC ASAP RIP NOTE WARNING FIXME README LICENSE CHANGELOG EDIT UPDATE
    IMPORTANT BREAKING SUMMARY MUST SHOULD MAY TRUE FALSE NONE NULL YES NO"""
)
"""Abbreviations, and words in capitals, that a glossary of a system's internals would not have."""

CLIPPED = {
    "argument": ("arg",), "backward": ("bw", "bwd"), "communication": ("comm", "comms"), "configuration": ("config",),
    "constant": ("const",), "decomposition": ("decomp",), "dequantization": ("dequant",), "evaluation": ("eval",),
    "forward": ("fw", "fwd"), "function": ("func",), "gradient": ("grad",), "implementation": ("impl",),
    "initialization": ("init",), "operator": ("op",), "optimization": ("opt",), "parameter": ("param",),
    "performance": ("perf",), "quantization": ("quant",), "specification": ("spec",), "synchronization": ("sync",),
}  # fmt: skip
"""Words that programmers cut short: "arg" for an argument."""

_PLAIN = words("argument decomposition dequantization operator parameter performance quantization")
_FULL = {clip: word for word in sorted(_PLAIN) for clip in CLIPPED[word]} | {"ops": "operator"}
"""Only what means nothing else: "bw" is bandwidth too, "const" and "grad" are words of programs."""


_VOWELS = "aeiou"
_NO_PLURALS = ("ss", "us", "is", "ics", "ops", "bias", "alias", "canvas")


def spelled_out(phrase: str) -> str:
    """Return a phrase of several words with those in full that programmers cut short.

    >>> spelled_out("arg parsing"), spelled_out("op")
    ('argument parsing', 'op')
    """
    *before, head = phrase.split()
    return " ".join((*(_FULL.get(word, word) for word in before), _FULL.get(head, head) if before else head))


def plural(noun: str) -> str:
    """Return the regular plural.

    >>> [plural(noun) for noun in ("view", "batch", "dependency", "GPU")]
    ['views', 'batches', 'dependencies', 'GPUs']
    """
    if noun.endswith("y") and noun[-2:-1] not in (*_VOWELS, ""):
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


@lru_cache(50_000)
def singular(noun: str) -> str | None:
    """Return the singular of a regular plural; None for other words.

    >>> [singular(noun) for noun in ("graphs", "strides", "batches", "class")]
    ['graph', 'stride', 'batch', None]
    """
    if not noun.endswith("s") or not re.search(r"[a-zA-Z]{2}s$", noun) or noun.endswith(_NO_PLURALS):
        return None
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if re.search(r"(?:ss|x|zz|[^a]ch|tch|sh)es$", noun):
        return noun[:-2]
    return noun[:-1]


def conjugated(verb: str) -> tuple[str, str, str, str]:
    """Return a regular verb, its third person, its past form and its present participle.

    >>> conjugated("fuse"), conjugated("pin")
    (('fuse', 'fuses', 'fused', 'fusing'), ('pin', 'pins', 'pinned', 'pinning'))
    """
    stem = verb + verb[-1] if _doubles(verb) else verb
    participle = stem[:-1] if verb.endswith("e") and not verb.endswith("ee") else stem
    return verb, plural(verb), past(verb), participle + "ing"


def past(verb: str) -> str:
    """Return the past form of a regular verb.

    >>> past("fuse"), past("export"), past("pin")
    ('fused', 'exported', 'pinned')
    """
    if verb.endswith("e"):
        return verb + "d"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ied"
    return (verb + verb[-1] if _doubles(verb) else verb) + "ed"


def _doubles(verb: str) -> bool:
    """Return whether a verb has one syllable that ends in one vowel and one consonant: pin, map; not box, show."""
    return bool(re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb))
