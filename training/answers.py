"""Trains the reader of answers to reminders: a network over words, and a linear reading of the vector beside it.

Both are fitted without an eighth of the voices in turn. What these say of the voices that they had not heard calibrates them,
weighs words and vector, and gives the thresholds. docs/detector.md tells what the thresholds do.
"""

import hashlib
import json
import re

import numpy
from scipy.optimize import minimize
from scipy.sparse import vstack

import calibration
import corpus
import fusion
import measures
import model_file
import network as networks
import reminders

GAINS = [2.0, 2.0]
FOLDS = 8
SETTINGS = networks.Settings(hidden=48, epochs=30, least=2)
# How strongly the weights of the vector's reading are held small.
PENALTY = 1e-4
# How much a sentence counts that is repeated in small letters without punctuation, and one of ordinary talk.
PLAIN_WEIGHT, ORDINARY_WEIGHT = 0.5, 0.1

# What the reader may conclude, by the labels that say so.
MEANINGS = {
    "done": ["done", "already"],
    "later": ["later"],
    "skipped": ["skip"],
    "asked": ["which", "repeat"],
    "doubted": ["again", "unsure"],
    "nothing": ["acknowledge", "trouble", "other"],
}
NAMES = list(MEANINGS)
# The greatest shares of answers of another meaning that may reach a meaning, where the reminder was just heard.
HEARD = {"done": 0.01, "later": 0.02, "skipped": 0.005, "asked": 0.01, "doubted": 0.05, "nothing": 0.02}
# The same for a medicine that is noted as taken or left out: by words and vector together, and by the words alone, which must both
# reach it.
SURE = {"vector": {"done": 0.002, "skipped": 0.001}, "text": {"done": 0.01, "skipped": 0.01}}
# The greatest share of ordinary talk that may reach one, where the reminder is only open.
OPEN = 0.002


class Examples:
    """Texts as the networks read them, with their labels, their voices, and how much each counts."""

    def __init__(self, texts, kinds, labels, voices, weight, vectors):
        self.grams = networks.grams([reminders.marked(*pair) for pair in zip(texts, kinds)], GAINS)
        self.vectors = vectors.of([("", text) for text in texts]).astype(float)
        self.labels = numpy.array([reminders.LABELS.index(label) for label in labels], int)
        self.voices = numpy.array(voices)
        self.weights = numpy.full(len(texts), weight)

    def of(self, chosen):
        """The grams, vectors, labels and weights of the chosen."""
        return self.grams[chosen], self.vectors[chosen], self.labels[chosen], self.weights[chosen]


def _plain(text):
    """The text as speech recognition without punctuation writes it."""
    return re.sub(r"[^\w\s'’]", "", text).lower()


def _hashed(text):
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)


def sentences(text):
    """The sentences of an answer."""
    return [part for part in re.split(r"(?<=[.!?…])[\"'”’)]*\s+", text) if part]


def logistic(vectors, labels, weights):
    """The weights with which a vector and a one give the numbers of the labels: multinomial logistic regression."""
    rows, count = numpy.arange(len(labels)), len(reminders.LABELS)
    inputs = numpy.hstack([vectors, numpy.ones((len(labels), 1))])
    truth, share = numpy.eye(count)[labels], weights / weights.sum()

    def loss(found):
        matrix = found.reshape(-1, count)
        numbers = inputs @ matrix
        odds = calibration.softmax(numbers)
        value = -(share * numpy.log(odds[rows, labels] + 1e-12)).sum()
        slope = inputs.T @ ((odds - truth) * share[:, None])
        free = matrix.copy()
        free[-1] = 0
        return value + PENALTY * (free**2).sum() / 2, (slope + PENALTY * free).ravel()

    begin = numpy.zeros(inputs.shape[1] * count)
    return minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x.reshape(-1, count)


def _numbers(head, vectors):
    return vectors @ head[:-1] + head[-1]


def fit(answers, talk):
    """The network of the words, from answers, and the weights of the vector, from answers and ordinary talk.

    The words of ordinary talk are not learned: they made the network worse on answers and hardly better on talk.
    """
    grams, vectors, labels, weights = (list(column) for column in zip(*answers))
    head = networks.Head("answer", "softmax", reminders.LABELS, 1.0)
    network = networks.Network([head], SETTINGS)
    targets = numpy.eye(len(reminders.LABELS), dtype=numpy.float32)[numpy.concatenate(labels)]
    network.train(vstack(grams).tocsr(), targets, numpy.concatenate(weights)[:, None].astype(numpy.float32))
    vectors.append(talk.vectors)
    return network, logistic(
        numpy.vstack(vectors), numpy.concatenate([*labels, talk.labels]), numpy.concatenate([*weights, talk.weights])
    )


class LeftOut:
    """What was read of answers and of ordinary talk by networks that had not heard their voices."""

    def __init__(self, answers, own, plain, talk, apart):
        names = numpy.array(sorted(set(own.voices)))
        numpy.random.default_rng(1).shuffle(names)
        fold_of = {name: place % FOLDS for place, name in enumerate(names)}
        folds = numpy.array([fold_of[name] for name in own.voices])
        parted = [(place, part) for place, answer in enumerate(answers) for part in sentences(answer.text)]
        self.of_part = numpy.array([place for place, _ in parted])
        parts = networks.grams(
            [reminders.marked(part, answers[place].kind == "medicine") for place, part in parted], GAINS
        )
        shape = (len(answers), len(reminders.LABELS))
        self.words, self.vector = numpy.zeros(shape), numpy.zeros(shape)
        self.parts = numpy.zeros((len(parted), shape[1]))
        self.talk_words, self.talk_vector = numpy.zeros((len(apart.labels), shape[1])), 0
        for fold in range(FOLDS):
            outside = {name for name in names if fold_of[name] != fold}
            heard = lambda examples: numpy.flatnonzero([voice in outside for voice in examples.voices])
            network, head = fit([own.of(heard(own)), plain.of(heard(plain))], talk)
            chosen = numpy.flatnonzero(folds == fold)
            self.words[chosen] = network.numbers(own.grams[chosen])
            self.vector[chosen] = _numbers(head, own.vectors[chosen])
            inside = numpy.flatnonzero(folds[self.of_part] == fold)
            self.parts[inside] = network.numbers(parts[inside])
            self.talk_words += network.numbers(apart.grams) / FOLDS
            self.talk_vector = self.talk_vector + _numbers(head, apart.vectors) / FOLDS


def shares(probabilities):
    """The probability of each meaning, from those of the labels."""
    member = numpy.array([[label in labels for labels in MEANINGS.values()] for label in reminders.LABELS], float)
    return probabilities @ member


def thresholds(found, truth, talk, mode):
    """The least probability of each meaning for a reminder that was heard, and for one that is only open."""
    limits = {}
    for name, rate in {**HEARD, **{f"surely_{name}": rate for name, rate in SURE[mode].items()}}.items():
        place = NAMES.index(name.removeprefix("surely_"))
        limit = calibration.threshold(found[:, place], truth != place, rate)
        rare = calibration.threshold(talk[:, place], numpy.ones(len(talk), bool), OPEN)
        # What is doubted costs a question, and what changes nothing does nothing: other talk makes neither rarer.
        limits[f"heard.{name}"] = limit
        limits[f"open.{name}"] = limit if name in ("doubted", "nothing") else max(limit, rare)
    return limits


def _reached(share, limits):
    """The meaning that a reading reaches, the most probable of several; nil where it reaches none."""
    found = [name for name in NAMES if name != "doubted" and share[NAMES.index(name)] >= limits[f"heard.{name}"]]
    return max(found, key=lambda name: share[NAMES.index(name)]) if found else None


def decide(whole, words, parts, limits, by_words, is_medicine):
    """What the service makes of an answer; Sources/Safety/Detector/AnswerRule.swift decides the same."""
    doubted = NAMES.index("doubted")
    several = parts if len(parts) > 1 else []
    if is_medicine and whole[doubted] >= limits["heard.doubted"]:
        return "doubted"
    if is_medicine and any(part[doubted] >= 2 * by_words["heard.doubted"] for part in several):
        return "doubted"
    meant = _reached(whole, limits)
    told = {_reached(part, by_words) for part in several} - {None, "nothing"}
    if meant in (None, "nothing"):
        return meant if not told else told.pop() if len(told) == 1 else "done" if "done" in told else None
    if told - {meant}:
        return "done" if is_medicine and "done" in told | {meant} else None
    if words is None or meant not in SURE["text"]:
        return meant
    place, sure = NAMES.index(meant), f"heard.surely_{meant}"
    return f"surely_{meant}" if whole[place] >= limits[sure] and words[place] >= by_words[sure] else meant


def table(decided, labels, chosen):
    """How often each label came to each conclusion; "unclear" leaves the message to the lists of words."""
    rows = {}
    for place, label in enumerate(reminders.LABELS):
        found = [decided[at] or "unclear" for at in numpy.flatnonzero(chosen & (labels == place))]
        rows[label] = {name: found.count(name) for name in sorted(set(found))}
    return rows


def _found(decided, wanted, meant, chosen):
    """Precision, recall and false alarms of some conclusions among the chosen."""
    found = numpy.array([one in wanted for one in decided])
    return measures.detection(meant[chosen], found[chosen])


def figures(decided, labels, is_medicine, readable):
    """How well the conclusions fit the labels of answers whose voices were left out."""
    means = {name: numpy.array([reminders.LABELS[label] in MEANINGS[name] for label in labels]) for name in NAMES}
    return {
        "answers": {
            "surely done, medicine": _found(decided, {"surely_done"}, means["done"], is_medicine),
            "done, other": _found(decided, {"done", "surely_done"}, means["done"], ~is_medicine),
            "doubted, medicine": _found(decided, {"doubted"}, means["doubted"], is_medicine),
            "surely skipped, medicine": _found(decided, {"surely_skipped"}, means["skipped"], is_medicine),
            "skipped, other": _found(decided, {"skipped", "surely_skipped"}, means["skipped"], ~is_medicine),
            **{name: _found(decided, {name}, means[name], slice(None)) for name in ("later", "asked")},
        },
        "label_right": round(float((readable.argmax(1) == labels).mean()), 4),
        "medicine": table(decided, labels, is_medicine),
        "other": table(decided, labels, ~is_medicine),
    }


def _talk(folder, vectors):
    """Ordinary talk: what the vector's reading learns, and what only the thresholds are held against.

    The second is of voices that the layers of the vector had not seen either.
    """
    calm = [
        message
        for message in corpus.read(folder, "messages")
        if message.level == "none" and message.category == "none" and message.act not in ("yes", "no", "closing")
    ]
    kept = [message for message in calm if corpus.is_kept_from_layers(message.voice)]
    rest = [message for message in calm if not corpus.is_kept_from_layers(message.voice)]
    learned = [message for message in rest if _hashed(message.voice) % 3 == 0]
    for messages, weight in ((learned, ORDINARY_WEIGHT), (kept, 1.0)):
        texts = [message.text for message in messages]
        kinds = [_hashed(text) % 2 == 0 for text in texts]
        yield Examples(texts, kinds, ["other"] * len(texts), [message.voice for message in messages], weight, vectors)


def _examples(answers, vectors):
    """The answers, and half of them once more without punctuation."""
    bare = [answer for answer in answers if _plain(answer.text) != answer.text and _hashed(answer.text) % 2]
    for chosen, form, weight in ((answers, str, 1.0), (bare, _plain, PLAIN_WEIGHT)):
        yield Examples(
            [form(answer.text) for answer in chosen],
            [answer.kind == "medicine" for answer in chosen],
            [answer.label for answer in chosen],
            [answer.voice for answer in chosen],
            weight,
            vectors,
        )


def train(folder, to, vectors):
    """Measures by networks that leave voices out, calibrates, trains on all, and writes the file with its report."""
    answers = reminders.read(folder)
    print(f"answers: {len(answers)} answers by {len({answer.voice for answer in answers})} voices", flush=True)
    own, plain = _examples(answers, vectors)
    talk, apart = _talk(folder, vectors)
    out = LeftOut(answers, own, plain, talk, apart)
    truth = numpy.array([next(p for p, m in enumerate(MEANINGS.values()) if a.label in m) for a in answers])
    is_medicine = numpy.array([answer.kind == "medicine" for answer in answers])

    network, head = fit([own.of(slice(None)), plain.of(slice(None))], talk)
    targets = numpy.eye(len(reminders.LABELS))[own.labels]
    joint = fusion.Fusion(network, out.words, out.vector, targets, numpy.ones((len(answers), 1)))
    warm = calibration.temperature(out.words, own.labels)
    read = {
        "text": lambda words, vector: calibration.softmax(words * warm),
        "vector": lambda words, vector: calibration.softmax(joint.joined(words, vector) * joint.slopes["answer"][0]),
    }
    by = {mode: shares(form(out.words, out.vector)) for mode, form in read.items()}
    limits = {
        mode: thresholds(by[mode], truth, shares(form(out.talk_words, out.talk_vector)), mode)
        for mode, form in read.items()
    }
    parts = shares(read["text"](out.parts, None))
    report = {"sentences": len(answers), "corpus": _digest(answers), "modes": {}}
    for mode, form in read.items():
        decided = [
            decide(
                by[mode][place],
                by["text"][place] if mode == "vector" else None,
                parts[out.of_part == place],
                limits[mode],
                limits["text"],
                is_medicine[place],
            )
            for place in range(len(answers))
        ]
        report["modes"][mode] = {
            "voices_left_out": figures(decided, own.labels, is_medicine, form(out.words, out.vector)),
            "thresholds": limits[mode],
        }
    modes = {
        "text": {"slopes": {"answer": [warm]}, "shifts": {"answer": [0.0]}, "thresholds": limits["text"]},
        "vector": {"slopes": joint.slopes, "shifts": joint.shifts, "thresholds": limits["vector"]},
    }
    path = to / "answers.detector"
    head = (head * joint.ratios).astype(numpy.float32)
    size = model_file.write(path, network, "answers", vectors.space, GAINS, modes, report["corpus"], head)
    (to / "answers.json").write_text(json.dumps(report, indent=1) + "\n")
    print(f"{path}: {size} bytes", flush=True)


def _digest(answers):
    return hashlib.sha256("\n".join(f"{a.text}\t{a.labels}" for a in answers).encode()).hexdigest()
