"""English: the words that are too common to be names, those that programmers cut short, and regular inflection."""

import re
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path

_VOWELS = "aeiou"
_NO_PLURALS = ("ss", "us", "is", "ics", "ops", "bias", "alias", "canvas")


def words(text: str) -> frozenset[str]:
    """Return the words of a list that is written as one string.

    >>> sorted(words("pin map tag"))
    ['map', 'pin', 'tag']
    """
    return frozenset(text.split())


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

VAGUE_HEADS = words(
    """ai api application argument call case code compilation data design device error framework inference library
    machine memory number object order parameter point process python result run script size structure system test
    thread tool training user value variable"""
)
"""Words behind a term that make no other term of it, though they end some names."""

_VERBS = words(
    """allow ask change cover create discuss explain follow happen help implement include interest introduce join
    learn look mention need provide require solve start support talk try turn want work"""
)
_OTHERS = words(
    """able abstract actual added adding adds advanced advantage ago aka ala answer apart applied approach article
    aspect attempt author available avoid away bad banter based basic begin behave believe beneath benefit best
    better big bit blog book breaks bring broken build built buy called calling calls came care case cause
    certain challenge chapter chat cheap check choice choose clear close closing come coming common community
    company compare compared complex complicated conclusion conference consider contact contain continue
    conversation cool correct cost couple course current day deal decide decided dedicated deep demo depend
    design detail develop developed developer difference different difficult discord discussion dive download
    easier easiest easy effort end engineer enjoy ensure entire episode etc event everyday exact example excited
    exist expect expensive experience explanation explore extra facebook fact fail famous farewell fast faster
    favorite feature feed feel figure final find fine finish fit fix fixed focus forget form found free fresh
    friday fun future gave general gets getting given gives giving goal goes going good goodbye got great guest
    guide half hand hard harder hear heard hello hi high history hit hold home hope host hour housekeeping huge
    idea imagine important improve improved improvement information inside instagram instead intended interview
    intro introduction invented involve involving issue january june keeps kept kind knew know known large
    larger late later latest lead leave left let life like limit limited lines link linkedin listen listener
    little live long longer lose lot love low main major makes making manage mastodon matter maybe mean meant
    meet meeting middle mind minus minute miss modern moment monday money month morning motivation moved moves
    named names natural near new newer nice night note number obvious occur occurred october old older online
    open opened order original output outro overview pages paper particular parting parts past patreon people
    person philosophy pick place plan play plus podcast point popular possible post powerful practical practice
    prefer present pretty prevent previous problem produce product program project proper publish published pull
    purpose puts question quick rating reach read reader reading ready real reason recap recent record recorded
    recording reduce reference related release released remain remember remove removed report request rest
    result return review rewrite rid right roadmap role room rule run running said save saw saying says season
    second seen sense sent sentence series set share short shown shows similar simple simpler single site size
    slides slow slower small smaller software solution sort sound speak speaker special specific spend spent
    sponsor stay step stop story stuff subject subscribe suggest summary sunday sure surprising taken takes
    taking teach team tell term test thank theory thing think thinking thought thursday time timeline tiny today
    told tomorrow took tool topic total touch tour track transcript trick trouble true tuesday tutorial twitter
    types typical underneath understand understanding unlike up-to-date upfront use useful user usual values version
    versus video view visit voice vs wait walk watch way website wednesday week welcome went wide wish word world worry
    worse worth write writing written wrong wrote year yesterday york"""
)
COMMON = frozenset(form for verb in _VERBS for form in conjugated(verb))
COMMON |= {form for word in _OTHERS for form in (word, plural(word))}
"""Words that make no term: of talking and of podcasts, verbs and adjectives of any text, with their regular forms."""

KINDS = words(
    """allocator algorithm architecture assembler backend benchmark cache codec compiler container debugger dialect
    driver emulator engine extension format framework frontend interpreter kernel language library linker loader
    middleware optimizer package parser plugin profiler project protocol runtime scheduler server simulator solver
    suite toolchain toolkit tool transpiler"""
)
"""What software is said to be: "Numba is a compiler"."""

NO_ABBREVIATIONS = words(
    """USA US UK EU TPU PDF HTML CSS HTTP HTTPS URL URLS RSS CEO CTO AI ML AGI LLM LLMS NLP TODO FYI IMO IMHO AMA
    DIY MIT BSD IBM AMD AWS GCP CI CD PEP UTC GMT PST EST AM PM OK TV FM DJ CV HR QA IT MP3 MP4 CSV XML FAQ TL DR EP
    II III IV VI VII ASCII UTF BTW NOT AND THE ALL NEW DL SDK VM OS UI UX GUI CLI IDE JS TS ARM PC RAM SSD HDD WIP
    BC OSS POC TBD ETA RFC ISO IEEE ACM ECMA IETF USB LAN WAN IP TCP UDP DNS SSH FTP SQL JSON YAML TOML REST SOAP
    MVP OKR KPI ROI LGTM PTAL AFAIK IIRC IIUC ASAP RIP NOTE WARNING FIXME README LICENSE CHANGELOG EDIT UPDATE
    IMPORTANT BREAKING SUMMARY MUST SHOULD MAY TRUE FALSE NONE NULL YES NO"""
)
"""Abbreviations, and words in capitals, that a glossary of a system's internals would not have."""

_CUT = words(
    """argument:arg backward:bw|bwd communication:comm|comms configuration:config constant:const decomposition:decomp
    dequantization:dequant evaluation:eval forward:fw|fwd function:func gradient:grad implementation:impl
    initialization:init operator:op optimization:opt parameter:param performance:perf quantization:quant
    specification:spec synchronization:sync"""
)
CLIPPED = {word: tuple(clips.split("|")) for word, _, clips in (pair.partition(":") for pair in sorted(_CUT))}
"""Words that programmers cut short: "arg" for an argument."""

_PLAIN = words("argument decomposition dequantization operator parameter performance quantization")
_FULL = {clip: word for word in sorted(_PLAIN) for clip in CLIPPED[word]} | {"ops": "operator"}
"""Only what means nothing else: "bw" is bandwidth too, "const" and "grad" are words of programs."""


def spelled_out(phrase: str) -> str:
    """Return a phrase of several words with those in full that programmers cut short.

    >>> spelled_out("arg parsing"), spelled_out("op")
    ('argument parsing', 'op')
    """
    *before, head = phrase.split()
    return " ".join((*(_FULL.get(word, word) for word in before), _FULL.get(head, head) if before else head))
