"""What the extractive agent answers, kind of question by kind of question."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Ask = Callable[..., str]

JUNE = "2023-06-09"
NOT_MENTIONED = "Not mentioned"


def ada(content: str, at: str = JUNE) -> tuple[str, str, str]:
    return ("Ada", content, at)


def ben(content: str, at: str = JUNE) -> tuple[str, str, str]:
    return ("Ben", content, at)


@pytest.mark.parametrize(
    ("question", "turn", "answer"),
    [
        ("What did Ada buy?", "Guess what, I finally bought a second-hand cello!", "second-hand cello"),
        ("What does Ada collect?", "Yeah, I collect old tram tickets because they smell of rain.", "old tram tickets"),
        ("What kind of tea does Ada drink?", "In winter I drink smoky black tea, Ben.", "smoky black tea"),
        ("Which novel did Ada finish?", 'I just finished "The Glass Ferry" and cried.', "The Glass Ferry"),
        ("Where did Ada go on holiday?", "For our holiday we went to Porto and it was great.", "Porto"),
        ("What city did Ada move to?", "In spring I moved to Ghent with two cats.", "Ghent"),
        ("Who taught Ada to knit?", "My grandmother taught me to knit when I was six.", "grandmother"),
        ("Who repaired Ada's roof?", "The roof was repaired by Olu Mensah, a neighbour.", "Olu Mensah"),
        ("Why did Ada sell the boat?", "I sold the boat to pay for my studies.", "pay for my studies"),
        ("How long has Ada lived there?", "I have lived there for eleven years.", "eleven years"),
        ("How long has Ada been painting?", "I have been painting since 2016.", "since 2016"),
        ("How often does Ada swim?", "I swim twice a week, even in January.", "twice a week"),
        ("How many goats does Ada keep?", "We keep seven goats and a donkey.", "seven"),
        ("How old is Ada's house?", "The house is 140 years old.", "140"),
        ("How much did the piano cost?", "That piano cost $1,250 in the end.", "$1,250"),
        ("What time does Ada get up?", "I get up at 5:30 am to bake.", "5:30 am"),
        ("Did Ada pass the exam?", "I passed the exam!", "Yes"),
        ("Does Ada eat meat?", "I don't eat meat any more.", "No"),
        ("Does Ada live near the sea or the mountains?", "From my window I see the mountains.", "mountains"),
        ("Which team won, Leeds or Hull?", "Hull won in the last minute.", "Hull"),
    ],
)
def test_one_turn_answers(ask: Ask, question: str, turn: str, answer: str) -> None:
    assert ask(question, ada(turn)) == answer


@pytest.mark.parametrize(
    ("question", "turn", "answer"),
    [
        ("When did Ada adopt the parrot?", "I adopted a parrot yesterday.", "8 June 2023"),
        ("When did Ada give the speech?", "I gave my speech last week.", "the week before 9 June 2023"),
        ("When is Ada going to the fair?", "I'm going to the fair next month.", "July 2023"),
        ("When did Ada learn to dive?", "I learned to dive last year.", "2022"),
        ("Which year did Ada learn to dive?", "I learned to dive three years ago.", "2020"),
        ("In which month did Ada marry?", "We married on 3 February 2021.", "February 2021"),
        ("When did Ada open the bakery?", "I opened my own bakery, hurray!", "9 June 2023"),
        ("When did Ada start rowing?", "I have been rowing for four months now.", "February 2023"),
        (
            "When did Ada fall ill?",
            "I fell ill last Friday, and Ben visited two days ago.",
            "the Friday before 9 June 2023",
        ),
    ],
)
def test_times_are_worked_out_from_the_day_of_the_turn(ask: Ask, question: str, turn: str, answer: str) -> None:
    assert ask(question, ada(turn)) == answer


def test_a_time_that_cannot_be_worked_out_keeps_its_words(ask: Ask) -> None:
    assert ask("When did Ada fall ill?", ("Ada", "I fell ill last Friday.")) == "last Friday"
    assert ask("When did Ada fall ill?", ("Ada", "I fell ill.")) != "9 June 2023"


def test_lists_join_what_several_turns_tell(ask: Ask) -> None:
    turns = [
        ada("I play the oboe in the town band."),
        ben("My car broke down again."),
        ada("At home I also play the harmonica."),
        ada("Yes, I play the oboe, as I said."),
    ]
    parts = ask("Which instruments does Ada play?", *turns).split(", ")
    assert any("oboe" in part for part in parts)
    assert any("harmonica" in part for part in parts)
    assert sum("oboe" in part for part in parts) == 1


def test_lists_are_no_longer_than_configured(ask: Ask) -> None:
    turns = [ada(f"I grow {name} in the garden.") for name in ("leeks", "beans", "chard", "kale", "peas", "corn")]
    question = "Which plants does Ada grow in the garden?"
    assert len(ask(question, *turns).split(", ")) == 5
    assert len(ask(question, *turns, max_list_items=2).split(", ")) == 2


def test_what_no_sentence_counts_is_counted(ask: Ask) -> None:
    turns = [ada("I went to the beach with the kids."), ada("We went to the beach again!"), ben("I hate sand.")]
    assert ask("How many times has Ada gone to the beach?", *turns) == "two"


def test_whom_the_question_is_about_is_heard_first(ask: Ask) -> None:
    turns = [ben("My favourite dessert is plum cake."), ada("My favourite dessert is rice pudding.")]
    assert ask("What is Ada's favourite dessert?", *turns) == "rice pudding"
    assert ask("What is Ben's favourite dessert?", *turns) == "plum cake"


def test_who_asks_about_me_is_heard_first(ask: Ask) -> None:
    turns = [("assistant", "A good drink is mint lemonade."), ("user", "My preferred drink is plain kefir.")]
    assert ask("What drink do I prefer?", *turns, principal="user") == "plain kefir"


def test_what_somebody_else_told_is_not_put_into_the_mouth_of_the_one_asked_about(ask: Ask) -> None:
    turns = [ben("I won the regional chess tournament."), ada("Congrats! I only bake bread.")]
    question = "Which tournament did Ada win?"
    assert ask(question, *turns) == NOT_MENTIONED
    assert ask(question, *turns, min_attribution=0.0) != NOT_MENTIONED


def test_a_date_in_the_question_picks_the_turn(ask: Ask) -> None:
    turns = [ada("We cooked lentil soup.", "2023-03-04"), ada("We cooked barley risotto.", "2023-07-20")]
    assert ask("What did Ada cook in July 2023?", *turns) == "barley risotto"
    assert ask("What did Ada cook in March 2023?", *turns) == "lentil soup"


def test_a_turn_answers_the_question_before_it(ask: Ask) -> None:
    turns = [
        ben("What did you paint for the exhibition?"),
        ada("A heron in fog."),
        ada("The bus was late."),
    ]
    assert ask("What did Ada paint for the exhibition?", *turns) == "heron in fog"


def test_captions_are_read_when_nothing_better_is_said(ask: Ask) -> None:
    turn = ada("Look at this! [shares a photo of a lighthouse under snow]")
    assert "lighthouse" in ask("What did Ada share a photo of?", turn)


def test_nothing_recalled_is_not_mentioned(ask: Ask) -> None:
    assert ask("What did Ada buy?") == NOT_MENTIONED


def test_what_nobody_spoke_of_is_not_mentioned(ask: Ask) -> None:
    assert ask("What did Ada buy in Reykjavik?", ben("Rain again, and no umbrella.")) == NOT_MENTIONED


def test_the_threshold_decides_when_to_decline(ask: Ask) -> None:
    turn = ben("Somebody bought cheap porcelain elephants.")
    question = "Which auction house in Geneva bought the collection of Baroness Keller?"
    assert ask(question, turn, min_evidence=0.0) != NOT_MENTIONED
    assert ask(question, turn, min_evidence=0.9) == NOT_MENTIONED
    assert ask(question, turn, min_evidence=0.9, not_mentioned="No idea") == "No idea"


def test_answers_are_no_longer_than_configured(ask: Ask) -> None:
    turn = ada("I described one quiet grey harbour town beside steep cliffs, tall masts, and cold northern water.")
    assert len(ask("What did Ada describe?", turn, max_answer_words=3).split()) <= 3


@pytest.mark.parametrize(
    "template", ["{0} Select the correct answer: (a) {1} (b) {2}. ", "{0}\n(a) {1}\n(b) {2}\nAnswer:"]
)
def test_of_two_options_the_supported_one_is_said_in_its_own_words(ask: Ask, template: str) -> None:
    question = "What did Ada sew?"
    turn = ada("I sewed a raincoat for my dog.")
    offered = template.format(question, "a raincoat", "a tent")
    assert ask(question, turn, content=offered) == "a raincoat"
    offered = template.format(question, "Not mentioned in the conversation", "a raincoat")
    assert ask(question, turn, content=offered) == "a raincoat"
    offered = template.format(question, "a submarine", "Not mentioned in the conversation")
    assert ask(question, turn, content=offered) == "Not mentioned in the conversation"
    assert ask(question, content=offered) == "Not mentioned in the conversation"


def test_instructions_around_the_question_do_not_matter(ask: Ask) -> None:
    prompt = "You will read a lot. Be brief!\n\nQuestion: What did Ada sew? Use the date. Short answer:"
    assert ask(prompt, ada("I sewed a raincoat."), ada("Be brief, said the reader of dates.")) == "raincoat"


def test_a_searching_memory_serves_as_well(ask: Ask) -> None:
    turns = [ada(f"On day {number} I walked around the pond.") for number in range(40)]
    turns.insert(17, ada("I sewed a raincoat for my dog."))
    assert ask("What did Ada sew for the dog?", *turns, searched=True, recall_limit=3) == "raincoat"


def test_the_same_items_give_the_same_answer(ask: Ask) -> None:
    turns = [ada(f"I carved a {thing} from oak.") for thing in ("spoon", "bowl", "whistle")]
    answers = {ask("What did Ada carve from oak?", *turns) for _ in range(3)}
    assert len(answers) == 1
