"""The relations that a text states, found by rules over its tokens; no trained model is needed.

The stages, in this order (`finder.StatementFinder.find` runs them for each text):

1. name       `entities` finds the concepts, episode titles and episode addresses
2. split      `sentences.units` cuts the text into sentences and list items
3. tokenise   `sentences.Sentence` makes each entity one word, and joins an item to its heading
4. simplify   `variants` adds shorter variants of a sentence: without parentheses, relative clauses and "lets you"
5. match      `rules` tries the rows of the table in `relations`, which `patterns` compiles for spaCy's Matcher
6. filter     `rules` refuses questions, negations and guesses
7. resolve    `pronouns` puts the antecedent in place of "it", "they", "this mechanism"
8. expand     `coordination` adds the other conjuncts: "uses A, B and C" is three statements
9. merge      `finder` keeps each statement once, and relates episodes that only an address names
"""
