"""The places where a text names a concept, found over the words of spaCy's tokenizer; no trained model is needed.

The stages for a vocabulary, once (`known_names.KnownNames.of`; a build keeps what comes out):

1. inflect    `forms` derives the forms of each name: plurals, verbs, hyphens, case
2. add        `known_terms` adds terms at large, so that the longest match of a text is known
3. prune      `compounds` drops the forms that are two mentions, or one with a word too many
4. shorten    `ellipsis` collects the short names that only a text can explain

The stages for each text (`concept_finder.ConceptFinder.find`):

5. match      `name_matcher` finds the forms, `identifiers` finds code; the longest match wins
6. filter     `boundaries` refuses pieces of words and paths, `senses` refuses everyday English
7. widen      `boundaries` adds quotes and folders that belong to a name
8. resolve    `ellipsis` gives a short name the concept that the text speaks of
9. share      `conjuncts` finds the modifiers that share a head: "forward/backward graphs"
10. introduce `own_names` finds what no vocabulary lists and the text itself names: abbreviations, "Mojo is a compiler"
11. extend    `noun_phrases` finds the longer terms that a text makes: "fusion pattern", "2D sharding"
12. repeat    `text_terms` finds what a text says again, builds as names of parts are built, or ends in what systems do
13. entitle   `titles` gives a title the terms of its text
"""
