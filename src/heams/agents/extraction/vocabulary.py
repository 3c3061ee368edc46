"""Closed classes of English words that tell how a sentence is built, and what a word can be an answer to."""

from __future__ import annotations

from heta_framework.common.stores.text_index.stop_words import ENGLISH


def word_set(listed: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(listed.split())


AUXILIARIES = word_set(
    "am is are was were be been being do does did have has had having can could will would shall should may might must"
)
"""Verbs that only help; in front of a sentence they ask for yes or no."""

FUNCTION = ENGLISH | word_set(
    "hey hi hello wow oh yeah yep yes yup nope ok okay thanks thank lol haha btw well just really very also too even"
    " still actually definitely totally absolutely super pretty quite so such some any lot lots got gotta gonna guess"
    " sure like much more most back up out off over down again ever never always now today yesterday tomorrow"
)
"""Words that join, ask or chat: they carry no content."""

LIGHT = word_set(
    "thing things way time bit kind sort stuff something anything everything someone photo photos picture pictures pic"
    " pics image photograph photography shares shared share sharing started start went go going make making made get"
    " getting try tried trying take took taking use used using want wanted think thinking love loved enjoy enjoyed help"
    " helped helping keep look looks looking feel feels felt came come coming gave give giving find found see saw seen"
    " big great good nice cool awesome amazing"
)
"""Words that open or fill an answer without being one."""

CLAUSE = word_set(
    "because but when while which who whom where if since though although so whose whether then that until"
)
"""Words that open another clause."""

SUBJECTS = word_set("i you he she it we they that there here what let who")
"""Words that carry a sentence and are no answer."""

ARTICLES = word_set("a an the my our your his her their")
BEFORE_PLACES = word_set("in at to from near around through into across inside outside")
BEFORE_REASONS = word_set("because since as to for so")

KIN = word_set(
    "mother mom mum father dad parents sister brother siblings aunt auntie uncle cousin grandma grandpa grandmother"
    " grandfather friend friends colleague colleagues neighbor neighbour wife husband partner girlfriend boyfriend son"
    " daughter kids children family team teammates coach boss teacher niece nephew fiancee fiance roommate"
)
"""Words for people by their relation to the speaker."""

TITLED = word_set("book movi film song seri show game album poem magazin podcast novel band stori")
"""Stems of things whose names are written in quotation marks."""

TIMES = word_set("year month week weekend day date time season decade")
PLACES = word_set("city country state place town location region village continent")

UNASKED = word_set("kind kinds type types sort sorts mention mentioned say said tell told according name named")
"""Said in questions of any content, and found in no answer."""

DENIALS = word_set(
    "no not never nothing none nobody neither cannot don't didn't doesn't isn't aren't wasn't weren't can't couldn't"
    " won't wouldn't haven't hasn't hadn't"
)
CONSENTS = word_set("yes yeah yep yup")

_IRREGULAR = (
    "be:been become:became begin:began,begun break:broke,broken bring:brought build:built buy:bought catch:caught"
    " choose:chose,chosen come:came draw:drew,drawn drink:drank drive:drove,driven eat:ate,eaten fall:fell,fallen"
    " feel:felt fight:fought find:found fly:flew,flown forget:forgot,forgotten get:got,gotten give:gave,given"
    " go:went,gone grow:grew,grown hear:heard hide:hid,hidden hold:held keep:kept know:knew,known lead:led leave:left"
    " lend:lent lose:lost make:made meet:met pay:paid ride:rode,ridden run:ran say:said see:saw,seen seek:sought"
    " sell:sold send:sent sing:sang,sung sleep:slept speak:spoke,spoken spend:spent stand:stood steal:stole,stolen"
    " swim:swam take:took,taken teach:taught tell:told think:thought throw:threw,thrown understand:understood wake:woke"
    " wear:wore,worn win:won write:wrote,written child:children foot:feet life:lives man:men person:people wife:wives"
    " woman:women"
)
BASE_FORMS = {
    form: base for base, forms in (entry.split(":") for entry in _IRREGULAR.split()) for form in forms.split(",")
}
"""Irregular forms by which common verbs and nouns hide from a stemmer."""
