"""Ordinary nouns: those of any text, and of any text on software, which are no terms however often a text says them."""

from torchatlas.extract.english import words

ORDINARY_NOUNS = words(
    """ability absence abstraction acceptance access accident account accuracy achievement act action activity
    addition address admin administrator adopting adoption advance advantage advice age agenda agreement aim air
    algorithm alpha alternative ambition amount analogy analysis analytics angle anniversary announcement anyone
    app app-specific appeal appearance appendix application approach architecture area argument arm array art
    article asset assistance assumption attempt attendee attention audience audio author automatic availability
    average award awareness backend background bandwidth bank bar baseline beast beauty beginner beginning
    behalf behavior behaviour being belief benefit beta billion binary birth bit bloat blocker blog blogpost
    board body boilerplate book boolean bottleneck bottom bound box boy brain brand breakdown breakthrough
    bridge bubble budget bug bugfix building bullet bunch burden business button buzz byte cache calculation
    call callable camera camp campaign cap capability car card care career case cash category caution
    celebration ceo champion chance change character chart check checklist child chip choice chunk circle
    circumstance city claim clarity class classic clean cleaner cleaning client climate closer cloud clue code
    codebase coding coffee collaboration colleague collection color column com combination comfort command
    comment commitment committee committer commonality communication company comparison compatibility
    competition competitor complaint completion complexity component compromise computation computer concept
    conclusion concurrent condition conference confidence config configuration confusion connect connecting
    consequence consideration constant construction consultant consumption contact content contest context
    continent contrast contributing contribution contributor control convenience convention conversion copyright
    core corner correctness cost count countermeasure counterpart country courage craft creation crew criterion
    critic criticism crowd culture curiosity curve custom customer danger dark data database date dawn deal
    death debate decade decision declaration deep default deficit definition degree delight delivery demand demo
    demonstration departure dependency deployment depth description design desire desk desktop destination
    destiny destruction detail dev developer development deviation diagram dialog dialogue diet diff difficulty
    digest dimension direction director directory disadvantage disaster discipline disclosure discovery
    discussion disk distance diversity doc documentation door dot doubt downgrade downside downstream draft
    drama drawback dream drink drive duration duty dynamic earth economy edition editor education effect
    efficiency effort ego element emphasis employee employer encounter end energy engagement enterprise
    entertainment enthusiasm entrance entry environment equation equipment equivalent era error essay essence
    estimate ethic evaluation evening evidence evolution exam example exception excitement execution exercise
    existence expansion expectation expense experiment expertise explanation exploration exposure expression
    extent eye face facet facility failure faith family fan fashion favor fear feedback fellow festival fiction
    field fight file film finance finding fire fix flag fleet flexibility floor focus folder food foot force
    forecast format formula foundation founder framing freedom frequency friend front frontend fruit full
    functionality fund fundamental funding future gain game gap garden gear gem gender generation generator
    giant gift gigabyte girl gist glance glossary goodness governance government grade grant graphic ground
    group growth guarantee guest guidance guideline guy habit hack half hall hand handful happiness hardware
    harm hassle headline health heart heat height help helper hero highlight history holiday honor hope horizon
    horse host hot hotel hour house http https human humor hundred hurdle hype icon idea identifier illustration
    imagination impact impl implementation implication importance impression improvement incident inclusion
    income independence individual industry influence info information infrastructure ingredient initialization
    initiative innovation input inquiry insight inspiration install installation installing instance instinct
    institute institution integer integration intelligence intention interaction interface intermediary internal
    internet interpretation interpreter interval intro intuition investigation investment invocation item job
    joke journalist journey joy judge judgment jump justice key keynote kilobyte kind kit kitchen knowledge lab
    label lack lady lake land landscape language laptop latency laugh law lawyer layer leadership leap lecture
    legacy length lesson letter level license life light lightweight likelihood limit limitation line lineup lip
    list literature living load location lookup lookups loop lore loss lots loyalty luck lunch machine machinery
    magazine magic mail maintainer majority making man management manipulation manner manual map margin market
    marketing marriage mass material math mathematics matrix maturity maximum meal meaning measure measurement
    mechanism media meetup megabyte member memory mentor merit mess message metaphor method methodology
    microsecond migrating migration mile million millisecond mindset minimum minority minute miracle
    misconception mission mistake mix mixture mobile mode modification money monitoring mood moon moral mother
    motion motive mountain mouth move movement music mystery myth name narrative nation native nature necessity
    negative neighborhood nerd networking newcomer news newsletter night nobody nodejs nonsense norm north
    nothing notice notion novel nuance number nut oath object objective obligation observation obstacle occasion
    ocean odds offer office officer official offset online operation opinion opportunity opposite opposition
    option ordering org organization organizer orientation origin outcome outline outlook output overhead pace
    pack package page pain paint pair panel panelist paper paradigm paradox parallel parameter parent park
    participation partner partnership party passion past patch patent path patience pattern peace peak people
    percent percentage perception perfection performance period person perspective phase phenomenon phone phrase
    physic physics picture piece pillar pilot pioneer pitch pitfall placeholder planet planning platform player
    playground pleasure plot plugin plus pocket poem poet poetry point pointer policy popularity population
    portion position positive possibility potential power practice practitioner praise precedent precision
    preference preparation presence present presentation presenter preset press pressure price pride principle
    prize probability procedure process processing processor product production prof profession professional
    professor profit program programmer programming progress project promise property proportion proposal
    prospect prototype province pub publicity punch pursuit push puzzle quality quarter quest quote race radar
    radio rain random range rant rate ratio rationale reaction read reader reading reality realization reasoning
    recap recipient recognition recommendation record refactoring reference regard regime region regret
    relationship release reliability relief religion reload remainder remark remedy reminder repo report
    repository representation reputation request requirement research researcher reset resilience resource
    respect response responsibility rest restart restaurant restriction result retirement retrospect
    retrospective return revenue reversal review reviewer reward rhythm rise risk ritual river road rock romance
    room routine row rule rumor run safety sake sale sanity satisfaction scalability scalar scenario scene
    scheme scholar school science scientist scope score scratch screen screenshot script sea search season seat
    second section sector security selection self semantics sense sentiment sequel sequence sequential series
    server service session set setting setup seven share shell shift shim ship shock shop shortcoming shortcut
    shot shoulder show shutdown sight sign significance silence simplicity simplification sin sister situation
    size skill sky sleep smile social society software soldier solid song sort soul sound source space speaker
    spec specification spectrum speech speed speedup spirit sponsor sport spot stability staff stage stake
    stance standard star start startup state statement static statistic status stay step stop storage stranger
    strategy strength stress stretch strike string structure struggle student studio study style substance
    subsystem success suggestion suit suite sum summer summit sun support surface surprise surroundings survey
    suspicion sympathy symptom synergy syntax synthesis system table tale talent talk task taste team tech
    technique technology tendency tension tenure terminal territory text thanks theme theory therapy thesis
    thinker thirty thought thousand threat throughput tie time tip title tone tongue tool toolchain tooling
    tooth topic total tough town toy tradeoff tradition trait transform transformation travel treasure treat
    treatment tree trend trial tribute trillion trip triumph troubleshooting truth turn twenty twist type
    ultimate uncertainty undergraduate unit unity universe university upcoming update upgrade upstream url
    usability usage user utility vacation validation value variable variant vector vehicle vendor venture
    verdict version victory viewer viewpoint village virtue vision visit visitor vocabulary voice volunteer wait
    walkthrough wall war warmth warning water wave weakness wealth weather web website wedding weight whole wind
    wing winner winter wisdom woman wonder wood workaround workflow workload workplace workshop world worry
    worth wrapper write writer www year youth"""
)
"""In the singular. Alone they are terms only where a vocabulary says so; inside a longer term they count."""
