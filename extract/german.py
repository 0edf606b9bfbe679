"""Everyday words of German, which end no term and begin none: its nouns have capitals as names do."""

from itertools import product

from torchatlas.extract.english import words

_NOUNS = words(
    """abend ablauf absatz abschluss abschnitt absicht abstand abteilung adresse advent agenda aktion aktivität alltag
    alternative amerika anbieter anekdote anfang anforderung anfrage anfänger angebot angst anlass anleitung
    anmeldung annahme ansatz anspruch ansprüch ansätz antwort anwender anwendung anzahl april arbeit arbeitgeber
    arbeitnehmer arbeitsplatz art artikel aspekt aufgabe aufmerksamkeit aufnahme auftrag aufwand auge august
    ausbildung ausblick ausdruck ausgabe ausnahme ausrede aussage austausch auswahl auswirkung autor autorin basis
    bedarf bedeutung bedingung bedürfnis begeisterung beginn begleitung begriff begründung behauptung beispiel
    beitrag beiträg bemerkung beobachtung beratung bereich bericht beruf beschreibung besonderheit bestandteil
    bestätigung besuch beteiligte betrieb bewerber bewerbung bewertung beziehung bezug bild blick blog branchen buch
    bücher bürger chance chef chefin dank datei debatte detail deutschland dezember dienst dienstag ding dinge
    diskussion donnerstag druck durchschnitt ebene effekt eigenschaft eigentum einblick eindruck eindrück einfluss
    einflüss einführung einheit einkommen einladung einleitung einordnung einsatz einstellung einstieg einsätz
    einwand eltern empfehlung ende energie england entscheidung entstehung entwickler entwicklerin entwicklung
    episode erde ereignis erfahrung erfinder erfolg ergebnis erinnerung erkenntnis erklärung ersatz erwartung europa
    experte expertin fach fachkraft fachkräft fakt fall familie fazit februar fehler feier ferien fernsehen film
    finanzierung firma firmen fokus folge forscher forschung fortbildung fortschritt fortsetzung frage frankreich
    frau freiheit freitag freude freund freundin fähigkeit fälle führung führungskraft führungskräft gast gebiet
    gedanke gefahr gefühl gegensatz gegenwart gegner gehalt gehirn gehälter geld gelegenheit gemeinde gemeinsamkeit
    geschichte geschmack geschäft gesellschaft gesetz gesicht gespräch gesprächspartner gesundheit gewinn gewinner
    gewohnheit glück grenze grund grundlage gruppe größe gründ gäst haltung handel handlung haus herausforderung
    herr hersteller herz hilfe hinblick hinsicht hintergrund hintergründ hinweis hobby hoffnung humor hände häuser
    hörer hörerin hürde idee identität infos inhalt initiative interesse interview irrtum jahr jahrhundert jahrzehnt
    januar jugend juli junge jungs juni kampf kapitel karriere kategorie kauf kenntnis kinder klima koffer kolleg
    kollege kollegin kommentar kommunikation kompetenz konferenz konkurrenz konsequenz kontakt konzept kopf kosten
    kraft kreativität krise kritik kritiker kultur kunde kundin kunst kurs käufer köpf lage laie land leben lehre
    lehrer leidenschaft leistung leser leute licht liebe lob länder länge lösung macht mann markt masse maß maßnahme
    mehrheit mehrwert meinung meldung mensch merkmal minute misserfolg mitarbeiter mitarbeiterin miteinander
    mitglied mitte mittel mittwoch moment monat montag morgen motivation motto mädel männer märkt märz möglichkeit
    nachfrage nachricht nacht nachteil natur neugier neuigkeit nische niveau notwendigkeit november nummer nutzen
    nutzer nutzerin nähe oktober ordnung organisation organisator ort ostern paar partner partnerin person
    perspektive pflicht planung plattform platz plän plätz podcast politik potential potenzial praxis preis prinzip
    problem produkt prof professor professorin projekt prozent publikum punkt qualität quatsch quelle rabatt rahmen
    ratschlag ratschläg raum reaktion realität recht rede regierung reihe reihenfolge reise relevanz richtung
    risiken risiko rolle ruhe runde räum rückblick rückmeldung rückschlag sache samstag schicksal schluss schritt
    schule schutz schweiz schwerpunkt schwierigkeit schüler seite sekunde selbstvertrauen sendung september serien
    sicherheit sicht sieg sinn situation skandal skepsis sommer song sonntag sorge spannung spaß spektrum sponsor
    sprecher sprecherin sprung staat stadt stand stelle stellenwert stellung stimme stimmung strategie streit stress
    student studentin studie studium stunde städt stärke stück szene tage tagung tatsache technik technologie teil
    teilnahme teilnehmer teilnehmerin tendenz termin thema themen theorie tipps titel transparenz traum träum
    tätigkeit tür umfang umfeld umfrage umgang umgebung umsetzung umstand universität unterhaltung unternehmen
    unterschied unterstützung urlaub ursache ursprung urteil usa veranstaltung verantwortung verbesserung verein
    verfahren vergangenheit vergleich verhalten verhältnis verlust vermutung vernunft verständnis versuch verteilung
    vertrag vertrauen verwendung video vielfalt voraussetzung vorbild vorfall vorgehen vorgehensweise vorgesetzte
    vorgänger vorliebe vorschlag vorsicht vorstellung vorteil vortrag vorträg vorurteil wahl wahrheit wahrnehmung
    wandel ware wechsel weg weihnacht weise weiterbildung weiterentwicklung welt werbepartner werbung werdegang
    wert wesen wichtigkeit widerspruch widersprüch wille winter wirkung wirtschaft wissen wissenschaft
    wissenschaftler wissenschaftlerin woche wochenende wort wunsch wörter wünsch zahl zeichen zeit zeitpunkt
    zeitraum zeitung ziel zitat zufall zufäll zugang zuhörer zuhörerin zukunft zusammenarbeit zusammenfassung
    zusammenhang zusammenhäng zuschauer zustand zuständ zweck zweifel österreich überblick übersicht"""
)
"""Nouns in the singular, and plurals that change their stem; none that a term of computing has too."""

_ADJECTIVES = words(
    """aktuell allgemein alt ander anfänglich angenehm anspruchsvoll beeindruckend bekannt beliebt bereit beruflich
    besonder besser best bestimmt bisherig breit damalig deutlich deutsch deutschsprachig durchschnittlich echt
    effektiv effizient ehemalig eigentlich eindeutig einfach einig einzeln einzelner einzig einzigartig endgültig
    eng entscheidend entsprechend erfahren erfolgreich ernst erst erstaunlich ewig falsch faszinierend fertig
    folgend freundlich froh früher ganz gefragt gefährlich gegenseitig gelungen gemeinsam genannt genau gering
    gesamt gewiss gleich groß grundlegend grundsätzlich größer größt gut günstig halb heutig hilfreich hoch hoh
    häufig höchst höher hörenswert ideal individuell intensiv interessant jeweilig jung jährlich klar klassisch
    klein kleiner komisch komplett komplex konkret kostenlos kurz künftig lang langfristig laut lebendig leer leicht
    lesenswert letzt lieb lustig maximal mehrer meist menschlich merkwürdig modern monatlich möglich nachhaltig nah
    neu neuest neugierig niedrig notwendig nächst nötig nützlich passend perfekt persönlich praktisch professionell
    reich richtig riesig rund schlecht schlimm schnell schwierig schön selten seltsam sinnvoll sogenannt spannend
    spannendst speziell spät später ständig tatsächlich technologisch teuer tief toll traurig typisch täglich
    umfangreich ungefähr ungewöhnlich unglaublich unterschiedlich ursprünglich verantwortlich verfügbar vergangen
    vergleichbar verrückt verschieden viel voll vollständig vorherig wahr wahrscheinlich weiter weiterführend
    weitgehend wenig wertvoll wesentlich wichtig wirklich witzig wunderbar wöchentlich zahlreich zufrieden zufällig
    zukünftig zusätzlich ähnlich üblich"""
)
_VERBS = words(
    """anbiet anfang anhör anschau antwort arbeit aufbau aufhör ausprobier bau bedeut beginn behalt bekomm beleucht
    benutz benötig berat bericht beschreib beschäftig besitz besprech besteh bestimm betracht betreff bezeichn
    bezieh bild bleib brauch bring dank darstell denk diskutier drück eingeh einsetz empfehl entdeck entscheid
    entsteh entwickel erfahr erfind erfüll erhalt erinner erkenn erklär erleb erläutert ermöglich erreich erscheint
    erwart erwähn erzähl find folg forder frag freu fühl führ geb geh gehör gelang gelt genieß geschieh gewinn glaub
    greif halt handel heiß helf hilf hoff hör informier interessier interview kauf kenn klapp klär komm kommentier
    konzentrier kost kümmer lad lass lauf leb leg leist lern les lieb lieg lös mach mein merk misch mitbring nehm
    nenn nutz pass plauder probier präsentier red reich sag sammel schaff schau schick schlag schließ schreib schütz
    seh send setz sitz sorg spar spiel sprech stattfind steh steig stell stimm streit such teil teilnehm trag treff
    trenn tret unterhalt unterscheid unterstütz untersuch verbesser verbind verbring verdien verfolg vergess
    vergleich verhinder verlass verlier vermeid verrat versteh versuch verwend verzicht veränder veröffentlich
    vorbereit vorstell wachs wart wechsel werb wirk wiss wohn wähl wünsch zahl zeig zieh zuhör zusammenfass zähl
    öffn überleg übernehm überrasch überzeug"""
)
_DECLINED = ("", "e", "en", "n", "er", "ern", "s", "es", "nen", "ns")
_COMPARED = ("", "e", "en", "er", "es", "em", "ere", "eren", "erer", "eres", "erem", "ste", "sten", "ster", "stes")
_CONJUGATED = ("e", "en", "n", "st", "t", "et", "te", "ten", "ete", "eten", "end", "ende", "enden", "ender")

EVERYDAY = frozenset(
    stem + ending
    for stems, endings in ((_NOUNS, _DECLINED), (_ADJECTIVES, _COMPARED), (_VERBS, _CONJUGATED))
    for stem, ending in product(stems, endings)
)
"""What most German texts have of nouns, adjectives and verbs, in lower case and in all forms."""
