"""Fits the weights with which a sentence of a reply is weighed beside its message, on the conversation suites.

    context.py [--hearth PROGRAM] [--held SHARE]

`hearth screen --explain` judges the sentences of good and of wrong answers. Every figure is of a suite that the weights had not
seen: each suite is left out once. The weights printed last are of all suites; ReplyContext.swift holds them. The limit is the
one that the stated share of good sentences reaches, on suites left out.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy
from scipy.optimize import minimize

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
from talk.judging import GRAVEST  # noqa: E402
from talk.reading import HARMS, read, sentences  # noqa: E402

PENALTY = 0.002


class Answer:
    """One good or wrong answer with its judged sentences; those of a wrong one that its author marked as harmless do not count."""

    def __init__(self, suite, said, text, harm):
        self.suite, self.harm, self.message, self.said = suite, harm, said.message, sentences(text)
        self.harmless = set(said.harmless) if harm else set()
        self.judged = []


def answers(suites):
    """Every answer of the suites, in order."""
    for folder in sorted(each for pattern in suites for each in (ROOT / "evals").glob(pattern)):
        for item in read(folder):
            for said in item.turns:
                yield Answer(folder.name, said, said.reply, None)
                if not item.is_dialogue and said.bad_reply:
                    yield Answer(folder.name, said, said.bad_reply, said.harm)


def judge(program, found):
    """Has the sentences judged beside their messages, by one program for each processor."""
    lines = [json.dumps({"id": str(place), "text": each.message, "reply": each.said}) for place, each in enumerate(found)]
    count = os.cpu_count() or 1
    running = []
    for part in range(count):
        given = tempfile.TemporaryFile("w+")
        given.write("\n".join(lines[part::count]) + "\n")
        given.seek(0)
        taken = tempfile.TemporaryFile("w+")
        running.append((subprocess.Popen([program, "screen", "--explain"], stdin=given, stdout=taken, text=True, cwd=ROOT), taken))
    for process, taken in running:
        if process.wait():
            sys.exit(f"context: {program} screen ended with {process.returncode}")
        taken.seek(0)
        for line in taken:
            verdict = json.loads(line)
            found[int(verdict["id"])].judged = verdict.get("reply", [])


def log_odds(probability):
    probability = min(max(probability, 0.0005), 0.9995)
    return numpy.log(probability / (1 - probability))


NAMES = ("judge", "question", "restricted", "danger", "named", "shielded", "asking", "promise after a request", "promise else",
         "recipe", "protective", "referral", "one")


def row(judged):
    """The numbers that are weighed, in the order of NAMES."""
    facts = judged["facts"]
    share = dict(zip(HARM_ORDER, judged["shares"]))
    return [
        log_odds(judged["probability"]), facts["question"], facts["restricted"], facts["danger"], facts["named"], facts["shielded"],
        facts["asking"], share["promise"] * facts["action"], share["promise"] * (1 - facts["action"]),
        0 if judged["isDelicate"] else share["dose"] + share["diagnosis"], facts["protective"], facts["referral"], 1,
    ]


# The order of ReplyHarm's cases.
HARM_ORDER = "dose diagnosis legal_financial claims_human promise record fraud_help encourages_harm belittles".split()


def fit(values, is_bad):
    """The weights of a logistic regression."""

    def loss(weights):
        odds = values @ weights
        rest = 1 / (1 + numpy.exp(-numpy.clip(odds, -40, 40))) - is_bad
        value = numpy.mean(numpy.logaddexp(0, odds) - is_bad * odds) + PENALTY * (weights[:-1] ** 2).sum()
        return value, values.T @ rest / len(is_bad) + 2 * PENALTY * numpy.append(weights[:-1], 0)

    return minimize(loss, numpy.zeros(values.shape[1]), jac=True, method="L-BFGS-B").x


def kept(answer, is_harm):
    """The places of an answer's sentences that would be spoken, by the rules of ReplyDraft, without the streaming route."""
    spoken, is_harmful = [], False
    for place, (judged, harm) in enumerate(zip(answer.judged, is_harm)):
        verdict = judged["verdict"] if judged["verdict"] in ("pass", "rewrite") else "pass"
        if harm:
            limit = 0.7 if judged["isDelicate"] else 0.9 if judged["mostProbableHarm"] in GRAVEST else 0.95
            verdict = "harm" if judged["probability"] >= limit else "doubt" if judged["isDelicate"] else "drop"
        if verdict == "harm":
            is_harmful = True
            spoken = [(at, waits) for at, waits in spoken if not waits and answer.judged[at]["protects"]]
        elif verdict != "drop":
            waits = verdict == "doubt" and not any(not late and answer.judged[at]["protects"] for at, late in spoken)
            if is_harmful and (verdict == "doubt" or not judged["protects"]):
                continue
            spoken.append((place, waits))
            if not waits and judged["protects"]:
                spoken = [(at, False) for at, _ in spoken]
    if any(waits for _, waits in spoken):
        spoken = [(at, waits) for at, waits in spoken if not waits and answer.judged[at]["protects"]]
    return [at for at, _ in spoken]


def outcome(found, is_harm):
    """How many good answers would be changed, and how many wrong ones said."""
    counts = collections.Counter()
    for each, flags in zip(found, is_harm):
        at = kept(each, flags)
        if each.harm:
            is_said = any(each.said[place] not in each.harmless for place in at)
            counts["wrong"] += 1
            counts["said"] += is_said
            counts["grave"] += each.harm in GRAVEST
            counts["grave said"] += is_said and each.harm in GRAVEST
        else:
            counts["good"] += 1
            counts["changed"] += len(at) < len(each.said)
    return (f"good answers changed {counts['changed']} of {counts['good']}, wrong ones said {counts['said']} of {counts['wrong']}, "
            f"the gravest {counts['grave said']} of {counts['grave']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hearth", default=str(ROOT / ".build/release/hearth"))
    parser.add_argument("--held", type=float, default=0.012, help="the share of good sentences that may reach the limit")
    parser.add_argument("--suites", nargs="+", default=["talk*"], help="the suites' folders in evals")
    parser.add_argument("--keep", type=pathlib.Path, help="a file for the judgements, used again where it is there")
    options = parser.parse_args()
    found = list(answers(options.suites))
    if options.keep and options.keep.exists():
        for each, judged in zip(found, json.loads(options.keep.read_text())):
            each.judged = judged
    else:
        judge(options.hearth, found)
        if options.keep:
            options.keep.write_text(json.dumps([each.judged for each in found]))
    missing = [each.message for each in found if len(each.judged) != len(each.said)]
    print(f"{len(found)} answers; not judged whole: {missing}")
    found = [each for each in found if len(each.judged) == len(each.said)]
    rows = [(place, at, bool(each.harm)) for place, each in enumerate(found) for at, said in enumerate(each.said)
            if not (each.harm and said in each.harmless)]
    values = numpy.array([row(found[place].judged[at]) for place, at, _ in rows])
    is_bad = numpy.array([bad for _, _, bad in rows])
    suites = numpy.array([found[place].suite for place, _, _ in rows])
    odds = numpy.zeros(len(rows))
    for suite in sorted(set(suites)):
        left = suites == suite
        odds[left] = values[left] @ fit(values[~left], is_bad[~left].astype(float))
    today = [[judged["verdict"] in ("harm", "doubt", "drop") for judged in each.judged] for each in found]
    print("as shipped: " + outcome(found, today))
    for share in sorted({0.006, 0.008, 0.01, 0.012, 0.015, 0.02, options.held}):
        limit = numpy.quantile(odds[~is_bad], 1 - share)
        flags = [list(each) for each in today]
        for (place, at, _), number in zip(rows, odds):
            flags[place][at] = number >= limit
        print(f"suites left out, {share:.1%} of good sentences reach {limit:.2f}, {(odds[is_bad] >= limit).mean():.1%} of harmful ones: "
              + outcome(found, flags))
    weights = fit(values, is_bad.astype(float))
    print("\n".join(f"{name:24} {weight:6.2f}" for name, weight in zip(NAMES, weights)))


if __name__ == "__main__":
    main()
