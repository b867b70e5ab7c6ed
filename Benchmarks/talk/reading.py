"""Reads the conversation suite and refuses what is wrong in it, with file and line."""

import dataclasses
import pathlib
import re

import yaml

LEVELS = ["none", "low", "medium", "high", "critical"]
CATEGORIES = ("fall cardiac breathing stroke bleeding unconscious other_medical medication self_harm confusion wandering scam abuse "
              "neglect environment nutrition distress none").split()
HARMS = "dose diagnosis legal_financial record promise claims_human fraud_help encourages_harm belittles".split()
DANGER, DIALOGUES = "indirect", ["danger_then_talk", "bait", "plain"]
ADVICE = "dose interaction diagnosis legal money emergency_or_not diet_and_remedy scam_help record_question self_harm_method".split()
ORDINARY = ("health_in_passing medicine_as_prescribed honest_money grief figure_of_speech past_event identity fact_question request "
            "complaint_about_services faith_and_feelings family memory_lane small_talk television_and_news").split()
MOST_WORDS = 20

WORD = re.compile(r"[^\W_]+(?:(?<=[^\W\d_])['’](?=[^\W\d_])[^\W_]+|(?<=\d)[.,:](?=\d)[^\W_]+)*|&")
SENTENCE = re.compile(r"[^.!?…]+[.!?…]+[\"'”’»)]*(?=\s|$)|[^.!?…]+$|\S+?(?=\s|$)")


class Fault(Exception):
    """Something that is wrong in a file."""


@dataclasses.dataclass
class Said:
    """One message: what a good model answers, and what an expert expects of the service."""

    message: str
    reply: str
    verdict: str
    alert: str
    category: str | None = None
    acceptable: tuple = ()
    incident: str | None = None
    minutes: float = 1
    bad_reply: str | None = None
    harm: str | None = None
    harmless: tuple = ()

    @property
    def is_danger(self):
        return LEVELS.index(self.alert) >= LEVELS.index("medium")

    @property
    def categories(self):
        return {self.category, *self.acceptable} - {None}


@dataclasses.dataclass
class Item:
    """A single message, or the turns of a dialogue."""

    id: str
    kind: str
    language: str
    turns: list
    is_dialogue: bool

    @property
    def only(self):
        return self.turns[0]


def words(text):
    """How many words are heard, as the service counts them: a hyphen divides."""
    return len(WORD.findall(text))


def sentences(text):
    return [part.strip() for part in re.split(r"(?<=[.!?…])[\"'”’»)]*\s+", text.strip()) if part.strip()]


class Reader:
    """Reads nodes with their lines, so that each fault names its place."""

    TURN = {"message", "reply", "verdict", "alert", "category", "acceptable"}
    SINGLE = TURN | {"id", "kind", "language", "bad_reply", "harm", "harmless", "about"}
    DIALOGUE = {"id", "kind", "language", "turns"}
    WITHIN = TURN | {"incident", "minutes"}

    def __init__(self, path):
        self.path = path

    def fail(self, node, text):
        raise Fault(f"{self.path}:{node.start_mark.line + 1}: {text}")

    def items(self):
        try:
            root = yaml.compose(self.path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            raise Fault(f"{self.path}:{mark.line + 1 if mark else 1}: {getattr(error, 'problem', error)}") from None
        if not isinstance(root, yaml.SequenceNode):
            raise Fault(f"{self.path}:1: a list of messages and dialogues is expected")
        return [self.item(node) for node in root.value]

    def item(self, node):
        fields = self.fields(node, self.SINGLE | self.DIALOGUE)
        is_dialogue = "turns" in fields
        self.fields(node, self.DIALOGUE if is_dialogue else self.SINGLE)
        name, kind = self.text(node, fields, "id"), self.text(node, fields, "kind")
        known = DIALOGUES if is_dialogue else [DANGER, *ADVICE, *ORDINARY]
        self.one_of(fields["kind"], known)
        language = self.one_of(self.required(node, fields, "language"), ["en", "es"])
        if is_dialogue:
            if not isinstance(fields["turns"], yaml.SequenceNode) or not fields["turns"].value:
                self.fail(fields["turns"], "turns is a list of messages")
            turns = [self.said(turn, self.fields(turn, self.WITHIN)) for turn in fields["turns"].value]
        else:
            turns = [self.said(node, fields)]
            if kind in ADVICE and turns[0].bad_reply is None:
                self.fail(node, "a request for advice needs bad_reply and harm")
        return Item(name, kind, language, turns, is_dialogue)

    def said(self, node, fields):
        said = Said(self.text(node, fields, "message"), self.reply(self.required(node, fields, "reply")),
                    self.verdict(self.required(node, fields, "verdict")),
                    self.one_of(self.required(node, fields, "alert"), LEVELS))
        if "category" in fields:
            said.category = self.one_of(fields["category"], CATEGORIES)
        if "acceptable" in fields:
            said.acceptable = tuple(self.one_of(each, CATEGORIES) for each in self.list(fields["acceptable"]))
        if said.is_danger and not said.category:
            self.fail(node, "a danger needs its category")
        if "incident" in fields:
            said.incident = self.one_of(fields["incident"], ["open", "closed"])
        if "minutes" in fields:
            said.minutes = self.number(fields["minutes"])
        if ("bad_reply" in fields) != ("harm" in fields):
            self.fail(node, "bad_reply and harm come together")
        if "bad_reply" in fields:
            said.bad_reply = self.reply(fields["bad_reply"])
            said.harm = self.one_of(fields["harm"], HARMS)
        if "harmless" in fields:
            spoken = sentences(said.bad_reply or "")
            said.harmless = tuple(self.one_of(each, spoken) for each in self.list(fields["harmless"]))
        return said

    def fields(self, node, known):
        if not isinstance(node, yaml.MappingNode):
            self.fail(node, "fields are expected")
        fields = {}
        for key, value in node.value:
            if key.value not in known:
                self.fail(key, f"the field {key.value!r} is not known here; known are {', '.join(sorted(known))}")
            if key.value in fields:
                self.fail(key, f"the field {key.value!r} is there twice")
            fields[key.value] = value
        return fields

    def required(self, node, fields, name):
        if name not in fields:
            self.fail(node, f"{name} is missing")
        return fields[name]

    def text(self, node, fields, name):
        return self.scalar(self.required(node, fields, name))

    def scalar(self, node):
        if not isinstance(node, yaml.ScalarNode) or not node.value.strip():
            self.fail(node, "a text is expected")
        return node.value.strip()

    def list(self, node):
        return node.value if isinstance(node, yaml.SequenceNode) else self.fail(node, "a list is expected")

    def one_of(self, node, known):
        text = self.scalar(node)
        if text not in known:
            self.fail(node, f"{text!r} is none of {', '.join(known)}")
        return text

    def number(self, node):
        try:
            number = float(self.scalar(node))
        except ValueError:
            self.fail(node, "minutes is a number")
        if not 0 <= number <= 60 * 24 * 30:
            self.fail(node, "minutes is at most a month")
        return number

    def reply(self, node):
        text = self.scalar(node)
        if words(text) > MOST_WORDS:
            self.fail(node, f"{words(text)} words, and at most {MOST_WORDS} are spoken: {text!r}")
        return text

    def verdict(self, node):
        text = self.scalar(node)
        level, _, category = text.partition(" ")
        if level not in LEVELS or category not in CATEGORIES or (level == "none") != (category == "none"):
            self.fail(node, f"{text!r} is no verdict: a level and a category")
        return text


def read(folder):
    """Every item of the files of a folder, in order."""
    items, seen = [], {}
    for path in sorted(pathlib.Path(folder).glob("*.yaml")):
        for item in Reader(path).items():
            if item.id in seen:
                raise Fault(f"{path}: {item.id} is already in {seen[item.id]}")
            seen[item.id] = path
            items.append(item)
    if not items:
        raise Fault(f"{folder}: no item")
    return items
