"""Writes the example studies beside this file and into the package, the same bytes every time.

The package has them because `accord.datasets.load` gives them to whoever installed accord and has no clone.

The texts are invented for this project and so are the annotators: each text carries the label its author had
in mind and, after a slash, the one that a careful reader might give instead. An annotator in doubt takes the
second, and now and then anyone slips. Run it after a change to the texts::

    python examples/make_examples.py
"""

from __future__ import annotations

import csv
import io
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

HERE = Path(__file__).parent
SHIPPED = HERE.parent / "src" / "accord" / "datasets" / "own"

BIKE_MESSAGES = """
question | Can I return a bike at a station in another district?
question | Do you plan to add child seats to any of the bikes?
question | How long does the refund of the deposit usually take?
question | Is there a day pass for visitors?
question | What happens if the bike is stolen during my ride?
question | Where do I find the code to unlock the cargo bikes?
question | Does the monthly plan include electric bikes?
question | Are helmets required when riding in the park?
question | Which stations stay open during the marathon?
question | Could you tell me whether my student card still gives a discount?
question | Is it allowed to lend my account to my sister for a weekend?
question/complaint | Why was I charged twice for one trip on Sunday?
question/complaint | How can it be that the dock says full when there are three free places?
question/complaint | Is anybody going to repair the lights at Harbour Street?
question/complaint | When will the app finally remember my payment card?
complaint | The brakes on bike 4471 hardly work, somebody is going to get hurt.
complaint | Third morning in a row without a single bike at the hospital.
complaint | I waited forty minutes on the hotline and then the line went dead.
complaint | The saddle was soaked and the basket full of rubbish.
complaint | Your app logged me out in the middle of a ride and kept counting.
complaint | The new prices are simply too high for people who ride every day.
complaint | The bell is missing, the chain squeaks, and the tyre lost air.
complaint | My refund was promised for last week and has not arrived.
complaint | The map shows bikes that are not there.
complaint | The station was moved without a word to anyone on our street.
complaint/question | I still do not understand how the bonus minutes are counted.
complaint/question | Nobody answers my mail about the broken lock, is this address still in use?
complaint/praise | Lovely bikes, but useless if the docks are always full after six.
complaint/praise | The staff were kind, yet the fine stays although I did nothing wrong.
praise | The new electric bikes climb the castle hill as if it were flat.
praise | Your driver brought my forgotten bag back, thank you so much!
praise | Best thing that has happened to my commute in ten years.
praise | Refund arrived the next day, very smooth.
praise | The mechanics at the east depot did a wonderful job.
praise | Clean bikes, clear prices, friendly people.
praise | I sold my car in March and have not missed it once.
praise | The night lights on the river path are a great idea.
praise/complaint | After a dreadful start last year the service is actually good now.
praise/complaint | Finally a station near the school, it only took four years.
praise/question | Great that there is a family plan, could it cover three children?
"""

REVIEWS = """
positive | hotel | The room was spotless and the view made up for the long drive.
positive | hotel | Breakfast alone is worth the stay, and the staff remembered our names.
positive | hotel | They let us check in at eight in the morning without a fuss.
positive/neutral | hotel | A quiet house, ten minutes on foot from the old town.
neutral | hotel | Check-in opens at three and the key is left in a box by the door.
neutral | hotel | We had a double room on the second floor facing the yard.
neutral/negative | hotel | There is no lift, so ask for a lower floor if you carry heavy bags.
neutral/positive | hotel | The price includes a towel, a bicycle and a cup of tea.
negative | hotel | The heating rattled all night and reception only shrugged.
negative | hotel | We found hair in the bath and mould behind the curtain.
negative | hotel | Charged for a minibar that was empty when we arrived.
negative/mixed | hotel | Pretty pictures online, a tired and narrow room in real life.
mixed | hotel | Wonderful garden, dreadful mattress.
mixed/negative | hotel | The pool is lovely if you manage to get near it before the bus tours do.
mixed/positive | hotel | Small rooms, but I would go back tomorrow for that terrace.
positive | restaurant | The lamb fell off the bone and the bread was still warm.
positive | restaurant | Our waiter talked us out of the expensive wine, and he was right.
positive | restaurant | I have been dreaming about that lemon tart all week.
positive/mixed | restaurant | Worth every minute of the queue.
neutral | restaurant | The menu changes on the first Monday of the month.
neutral | restaurant | They serve lunch until two and dinner from half past six.
neutral | restaurant | I ordered the soup and my brother had the fish.
neutral/positive | restaurant | Portions are large and most people share.
negative | restaurant | Cold pasta, warm beer, and a bill with two mistakes.
negative | restaurant | We were told to hurry before the plates were empty.
negative | restaurant | The fish smelled and nobody apologised.
negative/neutral | restaurant | The music is louder than the guests.
mixed | restaurant | Superb starters, and then a main course that tasted of nothing.
mixed | restaurant | The food is brilliant; the service behaves as if you had broken in.
mixed/neutral | restaurant | Not the best noodles in town, not the worst either.
positive | train | On time, clean, and a conductor who sang the stations.
positive | train | The new carriages are so quiet that I fell asleep before the tunnel.
positive | train | They held the connection for us, which saved our holiday.
positive/neutral | train | The journey now takes two hours instead of three.
neutral | train | The train leaves from platform nine and stops in four towns.
neutral | train | Seats are numbered from the front of the carriage.
neutral | train | Tickets are checked after the second stop.
neutral/negative | train | Bring your own water, as there is no dining car on this line.
negative | train | Two hours in a field without light, air or a word of explanation.
negative | train | The toilets were locked in all five carriages.
negative | train | Somebody else was given my reserved seat, and the app blamed me.
negative/mixed | train | The ride is fine once you have survived the ticket machine.
mixed | train | Beautiful route along the lake, filthy windows to see it through.
mixed/negative | train | We arrived an hour late, though the crew did what they could.
mixed/positive | train | Crowded as ever, yet for that price I cannot really complain.
positive | museum | The guide made a room of broken pots the best hour of our trip.
positive | museum | My daughter did not want to leave the hall of whales.
positive | museum | Free on Thursdays, and better than many that charge a fortune.
positive/mixed | museum | I expected dust and found one of the liveliest shows of the year.
neutral | museum | The collection is spread over three floors and a courtyard.
neutral | museum | Photography is allowed without flash.
neutral | museum | Opened in 1987, the building was once a tram depot.
neutral/positive | museum | There are benches in every room and a cloakroom in the cellar.
negative | museum | Half the rooms were closed and we paid the full price.
negative | museum | The labels are tiny, faded and full of errors.
negative | museum | A guard followed us from room to room as if we were thieves.
negative/mixed | museum | A great painter deserves better light than this.
mixed | museum | Fascinating objects, hopeless signs: we walked in circles for an hour.
mixed/positive | museum | The café is a disappointment, the roof garden is a marvel.
mixed/neutral | museum | Interesting for an hour, long for an afternoon.
"""

EMAILS = """
question | Which room do we have on Thursday?
question | Password for the shared calendar?
question | Who ordered forty metres of cable?
question+planning | Can you make it on the 14th, or is the 15th better?
question+planning | Two days or three for the workshop?
question+action item | Could somebody check why the printer prints in pink?
question+social chat | Did anyone else see the fox by the bike shed?
answer | Re: Which room do we have on Thursday? The blue one
answer | Re: Password for the shared calendar
answer | Re: Who ordered the cable? I did, sorry
answer+planning | Re: Can you make it on the 14th? Only after lunch
answer+action item | Re: Printer: done, but please order pink toner
answer+question | Re: Travel costs: yes, up to 80, who signs the form?
answer+social chat | Re: Fox: yes, and she has cubs!
broadcast | Lift out of service until Friday
broadcast | Slides and minutes of the spring meeting
broadcast | New opening hours of the library
broadcast+planning | Save the date: summer school, 3 to 7 July
broadcast+action item | Reminder: hours have to be filed by noon
broadcast+social chat | Cake in the kitchen, Mirela passed her exam
planning | Agenda for the kick-off
planning | Moving our meeting to Tuesday, half past ten
planning+question | Draft schedule for the visit, does it work for everybody?
planning+action item | Conference trip: please book trains by the 20th
action item | Please sign the attached form
action item | Back up the lab server before the power cut
action item+question | Review two chapters by Monday, which ones do you want?
social chat | Football on Sunday, we are one goalkeeper short
social chat | Photos from the boat trip
social chat+planning | Farewell dinner for Tomas: Italian or Georgian, and when?
"""

HEADLINES = """
joy | Village choir wins national prize at the ninth attempt
joy/surprise | Lost dog walks home after eleven months
joy | Twins born on a night train, mother and babies well
joy+surprise | Pensioner finds missing lottery ticket in a cookbook
joy | School garden feeds the whole street
joy/sadness | Last lighthouse keeper retires with a party on the rocks
joy+surprise | Amateur astronomer, 14, discovers a comet
joy | Rivals share gold after refusing a tie-break
sadness | Beloved bookshop closes after ninety years
sadness | Fishing village says farewell to three of its own
sadness/anger | Oldest oak in the county felled by mistake
sadness+fear | Families wait at the harbour as search is called off
sadness | Orphaned bear cub dies in spite of keepers' care
sadness+anger | Hospice told to close a week before the holidays
sadness/joy | Widow publishes the love letters she was never sent
sadness | Drought empties the lake where generations learned to swim
anger | Council chiefs award themselves a pay rise in secret vote
anger+disgust | Landlord kept rats' nest hidden behind fresh wallpaper
anger | Bus drivers left without wages for a third month
anger+disgust | Inspectors find rotten meat relabelled as fresh
anger/sadness | Playground sold to build a car park
anger+fear | Factory knew of the gas leak for six weeks
anger | Fans locked out as touts take half the seats
anger+surprise | Firm bills customers for cancelling its own service
fear | Second tremor in a week shakes the valley
fear/surprise | Wolf tracks found behind the nursery
fear+sadness | River still rising as night falls on flooded towns
fear | Patients warned over faulty heart monitors
fear+anger | Brake fault was reported twice before the crash
fear | Unknown fever closes four schools
fear/anger | Bank asks customers to change every password tonight
fear+surprise | Sinkhole swallows a parked lorry on the ring road
disgust | Sewage washes over the beach in high season
disgust+anger | Coach filmed mocking injured players
disgust/fear | Thousands of cockroaches found in hospital kitchen
disgust+surprise | Diner finds a false tooth in the soup
surprise | Snow falls on the desert town for the first time
surprise/joy | Runner in a borrowed pair of shoes wins the marathon
surprise | Painting used as a door stop turns out to be genuine
surprise+joy | Mayor resigns to join the circus, and the circus is delighted
"""

TICKETS = """
billing | I was charged twice for the same order.
billing | Please send the invoice to our accounting office.
billing | The discount code was not taken off my bill.
billing | My card was declined although there is money on it.
billing | Why is there a fee for paying by bank transfer?
billing | The refund for the blue lamp is still missing.
billing/account | Please change the company name on future invoices.
billing/delivery | I paid for express and got the slow parcel, so I want the difference back.
billing/product | The lamp was returned as faulty and I was refunded only half.
billing/account | My stored card has expired, how do I add the new one?
delivery | The parcel has been in the same depot since Monday.
delivery | Courier left the box in the rain.
delivery | Can I move the delivery to Saturday?
delivery | The tracking number does not exist.
delivery | Nobody rang the bell and now it is at a shop across town.
delivery | One of the two boxes never came.
delivery | It was sent to my old flat.
delivery/account | I changed the address in my profile but the parcel went to the old one.
delivery/product | The box was crushed and so was the lamp inside.
delivery/billing | Customs wants a fee before they hand over the parcel.
account | I cannot log in since yesterday's update.
account | Please delete all data you hold about me.
account | The reset mail never reaches me.
account | Somebody else's orders appear in my profile.
account | How do I merge two accounts?
account | My user name has a spelling mistake.
account | The app asks for my password at every step.
account/billing | My loyalty points vanished after I updated my card.
account/product | The voice speaker cannot find my profile.
account/delivery | I never get the mail that says when a parcel will come.
product | The lamp flickers whenever the fridge starts.
product | One screw is missing from the bag.
product | The speaker crackles at low volume.
product | Is the desk also made in oak?
product | The manual shows another model.
product | Battery lasts an hour instead of a day.
product | The chair squeaks and leans to the left.
product/delivery | I ordered the green kettle and a red one came.
product/billing | The same desk costs less on your other page, which price is right?
product/delivery | There was no charger in the parcel.
"""

KEYWORDS = {
    "billing": ("charge", "invoice", "bill", "card", "fee", "paid", "pay", "refund", "price"),
    "delivery": ("parcel", "courier", "delivery", "tracking", "box", "sent", "came"),
    "account": ("account", "password", "log in", "profile", "mail", "user"),
}

STATEMENTS = """
claim | The bridge was closed for eleven weeks last year.
claim | About a third of the town's water is lost in old pipes.
claim | Honey does not spoil if the jar stays closed.
claim | The number of night trains has doubled since the timetable reform.
claim | Most of the apples sold here are grown within fifty kilometres.
claim | The library lends more films than books.
claim | Two of the four wells were tested in spring.
claim | Rents near the station rose by nine per cent.
claim | The school has one computer for every six pupils.
claim | Bees see ultraviolet light.
claim | The tower lost its roof in a storm in 1911.
claim | No member of the board lives in the district.
claim/opinion | The new tram line has made the city centre quieter.
claim/opinion | Young people hardly read newspapers any more.
claim/opinion | The reform cost the taxpayer far more than was admitted.
claim/opinion | Local shops suffer most from the roadworks.
claim/advice | Bread keeps longer in a linen bag than in the fridge.
claim/advice | A short walk after lunch helps people to concentrate.
opinion | The old town hall is the ugliest building for miles.
opinion | Nobody should have to work on a Sunday.
opinion | The festival has lost its charm.
opinion | Rain on a tin roof is the best sound there is.
opinion | The mayor's speech was an embarrassment.
opinion | Four-day weeks are a matter of decency.
opinion | The last chapter is too long and too sweet.
opinion | Winter is overrated.
opinion | A museum without benches does not like its visitors.
opinion | The team played with more heart than skill.
opinion | Our park deserves better than plastic swings.
opinion | It is a shame that the cinema closed.
opinion/claim | The council clearly prefers cars to children.
opinion/claim | This is the worst winter for cyclists in living memory.
opinion/claim | The exam was harder than in other years.
opinion/advice | People ought to see the exhibition before it moves on.
opinion/advice | It would be wise to keep the small schools open.
opinion/advice | Nobody needs more than three good knives.
advice | Soak the beans overnight and change the water twice.
advice | Take the second exit and park behind the church.
advice | Do not send the form before you have both signatures.
advice | Ask for a receipt, even for small amounts.
advice | Bring a torch, the cellar has no light.
advice | Water the seedlings in the evening.
advice | Check the date of your passport a month before you leave.
advice | Try the back door if nobody answers.
advice | Never lift the pot by its handles.
advice | Write the date on every jar.
advice/opinion | You really must try the plum dumplings at the market.
advice/opinion | Better to rent a bike than to trust the buses.
advice/claim | Tomatoes do best on the south side of the house.
advice/claim | With two coats of oil the table will last for decades.
"""

Row = tuple[str, ...]


HARBOUR_NOTES = """
Captain {PER Nia Rask} brought the ferry into {LOC Vellin} an hour before the storm.
The {ORG Harbour Board} has asked {PER Tomas Ekbo} to look at the cranes again.
From {LOC Vellin} the boats go on to {LOC Ostra Point}, where {ORG Ekbo and Sons} mend nets.
Doctor {PER Ines Vahl} of the {ORG Seamen's Clinic} thanked the crew in {LOC Marn}.
{ORG Northline} sold two of its ferries, and nobody at the {ORG Harbour Board} was told.
In spring {PER Ada Lund} walked from {LOC Marn} to {LOC Ostra Point} in four days.
Mayor {PER Oskar Frey} opened the new pier with a speech of nine words.
The choir of {LOC Vellin} sang for {PER Nia Rask}, who had turned sixty.
{ORG Northline} says the delay was the fault of the {ORG Weather Office}.
When {PER Tomas Ekbo} left {ORG Ekbo and Sons}, his brother {PER Jon} took the workshop.
Fog lay over {LOC Vellin Sound} until noon, said the {ORG Weather Office}.
The {ORG Seamen's Clinic} in {LOC Marn} will close on Sundays from May.
Inspector {PER Lea Quist} counted eleven life vests where there should be forty.
{PER Ada Lund} and {PER Oskar Frey} disagree about the lighthouse on {LOC Ostra Point}.
The {ORG Vellin Courier} printed a map of {LOC Vellin Sound} with two islands too many.
{PER Jon Ekbo} bought the old customs house from the {ORG Harbour Board}.
No ferry of {ORG Northline} has sailed to {LOC Little Marn} since the summer.
Professor {PER Ines Vahl} told the {ORG Vellin Courier} that the water is clean.
Children from {LOC Little Marn} painted the wall of the {ORG Seamen's Clinic}.
{PER Lea Quist} waited three hours for the boat to {LOC Ostra Point}.
The {ORG Marn Rowing Club} beat {ORG Vellin Rowers} by half a length.
{PER Oskar Frey} has written to {ORG Northline}, and so has {PER Nia Rask}.
A whale was seen off {LOC Little Marn} by the crew of the {ORG Weather Office}.
Snow closed the road between {LOC Marn} and {LOC Vellin}, and {PER Jon Ekbo} slept in his van.
"""
TITLES = ("Captain", "Doctor", "Mayor", "Inspector", "Professor")
MARK = re.compile(r"\{(\w+) ([^}]+)\}")


# What pupils wrote to "Why does a ship of steel float?", before it what it is worth of ten points.
SHIP_ANSWERS = """
9 | It pushes away water that weighs as much as the whole ship, so the water carries it.
9 | The hull is mostly air: ship and air together are lighter than the water they take the place of.
8 | Buoyancy is the weight of the water pushed aside, and a wide hull pushes a lot of it aside.
8 | A block of steel sinks, but the same steel as a bowl takes up more room and floats.
8 | Because of Archimedes: the force upwards equals the weight of the displaced water.
7 | The ship is hollow, so on average it is lighter than water.
7 | It sinks in until the water it pushes away weighs the same as the ship.
7 | Steel is heavier than water but the ship is not only steel, it is full of air.
6 | The shape is important, because it has to push away enough water.
6 | The water pushes from below and that is stronger than the weight.
6 | It floats as long as its density with everything inside is below that of water.
5 | The air inside holds it up.
5 | Because the water presses against the bottom of the ship.
5 | A ship is wide and therefore the water can carry it better.
4 | It has a lot of air in it, like a balloon.
4 | The weight is spread over a large area.
4 | Because salt water carries more than fresh water, and ships are in the sea.
3 | The engine keeps it moving and so it does not sink.
3 | Because it is built by engineers who calculate the shape.
3 | The water is stronger than the ship.
2 | Steel can float if it is painted well, so that no water gets in.
2 | Because it is long and the waves carry it.
1 | Steel is lighter than water.
1 | It has always been like that, even the Vikings had ships.
"""


@dataclass(frozen=True)
class Text:
    """One text: the label that was meant, the one that could be given instead, and its topic."""

    item: str
    label: str
    other: str | None
    text: str
    topic: str = ""


@dataclass(frozen=True)
class Annotator:
    """How somebody answers: `doubt` on a text with two readings, `slip` on any, `pull` towards one label."""

    name: str
    doubt: float
    slip: float
    lean: str | None = None
    pull: float = 0.0

    def answer(self, text: Text, labels: Sequence[str], rng: random.Random) -> str:
        """The label given to a text; three draws always, so a change to one text leaves the rest alone."""
        doubt, slip, pull = rng.random(), rng.random(), rng.random()
        if self.lean is not None and pull < self.pull:
            return self.lean
        if text.other is not None and doubt < self.doubt:
            return text.other
        if slip < self.slip:
            return [label for label in labels if label != text.label][int(slip / self.slip * (len(labels) - 1))]
        return text.label


def texts(block: str, prefix: str) -> list[Text]:
    """The texts of a block above, shuffled, and numbered in their new order."""
    lines = [line.split(" | ") for line in block.strip().splitlines()]
    shuffle = random.Random(prefix)
    lines = [line for _, line in sorted((shuffle.random(), line) for line in lines)]
    found = []
    for number, (reading, *topic, text) in enumerate(lines, start=1):
        label, _, other = reading.partition("/")
        found.append(Text(f"{prefix}{number:02}", label, other or None, text, "".join(topic)))
    return found


def two_annotators() -> Iterator[Row]:
    """Wide: a row for each message, a column for each annotator."""
    rng = random.Random("two annotators")
    labels = ("complaint", "praise", "question")
    ana, ben = Annotator("ana", 0.15, 0.02), Annotator("ben", 0.6, 0.03)
    yield "item", "text", "ana", "ben"
    for text in texts(BIKE_MESSAGES, "m"):
        yield text.item, text.text, ana.answer(text, labels, rng), ben.answer(text, labels, rng)


def five_annotators() -> Iterator[Row]:
    """Long, with gaps: dario stopped after 44 texts, the others left some out, and ewa finds much neutral."""
    rng = random.Random("five annotators")
    labels = ("negative", "mixed", "neutral", "positive")
    people = (
        Annotator("ana", 0.2, 0.03),
        Annotator("ben", 0.4, 0.03),
        Annotator("chloe", 0.3, 0.03),
        Annotator("dario", 0.3, 0.04),
        Annotator("ewa", 0.5, 0.05, lean="neutral", pull=0.22),
    )
    yield "item", "annotator", "label", "text", "topic"
    for number, text in enumerate(texts(REVIEWS, "r"), start=1):
        for person in people:
            label, left_out = person.answer(text, labels, rng), rng.random() < 0.1
            if not left_out and not (person.name == "dario" and number > 44):
                yield text.item, person.name, label, text.text, text.topic


def emails() -> Iterator[Row]:
    """Long: a primary label and, if there is one, a secondary label."""
    rng = random.Random("emails")
    labels = ("question", "answer", "broadcast", "planning", "action item", "social chat")
    people = (("ana", 0.1, 0.15, 0.05), ("ben", 0.3, 0.2, 0.06), ("chloe", 0.15, 0.4, 0.05))
    yield "item", "annotator", "rank", "label", "subject"
    for text in texts(EMAILS, "e"):
        primary, _, secondary = text.label.partition("+")
        for name, swap, drop, slip in people:
            swapped, dropped, slipped, which = (rng.random() for _ in range(4))
            given = [primary] if not secondary or dropped < drop else [primary, secondary]
            if len(given) == 2 and swapped < swap:
                given.reverse()
            if slipped < slip:
                others = [label for label in labels if label not in given]
                given[-1] = others[int(which * len(others))]
            for rank, label in enumerate(given, start=1):
                yield text.item, name, str(rank), label, text.text


def emotions() -> Iterator[Row]:
    """Long: a row for each emotion that an annotator read in a headline."""
    rng = random.Random("emotions")
    labels = ("anger", "disgust", "fear", "joy", "sadness", "surprise")
    people = (("ana", 0.9, 0.4, 0.02), ("ben", 0.8, 0.3, 0.03), ("chloe", 0.9, 0.55, 0.04))
    yield "item", "annotator", "label", "headline"
    for text in texts(HEADLINES, "h"):
        meant = text.label.split("+")
        for name, keen, doubt, slip in people:
            chance = dict.fromkeys(labels, slip) | {text.other: doubt} | dict.fromkeys(meant, keen)
            read = [label for label in labels if rng.random() < chance[label]]
            for label in read or meant[:1]:
                yield text.item, name, label, text.text


def suggestion(text: str) -> str:
    """What a keyword heuristic suggests: the first list with a hit, else `product`."""
    found = (label for label, words in KEYWORDS.items() if any(word in text.lower() for word in words))
    return next(found, "product")


def suggested_labels() -> Iterator[Row]:
    """Long: the annotators saw the heuristic's label first, and dario often left it as it was."""
    rng = random.Random("suggested labels")
    labels = ("account", "billing", "delivery", "product")
    people = (
        ("ana", 0.25, 0.02, 0.05),
        ("ben", 0.5, 0.04, 0.1),
        ("chloe", 0.4, 0.03, 0.1),
        ("dario", 0.4, 0.03, 0.6),
    )
    yield "item", "annotator", "label", "suggested", "text"
    for text in texts(TICKETS, "t"):
        suggested = suggestion(text.text)
        for name, doubt, slip, pull in people:
            person = Annotator(name, doubt, slip, lean=suggested, pull=pull)
            yield text.item, name, person.answer(text, labels, rng), suggested, text.text


def people_and_models() -> Iterator[Row]:
    """Long: three people and two models; the second model takes what sounds certain for a claim."""
    rng = random.Random("people and models")
    labels = ("advice", "claim", "opinion")
    answering = (
        (Annotator("ana", 0.3, 0.03), "person"),
        (Annotator("ben", 0.55, 0.04), "person"),
        (Annotator("chloe", 0.4, 0.04), "person"),
        (Annotator("model-a", 0.4, 0.04), "model"),
        (Annotator("model-b", 0.5, 0.05, lean="claim", pull=0.2), "model"),
    )
    yield "item", "annotator", "label", "kind", "text"
    for text in texts(STATEMENTS, "s"):
        for annotator, kind in answering:
            yield text.item, annotator.name, annotator.answer(text, labels, rng), kind, text.text


def judged_answers() -> Iterator[Row]:
    """Long: answers of a help desk judged by four people and three models, some of whose answers cannot be read."""
    rng = random.Random("judged answers")
    labels = ("unhelpful", "partly", "helpful")
    answering = (
        (Annotator("ana", 0.35, 0.04), "person", 0.0, 0.0),
        (Annotator("ben", 0.5, 0.05), "person", 0.0, 0.0),
        (Annotator("chloe", 0.45, 0.04), "person", 0.0, 0.0),
        (Annotator("dario", 0.4, 0.06), "person", 0.0, 0.0),
        (Annotator("careful", 0.25, 0.03), "model", 0.0, 0.0),
        (Annotator("flatterer", 0.4, 0.05, lean="helpful", pull=0.3), "model", 0.0, 0.06),
        (Annotator("hasty", 0.5, 0.25), "model", 0.08, 0.02),
    )
    yield "item", "annotator", "kind", "label", "status"
    for number in range(1, 161):
        place = rng.choices((0, 1, 2), (0.25, 0.35, 0.4))[0]
        other = labels[1] if place != 1 else labels[rng.choice((0, 2))]
        text = Text(f"q{number:03}", labels[place], other if rng.random() < 0.35 else None, "", "")
        for annotator, kind, unparsable, refused in answering:
            said, failed = annotator.answer(text, labels, rng), rng.random()
            status = "unparsable" if failed < unparsable else "refused" if failed > 1 - refused else ""
            yield text.item, annotator.name, kind, "" if status else said, status


def repeated_runs() -> Iterator[Row]:
    """Long: one model asked nine times, three prompts at three temperatures; one prompt reads some otherwise."""
    rng = random.Random("repeated runs")
    labels = ("unhelpful", "partly", "helpful")
    yield "item", "annotator", "prompt", "temperature", "label", "gold"
    for number in range(1, 61):
        place = rng.choices((0, 1, 2), (0.25, 0.35, 0.4))[0]
        near = labels[1] if place != 1 else labels[rng.choice((0, 2))]
        unclear, twisted = rng.random() < 0.35, rng.random() < 0.25
        lost = unclear and rng.random() < 0.6
        for prompt in ("short", "steps", "strict"):
            for temperature in ("0.0", "0.7", "1.0"):
                meant = near if lost or (prompt == "strict" and twisted) else labels[place]
                wavers = rng.random() < float(temperature) * (0.9 if unclear else 0.1)
                said = rng.choice(labels) if wavers else meant
                yield f"q{number:03}", "model", prompt, temperature, said, labels[place]


def marked_names() -> Iterator[Row]:
    """One annotator takes titles into names; one overlooks some, and takes clubs for the places in their names."""
    yield "item", "annotator", "label", "start", "end", "text"
    rng = random.Random(17)
    for number, line in enumerate(HARBOUR_NOTES.strip().splitlines(), start=1):
        text = MARK.sub(r"\2", line)
        for who in ("ana", "ben", "cleo"):
            first = True
            for start, end, label in _names_by(who, line, rng):
                yield f"note{number:02}", who, label, str(start), str(end), text if first and who == "ana" else ""
                first = False
            if first:
                yield f"note{number:02}", who, "", "", "", text if who == "ana" else ""


def scored_answers() -> Iterator[Row]:
    """Long, with gaps: five teachers give up to ten points; ben is strict, dora generous, and emil was away."""
    yield "item", "annotator", "score", "text"
    rng = random.Random(23)
    lines = SHIP_ANSWERS.strip().splitlines()
    rng.shuffle(lines)
    leaning = {"ana": 0.0, "ben": -1.6, "carla": 0.2, "dora": 1.1, "emil": -0.3}
    for number, line in enumerate(lines, start=1):
        worth, text = line.split(" | ")
        for who, shift in leaning.items():
            if (who == "emil" and number > 15) or rng.random() < 0.06:
                continue
            points = min(max(float(worth) + shift + rng.gauss(0, 1.1), 0.0), 10.0)
            yield f"answer{number:02}", who, f"{round(2 * points) / 2:g}", text if who == "ana" else ""


def _names_by(who: str, line: str, rng: random.Random) -> Iterator[tuple[int, int, str]]:
    """Where the names of a line stand once its braces are gone, as one annotator marks them."""
    shift = 0
    for found in MARK.finditer(line):
        start, label, name = found.start() - shift, found.group(1), found.group(2)
        shift += len(found.group(0)) - len(name)
        end = start + len(name)
        before = line[: found.start()].rstrip().rpartition(" ")[2]
        if who == "ben" and before in TITLES and label == "PER":
            start -= len(before) + 1
        if who == "cleo" and rng.random() < 0.12:
            continue
        if who == "cleo" and label == "ORG" and name.split()[0] in ("Vellin", "Marn"):
            label, end = "LOC", start + len(name.split()[0])
        elif rng.random() < 0.04:
            label = rng.choice(("PER", "LOC", "ORG"))
        yield start, end, label


# Four writing assistants and how good each is; what they write is longer or shorter.
ASSISTANTS = {"amber": 1.0, "basil": 0.8, "cedar": -0.4, "dune": -1.4}


def compared_answers() -> Iterator[Row]:
    """People compare two answers in one order; a model judges both orders, and leans to what stands first."""
    yield "prompt", "model_a", "model_b", "judge", "kind", "winner", "words_a", "words_b"
    rng = random.Random(31)
    for number in range(1, 101):
        pair = rng.sample(sorted(ASSISTANTS), 2)
        words = [rng.randrange(40, 240) for _ in pair]
        hard = rng.gauss(0, 0.9)
        for who, kind, first, again in (
            ("ana", "person", 0.0, False), ("ben", "person", 0.0, False), ("cleo", "person", 0.1, False),
            ("judge-1", "model", 0.9, True),
        ):  # fmt: skip
            for swapped in (False, True) if again else (False,):
                one, other = reversed(pair) if swapped else pair
                lead = ASSISTANTS[one] - ASSISTANTS[other] + (-hard if swapped else hard)
                word_a, word_b = reversed(words) if swapped else words
                if kind == "model":
                    lead += (word_a - word_b) / 150
                said = first + 1.6 * lead + rng.gauss(0, 1.0)
                winner = "tie" if abs(said) < 0.45 else "model_a" if said > 0 else "model_b"
                yield f"p{number:03}", one, other, who, kind, winner, str(word_a), str(word_b)


# Five maps of a harbour, and how good each is for a certain errand; dov takes the last place for the first.
MAPS = {"atlas": 1.2, "bearing": 0.7, "chart": 0.1, "drift": -0.5, "eddy": -1.5}


def ranked_maps() -> Iterator[Row]:
    """Four people rank five maps for each errand: one ties what is close, one leaves some out, one ranks backwards."""
    yield "errand", "annotator", "map", "rank"
    rng = random.Random(44)
    for number in range(1, 31):
        fits = {name: good + rng.gauss(0, 0.7) for name, good in MAPS.items()}
        for who, noise in (("ana", 0.4), ("ben", 0.6), ("cleo", 0.5), ("dov", 0.6)):
            if who == "ben" and number > 25:
                continue
            seen = {name: fit + rng.gauss(0, noise) for name, fit in fits.items()}
            order = sorted(seen, key=seen.__getitem__, reverse=who != "dov")
            if who == "cleo" and number % 5 == 0:
                order = order[:4]
            rank = 0
            for place, name in enumerate(order):
                close = place and abs(seen[name] - seen[order[place - 1]]) < 0.2
                rank = rank if who == "ana" and close else place + 1
                yield f"e{number:02}", who, name, str(rank)


SEEN = {"bird": 0.25, "boat": 0.4, "buoy": 0.15, "nothing": 0.2}  # on photographs of a harbour, with how often


def crowd_labels() -> Iterator[Row]:
    """Five of thirty workers say what a photograph shows; two press the same key always, two any key."""
    yield "item", "annotator", "label"
    rng = random.Random(45)
    labels = list(SEEN)
    care = {f"w{number:02}": rng.uniform(0.62, 0.96) for number in range(1, 31)}
    for number in range(1, 121):
        shown = rng.choices(labels, list(SEEN.values()))[0]
        for who in sorted(rng.sample(list(care), 5)):
            if who in ("w07", "w19"):
                said = "boat"
            elif who in ("w11", "w28"):
                said = rng.choice(labels)
            else:
                said = shown if rng.random() < care[who] else rng.choice(labels)
            yield f"photo-{number:03}", who, said


FRAMES = ("conflict", "economy", "everyday life", "responsibility")


def coded_pilot() -> Iterator[Row]:
    """Three coders try a codebook on twenty articles; what the tone is was not clear yet."""
    return _coded(range(1, 21), random.Random(46), (1, 3, 4, 3, 1))


def coded_articles() -> Iterator[Row]:
    """The same coders and the revised codebook."""
    return _coded(range(21, 81), random.Random(47), (0, 1, 8, 1, 0))


def _coded(numbers: range, rng: random.Random, moves: tuple[int, ...]) -> Iterator[Row]:
    """Frame, tone, people quoted; `moves` is how often the tone is taken for one two lower to two higher."""
    yield "article", "coder", "frame", "tone", "quoted"
    for number in numbers:
        frame, tone, quoted = rng.choice(FRAMES), rng.choice(range(-2, 3)), min(int(rng.expovariate(0.4)), 9)
        for who, slips in (("coder-1", 0.10), ("coder-2", 0.14), ("coder-3", 0.18)):
            said = rng.choice(FRAMES) if rng.random() < slips else frame
            shown = max(-2, min(2, tone + rng.choices(range(-2, 3), moves)[0]))
            missed = rng.choices((0, 1, 2), (6, 3, 1))[0] if quoted > 2 else 0
            yield f"a{number:02}", who, said, str(shown), str(quoted - missed)


STUDIES: dict[str, Callable[[], Iterator[Row]]] = {
    "two-annotators.csv": two_annotators,
    "five-annotators.csv": five_annotators,
    "emails-primary-secondary.csv": emails,
    "emotions.csv": emotions,
    "suggested-labels.csv": suggested_labels,
    "people-and-models.csv": people_and_models,
    "judged-answers.csv": judged_answers,
    "repeated-runs.csv": repeated_runs,
    "marked-names.csv": marked_names,
    "compared-answers.csv": compared_answers,
    "scored-answers.csv": scored_answers,
    "ranked-maps.csv": ranked_maps,
    "crowd-labels.csv": crowd_labels,
    "coded-pilot.csv": coded_pilot,
    "coded-articles.csv": coded_articles,
}


def contents(name: str) -> str:
    """A study as CSV."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(STUDIES[name]())
    return file.getvalue()


if __name__ == "__main__":
    for file_name in STUDIES:
        for folder in (HERE, SHIPPED):
            (folder / file_name).write_text(contents(file_name), encoding="utf-8", newline="")
        print(f"wrote {file_name}")
