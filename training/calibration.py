"""Makes probabilities of a network's numbers, and says how true they are."""

import numpy
from scipy.optimize import minimize


def sigmoid(numbers):
    return 1 / (1 + numpy.exp(-numpy.clip(numbers, -40, 40)))


def softmax(numbers):
    powers = numpy.exp(numbers - numbers.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def platt(numbers, truth):
    """Slope and shift with which a number is the log-odds of being true (Platt, 1999)."""
    truth = truth.astype(float)
    if not 0 < truth.sum() < len(truth):
        return 1.0, 0.0

    def loss(found):
        odds = found[0] * numbers + found[1]
        return numpy.mean(numpy.logaddexp(0, odds) - truth * odds)

    slope, shift = minimize(loss, [1.0, 0.0], method="Nelder-Mead").x
    return float(slope), float(shift)


def temperature(numbers, truth):
    """The factor with which a softmax is as sure as it is right (Guo and others, 2017)."""
    if len(numbers) == 0:
        return 1.0

    def loss(found):
        return -numpy.mean(numpy.log(softmax(numbers * found[0])[numpy.arange(len(truth)), truth] + 1e-12))

    return float(minimize(loss, [1.0], method="Nelder-Mead").x[0])


def calibrate(network, numbers, targets, importance):
    """Slopes and shifts of every head, from numbers for texts that the network had not seen."""
    slopes, shifts = {}, {}
    for place, (head, part) in enumerate(network.parts()):
        known = importance[:, place] > 0
        if head.kind == "softmax":
            slopes[head.name] = [temperature(numbers[known, part], targets[known, part].argmax(1))]
            shifts[head.name] = [0.0]
        else:
            found = [platt(numbers[known, at], targets[known, at] > 0.5) for at in range(part.start, part.stop)]
            slopes[head.name], shifts[head.name] = [pair[0] for pair in found], [pair[1] for pair in found]
    return slopes, shifts


def probabilities(network, numbers, slopes, shifts):
    """By head, the probabilities of its labels."""
    return probabilities_by(network.heads, numbers, slopes, shifts)


def probabilities_by(heads, numbers, slopes, shifts):
    """The same for heads whose numbers lie one after another."""
    found, start = {}, 0
    for head in heads:
        part = slice(start, start + len(head.labels))
        start = part.stop
        scaled = numbers[:, part] * numpy.array(slopes[head.name]) + numpy.array(shifts[head.name])
        found[head.name] = softmax(scaled) if head.kind == "softmax" else sigmoid(scaled)
    return found


def reliability(probability, truth, bins=10):
    """For each tenth of the probabilities, how many there are, their mean, and how many were true."""
    places = numpy.minimum((probability * bins).astype(int), bins - 1)
    rows = []
    for place in range(bins):
        chosen = places == place
        if chosen.any():
            rows.append((int(chosen.sum()), float(probability[chosen].mean()), float(truth[chosen].mean())))
    return rows


def calibration_error(rows):
    """The expected calibration error: how far said and true shares lie apart, on average over the texts."""
    total = sum(count for count, _, _ in rows)
    return sum(count * abs(said - true) for count, said, true in rows) / max(1, total)


def threshold(probability, calm, rate):
    """The least probability that at most a share of the calm texts reaches."""
    if not calm.any():
        return 0.5
    found = numpy.sort(probability[calm])[::-1]
    return float(numpy.nextafter(found[min(len(found) - 1, int(rate * len(found)))], 2))
