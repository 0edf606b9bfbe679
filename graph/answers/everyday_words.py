"""Words of everyday English, which tell little of what a question about a program is about.

Verbs, qualities and adverbs say less about the subject of a question than nouns and names do (Lioma and Blanco,
"Part of Speech Based Term Weighting for Information Retrieval", ECIR 2009). The list stands in for a tagger,
which is slow to load.
"""

from torchatlas.graph.values.names import words

_VERBS = """
    add allow avoid appear apply arrive ask become begin behave believe bring buy care carry cause change choose
    close come compare complain confuse consider contain continue control cut deal decide define delete depend describe
    develop differ drop eat enable end expect fail fall feel figure fill find finish fix follow force forget found
    grow handle happen hear hide hit hold hope improve increase involve keep kept kill lack last lead leave left
    live look lose lost meet mention miss modify move notice obtain offer open pass pay perform pick play prefer
    prevent produce provide pull push put raise ran reach receive reduce refer refuse reject remain remember remove
    report request resolve run seem send set shrink sit skip slow speed spend stand stay stop suggest support suppose
    suspect take taken talk tend throw time took treat trigger try turn wait walk warn watch win wish wonder worry
    write written wrote
"""
_QUALITIES = """
    able bad best better big certain clear common correct cheap custom different difficult direct easy entire extra
    false fast fine free full general good great hard high huge important large late less little long low main near
    new next nice normal old possible present quick rare real regular right same short similar simple small special
    strange strong sudden sure true typical usual various visible weird whole wrong
"""
_ADVERBS = """
    across along already altogether away back early else far first forever inside instead later maybe now often
    once outside perhaps quite rather soon sometimes today together tomorrow twice
"""
_MEASURES = (
    "amount bit day example fact idea lot part people piece place reason rest result sort trouble week word year"
)

EVERYDAY = frozenset(words(_VERBS + _QUALITIES + _ADVERBS + _MEASURES))
"""Each in one form; a stemmer finds the others."""
