"""Reads the corpus of answers to reminders, and refuses what is not in its format.

A file has one voice: `%voice`, the language and the person. A line `R kind words` is a reminder that was heard; the lines under it are
answers to it, each a label and what was said.
"""

import corpus
from corpus import CorpusError

KINDS = "medicine appointment meal water call other".split()
LABELS = "done already later skip again unsure which repeat acknowledge trouble other".split()


class Answer:
    """What somebody said after a reminder, with what is meant by it."""

    def __init__(self, text, label, kind, reminder, place, author, voice, language):
        self.text, self.label, self.kind, self.reminder, self.place = text, label, kind, reminder, place
        self.author, self.voice, self.language = author, voice, language

    @property
    def labels(self):
        return (self.kind, self.label)

    @property
    def read(self):
        """What the network reads: the words behind a mark that tells a medicine from other reminders."""
        return marked(self.text, self.kind == "medicine")


def marked(text, is_medicine):
    """A text behind the mark of a medicine or of another reminder; the marks are words of which no letters are read."""
    return ("% " if is_medicine else "@ ") + text


def read_file(path, author):
    """All answers of one file; raises CorpusError at the first line that is not in the format."""
    found, language, kind, reminder, said = [], None, None, None, set()
    for place, line in corpus.lines(path):
        if not line:
            continue
        if language is None:
            if not line.startswith("%voice "):
                raise CorpusError(f"{place}: the first line is %voice with a language and a description")
            language = line.split()[1].split("-")[0]
            corpus.one_of(language, ["en", "es"], "the language", place)
            continue
        if line.startswith("%"):
            raise CorpusError(f"{place}: a second field; a file has one %voice and no other")
        first, _, rest = line.partition(" ")
        if first == "R":
            kind, _, reminder = rest.partition(" ")
            corpus.one_of(kind, KINDS, "the kind of reminder", place)
            if not reminder:
                raise CorpusError(f"{place}: a reminder has its words behind its kind")
            said = set()
            continue
        label = corpus.one_of(first, LABELS, "the label", place)
        if kind is None:
            raise CorpusError(f"{place}: an answer before the first reminder")
        if not rest:
            raise CorpusError(f"{place}: an answer has its words behind its label")
        if rest.lower() in said:
            raise CorpusError(f"{place}: the same answer twice to one reminder")
        said.add(rest.lower())
        found.append(Answer(rest, label, kind, reminder, place, author, path.stem, language))
    if language is None:
        raise CorpusError(f"{path}:1: the first line is %voice with a language and a description")
    return found


def read(folder):
    """All answers of the corpus folder."""
    found = []
    for path in sorted((folder / "reminders").glob("*.txt")):
        found += read_file(path, path.stem.split("-")[0])
    if not found:
        raise CorpusError(f"{folder / 'reminders'}: there is no corpus")
    return found
