"""Trains the reader of answers to reminders, and measures what the service concludes; docs/detector.md tells what the thresholds do."""

import json

import numpy

import calibration
import measures
import reading
import spoken

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


def _found(decided, wanted, meant, chosen):
    """Precision, recall and false alarms of some conclusions among the chosen."""
    found = numpy.array([one in wanted for one in decided])
    return measures.detection(meant[chosen], found[chosen])


def figures(decided, labels, is_medicine, readable):
    """How well the conclusions fit the labels of answers whose voices were left out."""
    names = spoken.REMINDERS.labels
    means = {name: numpy.array([names[label] in MEANINGS[name] for label in labels]) for name in NAMES}
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
        "medicine": reading.table(decided, labels, is_medicine, names),
        "other": reading.table(decided, labels, ~is_medicine, names),
    }


def train(folder, to, vectors):
    """Measures by networks that leave voices out, calibrates, trains on all, and writes the file with its report."""
    answers = spoken.read(folder, spoken.REMINDERS)
    print(f"answers: {len(answers)} answers by {len({answer.voice for answer in answers})} voices", flush=True)
    found = reading.Reading(spoken.REMINDERS, "answer", answers, folder, vectors)
    truth = numpy.array([next(p for p, m in enumerate(MEANINGS.values()) if a.label in m) for a in answers])
    is_medicine = numpy.array([answer.kind == "medicine" for answer in answers])
    meant = lambda probabilities: reading.shares(probabilities, spoken.REMINDERS.labels, MEANINGS)
    by = {mode: meant(probabilities) for mode, probabilities in found.found.items()}
    limits = {mode: thresholds(by[mode], truth, meant(found.talk[mode]), mode) for mode in by}
    report = {"sentences": len(answers), "corpus": found.digest, "modes": {}}
    for mode, whole in by.items():
        decided = [
            decide(
                whole[place],
                by["text"][place] if mode == "vector" else None,
                meant(found.parts_of(place)),
                limits[mode],
                limits["text"],
                is_medicine[place],
            )
            for place in range(len(answers))
        ]
        report["modes"][mode] = {
            "voices_left_out": figures(decided, found.labels, is_medicine, found.found[mode]),
            "thresholds": limits[mode],
        }
    found.write(to / "answers.detector", "answers", limits)
    (to / "answers.json").write_text(json.dumps(report, indent=1) + "\n")
