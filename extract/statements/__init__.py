"""The relations that a text states, found by rules over its words; no trained model is needed.

The stages, in this order (`finder.StatementFinder.find` runs them for each text):

1. name       `entities` finds the concepts, episode titles and episode addresses
2. split      `sentences.units` cuts the text into sentences and list items
3. tokenise   `sentences.Sentence` makes each entity one word, and joins an item to its heading
4. read       `tagging` gives the parts of speech, `phrases` the nouns and verbs, `clauses` what is said of what
5. match      `frames` tries the rows of the table in `predicates` on each clause;
              `rules` tries the idioms of `relations`, which `patterns` compiles for spaCy's Matcher
6. filter     `assertion` refuses questions, negations and guesses
7. resolve    `pronouns` puts the antecedent in place of "it", "they", "this mechanism"
8. expand     `clauses` and `coordination` add the other conjuncts: "uses A, B and C" is three statements
9. merge      `finder` keeps each statement once, and relates episodes that only an address names

Each row carries its confidence: the share of right statements among those that it found in texts it was not written
from, with two more added at the share of the whole table. `findings.Statement.sure` says which enter the graph.
"""
