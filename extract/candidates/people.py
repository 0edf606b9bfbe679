"""Names of people and of days: what they are mostly called, and what is said of people alone."""

import re

from torchatlas.extract.english import words

GIVEN_NAMES = words(
    """aaron abby abigail adrian ahmed aidan alan albert alec alejandro alessandro alex alexander alexandra alfred ali
    alice alicia alison allen allison amelia amit amy ana anders andre andrea andreas andrew andy angela anita anna anne
    annie anthony antonio arjun arthur arun ashley barbara ben benjamin bernard beth billy bobby brad bradley brandon
    brenda brendan brett brian bruce bryan caitlin carl carla carlos carmen carol caroline catherine cathy charles
    charlie charlotte chloe chris christian christina christine christoph christopher cindy claire claudia colin connor
    craig cynthia dan daniel daniela danny dave david deborah dennis derek diana diego dmitri dominic donald donna doug
    douglas duncan eddie eduardo edward eileen elaine elena eli elizabeth ellen emily emma eric erica erik erin ethan
    eugene evan evelyn fabian fernando florian frances francesca francis francisco fred frederick gabriel gareth gary
    geoff george gerald giovanni gordon graham greg gregory guillaume hannah hans harold harry heather heidi helen
    henrik henry holger howard hugh ian igor ingrid ivan jacob jakob james jamie jan jane jared jason javier jean jeff
    jeffrey jennifer jenny jeremy jerry jesse jessica jim jimmy joan joanna joe joel johan johannes john johnny jon
    jonas jonathan jorge jose joseph josh joshua juan judith juergen julian julie justin jürgen karen karl katharina
    katherine kathleen katie keith kelly ken kenneth kevin kim kurt kyle lars laura lauren laurie leah lee leo leonard
    leslie liam liz lorenzo louis louise lucas luis lukas marc marco marcus margaret maria marie mario markus martha
    martin mary mathieu matt matteo matthew matthias maurice megan mehmet melanie michael michelle miguel mike mitchell
    mohammed monica natalie natasha nathan neil niall nicholas nick nicolas nicole nina noah nora oliver olivia omar
    oscar pablo pamela patrick paul paula pedro peter phil philip philipp priya rachel rafael raj ralph ramon raul ravi
    rebecca ricardo richard rick robert roberto rodrigo roger roland ron ronald rosa ross russell ryan sabrina sam
    samantha samuel sandra sara sarah scott sean sebastian sergei sergey sergio shane sharon shaun silvia simon sofia
    sophie stefan stefano stephanie stephen steve steven stuart susan suzanne sven tanya ted terry theo theresa thomas
    tim timothy tina todd tom tommy tony tyler ulrich ursula vanessa veronica victor victoria vijay vincent virginia
    walter wayne wendy wes wesley william wolfgang yusuf yves zach zachary zoe"""
)
"""Common given names in English and its neighbours. Left out are those that things of computing bear too: Dylan is a
language, and Tracy a profiler."""

CALENDAR = words(
    """january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thurs fri sat
    sun"""
)
"""Days and months, which have a capital too. In capitals, SAT, DEC and MAR are abbreviations like any other."""

BEFORE = re.compile(
    r"\b(?:guests?|co-?hosts?|(?:our|your|my|with)\s+hosts?|hosts?(?=\s*:)"
    r"|(?:interview|conversation|chat|discussion)(?:s|ed|ing)?\s+(?:to|with)"
    r"|(?:speak|talk|sit|sat|catch|caught)(?:s|ed|ing)?\s+(?:down |up )?with|joined by|hosted by|written by|edited by"
    r"|produced by|creator|author|founder|Dr\.?|Mr\.?|Mrs\.?|Ms\.?|Prof\.?)[\s:,]+\Z",
    re.I,
)
AFTER = re.compile(
    r"\s+(?:says?|said|explains|explained|talks?(?!\s+to\b)|joins|joined|asks|told|tells|walks|and I|chats?"
    r"|discuss(?:es)?|interviews|wonders|argues|rants?|recalls|reflects|recaps|laughs|speaks|thinks|admits|confesses|geeks?"
    r"|sits down|stops by|chimes in|catches up|shares (?:his|her|their))\b"
)
SPONSOR = re.compile(
    r"\b(?:brought to (?:you|us) by|sponsored by|(?:our|today's|this week's) sponsors?,?)[\s:]+\Z", re.I
)
