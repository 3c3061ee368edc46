"""English words that never are, nor begin or end, the name of a thing: they part one candidate phrase from the next.

Beyond the words of grammar these are the verbs, adverbs and adjectives of reporting ("was obtained", "several",
"present paper") that would otherwise glue themselves to every term around them.
"""

from __future__ import annotations

from heta_framework.common.stores.text_index.stop_words import ENGLISH

_GRAMMAR = """
above across after again against ago ahead all almost along already also although always among amongst another any
anybody anyone anything apart around aside away because before behind below beneath beside besides between beyond both
cannot despite down during each either else elsewhere enough even ever every everybody everyone everything except few
fewer former further furthermore hence herself himself however inside instead itself just latter least less like
likewise many maybe meanwhile mine more moreover most much must myself near nearby neither never nevertheless next
nobody none nonetheless nor nothing now nowhere off often once one ones only onto onward or other others otherwise
ought ours ourselves out outside over overall own per perhaps quite rather really same several she since some somebody
somehow someone something sometimes somewhat somewhere soon still such though through throughout thus till together
too toward towards twice two under underneath unless unlike until up upon us usual usually versus very via well
whatever whenever whereas whereby wherein whereof wherever whether while whilst within without worth yes yet you your
yours yourself three four five six seven eight nine ten first second third don didn doesn isn aren wasn weren hasn
haven couldn wouldn shouldn won oh ok okay hi hello hey thanks thank please today yesterday tomorrow mr mrs ms dr prof
sir st etc eg ie
"""

_VERBS = """
accept achieve act add affect agree aim allow analyse analyze appear apply approach approximate arise arrive ask
assume attempt avoid base become begin believe belong bring build buy call carry cause change choose come compare
complete compute concern conclude conduct confirm consider consist contain continue contribute convert correlate
correspond cover create deal decide decrease define demonstrate depend derive describe determine develop deviate
differ discover discuss divide draw drive eat employ enable encounter end enjoy ensure establish estimate evaluate
examine exceed exhibit exist expect explain express extend fall feel figure find follow form formulate found gain get
give go grow happen hear help hold illustrate imagine imply improve include increase indicate influence inform
introduce investigate involve join keep know lack lead learn leave let lie limit live look lose love made maintain
make mean meet mention move need note notice observe obtain occur offer open outline pay perform permit place plan
play point possess predict prefer prepare present prevent proceed produce propose prove provide publish put raise
reach read receive recommend reduce refer regard relate remain remember remove repeat replace report represent require
restrict result return reveal run satisfy say see seek seem select send serve set show simplify solve speak specify
spend stand start state stay stop study succeed suffer suggest summarise summarize support suppose take talk tell tend
think travel treat try turn understand undertake use utilise utilize vary verify visit wait walk want watch win wish
work write yield
"""

_IRREGULAR = """
arose arisen became become began begun bought brought built came chose chosen dealt drawn drew driven drove eaten ate
fallen fell felt found gave given gone went got gotten grown grew heard held kept knew known laid lain led left lost
made meant met paid put ran read risen rose said saw seen sent shown sought spent spoke spoken stood taken took taught
thought told tried understood undertaken won wrote written lay lies lying tries studies studied carried carries
applied applies implied implies varied varies varying denied satisfied satisfies used using does doing done goes going
gets getting running setting putting letting stopped stopping planned planning beginning
"""

_DESCRIBING = """
able accurate additional adequate alternative apparent appropriate approximate available average basic better best big
bigger biggest brief broad certain clear close closer common comparable comparative complete considerable consistent
convenient correct corresponding current curious detailed different difficult direct distinct due early easy effective
entire equal equivalent essential exact excellent extensive extreme fair fairly favourable final fine following full
fundamental general good great greater greatest half happy hard high higher highest identical important improved
inadequate independent individual initial interesting known large larger largest last late later latest left likely
little long longer low lower lowest main major mere minor modern mutual natural necessary new nice novel numerous
obvious old older only opposite original particular past poor possible practical precise preliminary present previous
primary principal proper real recent related relative relevant reliable remarkable respective right rough satisfactory
severe short shorter significant similar simple single slight small smaller smallest so-called special specific strong
subsequent substantial successful sufficient suitable sure total true typical unable unknown useful usual valid
various vast weak whole wide wrong young
"""

_REPORTING = """
aim aspect author authors basis case cases chapter conclusion conclusions consideration context course day days degree
discussion effort example examples extent fact facts figure form idea instance interest kind kinds lot manner matter
means order paper part parts people person place point points possibility presence problem problems purpose question
questions range reason reasons reference references regard relation report respect result results section sense set
sort terms thing things time times type types use value values view way ways work week weeks year years
"""


def _inflected(verbs: str) -> set[str]:
    """The regular forms of verbs, spelt by rule; a few that do not exist do no harm."""
    forms: set[str] = set()
    for verb in verbs.split():
        stem = verb.removesuffix("e")
        forms |= {verb, verb + "s", stem + "es", stem + "ed", stem + "ing"}
        if verb.endswith("y"):
            forms |= {verb[:-1] + "ies", verb[:-1] + "ied"}
    return forms


DIVIDERS: frozenset[str] = frozenset(
    ENGLISH | set(f"{_GRAMMAR} {_IRREGULAR} {_DESCRIBING} {_REPORTING}".split()) | _inflected(_VERBS)
)
"""Lower-case words at which a candidate phrase ends."""
