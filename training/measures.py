"""Figures of a detector on texts that it had not seen."""

import numpy


def wilson(count, total):
    """A share with its interval for 95 % (Wilson, 1927)."""
    if total == 0:
        return {"count": 0, "total": 0, "value": 0.0, "from": 0.0, "to": 1.0}
    z, share = 1.959963985, count / total
    centre = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * (share * (1 - share) / total + z * z / (4 * total * total)) ** 0.5
    return {
        "count": int(count), "total": int(total), "value": round(share, 4),
        "from": round(max(0, centre - half), 4), "to": round(min(1, centre + half), 4),
    }


def area(probability, truth):
    """The chance that a true text is above an untrue one."""
    ranks = numpy.empty(len(probability))
    order = numpy.argsort(probability, kind="stable")
    values, places, counts = numpy.unique(probability[order], return_inverse=True, return_counts=True)
    ends = numpy.cumsum(counts)
    ranks[order] = (ends - (counts - 1) / 2)[places]
    there = truth.sum()
    if there in (0, len(truth)):
        return 1.0
    return float((ranks[truth].sum() - there * (there + 1) / 2) / (there * (len(truth) - there)))


def detection(truth, found):
    """Precision, recall, F1 and false alarms."""
    right = int((truth & found).sum())
    precision, recall = wilson(right, int(found.sum())), wilson(right, int(truth.sum()))
    both = precision["value"] + recall["value"]
    return {
        "precision": precision,
        "recall": recall,
        "f1": round(2 * precision["value"] * recall["value"] / both, 4) if both else 0.0,
        "false_alarms": wilson(int((found & ~truth).sum()), int((~truth).sum())),
    }
