"""Names of people and of days: what they are mostly called, and what is said of people alone."""

import re

from torchatlas.extract.english import words

GIVEN_NAMES = words(
    """aaron abby abigail achim adelheid adrian ahmed aidan alan albert alec alejandro alessandro alex alexander
    alexandra alfred ali alice alicia alina alison allen allison alwin amelia amelie amit amy ana anders andre andrea
    andreas andrew andy angela anita anja anke anna anne annette annie anthony antje antonio arjun arno arthur arun
    ashley astrid axel barbara bastian beate ben benedikt benjamin bernard bernd bernhard beth bettina billy birgit
    björn bobby bodo brad bradley brandon brenda brendan brett brian britta bruce bryan burkhard caitlin carl carla
    carlos carmen carol carolin caroline carsten catherine cathy charles charlie charlotte chloe chris christa
    christian christiane christina christine christof christoph christopher cindy claas claire claudia clemens colin
    connor constantin corinna cornelia craig cynthia dagmar dan daniel daniela danny dave david deborah dennis derek
    detlef diana diego dieter dietmar dietrich dirk dmitri dominic dominik donald donna dorothea doug douglas duncan
    eberhard eckhard eddie eduardo edward eileen elaine elena eli elias elisabeth elizabeth elke ellen emily emma
    eric erica erik erin erwin ethan eugene evan evelyn fabian fernando florian frances francesca francis francisco
    franz franziska frauke fred frederick frederik friederike friedrich gabriel gareth gary geoff georg george gerald
    gerd gerhard gero giovanni gisela gordon graham greg gregor gregory gudrun guillaume gunnar götz günter günther
    hanna hannah hannes hanno hans harald harold harry hartmut hauke heather heidi heike heiko heinrich heinz helen
    helga helmut hendrik henning henrik henry herbert hermann holger howard hugh ian igor ines inga ingo ingrid ivan
    jacob jakob james jamie jan jana jane janina jannis jared jason javier jean jeff jeffrey jennifer jenny jens
    jeremy jerry jesse jessica jim jimmy joachim joan joanna jochen joe joel johan johannes john johnny jon jonas
    jonathan jorge jose joseph josh joshua juan judith juergen julian julie justin jutta jörg jörn jürgen karen karin
    karl karla karsten katharina katherine kathleen katie katja katrin keith kelly ken kenneth kerstin kevin kilian
    kim klaas klaus knut konrad konstantin kristin kristina kurt kyle lars laura lauren laurie leah lee lena lennart
    leo leonard leonie leslie liam linus lisa liz lorenz lorenzo lothar louis louise lucas ludwig luis lukas lutz
    magdalena maike malte manfred manuela marc marco marcus mareike marek maren margaret maria marie mario marion
    marius markus martha martin mary mathias mathieu matt matteo matthew matthias maurice maximilian megan mehmet
    meike melanie micha michael michelle miguel mike miriam mirko mitchell mohammed monica monika moritz nadine nadja
    natalie natasha nathan neil niall nicholas nick nicolas nicole niklas nils nina noah nora norbert olaf oliver
    olivia omar oscar pablo pamela patrick paul paula pedro peter petra phil philip philipp pia priya rachel rafael
    rainer raj ralf ralph ramon ramona raphael raul ravi rebecca regina reiner reinhard renate rené ricardo richard
    rick robert roberto rodrigo roger roland ron ronald rosa ross rudolf russell ryan sabrina sam samantha samuel
    sandra sara sarah sascha saskia scott sean sebastian sergei sergey sergio severin shane sharon shaun siegfried
    silke silvia silvio simon simone sofia sophie stefan stefanie stefano steffen stephanie stephen steve steven
    stuart susan susanne suzanne sven svenja tabea tanja tanya tatjana ted terry theo theresa thilo thomas thorsten
    tilman tim timo timothy tina tino tobias todd tom tommy tony torben torsten tyler udo ulrich ulrike ursula ute
    uwe valentin vanessa verena veronica victor victoria vijay viktor vincent virginia volker walter wayne wendy
    werner wes wesley wiebke wilfried wilhelm william winfried wolfgang yannick yusuf yves yvonne zach zachary zoe"""
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
