"""Joins the numbers of the words with those of the vector, by how much each was right on voices that neither had seen.

A yes-or-no number becomes a * words + b * vector + c by logistic regression, the numbers of a softmax a * words + b * vector.
"""

import numpy
from scipy.optimize import minimize

from calibration import softmax

# The words always count a little, so that an operator's own sentences change what is read with a vector as well.
LEAST = 0.05


def _sigmoid_weights(words, vector, truth):
    truth = truth.astype(float)
    if not 0 < truth.sum() < len(truth):
        return 1.0, 1.0, 0.0

    def loss(found):
        odds = found[0] * words + found[1] * vector + found[2]
        rest = 1 / (1 + numpy.exp(-numpy.clip(odds, -40, 40))) - truth
        value = numpy.mean(numpy.logaddexp(0, odds) - truth * odds)
        return value, numpy.array([numpy.mean(rest * words), numpy.mean(rest * vector), numpy.mean(rest)])

    bounds = [(LEAST, None), (0.0, None), (None, None)]
    return tuple(float(part) for part in minimize(loss, [0.5, 0.5, 0.0], jac=True, method="L-BFGS-B", bounds=bounds).x)


def _softmax_weights(words, vector, truth):
    if len(truth) == 0:
        return 1.0, 1.0
    rows = numpy.arange(len(truth))

    def loss(found):
        return -numpy.mean(numpy.log(softmax(found[0] * words + found[1] * vector)[rows, truth] + 1e-12))

    bounds = [(LEAST, None), (0.0, None)]
    return tuple(float(part) for part in minimize(loss, [0.5, 0.5], method="L-BFGS-B", bounds=bounds).x)


class Fusion:
    """Slopes and shifts by head, and how much the vector's numbers count beside those of the words."""

    def __init__(self, network, words, vector, targets, importance):
        self.slopes, self.shifts = {}, {}
        self.ratios = numpy.ones(words.shape[1], numpy.float32)
        for place, (head, part) in enumerate(network.parts()):
            known = importance[:, place] > 0
            if head.kind == "softmax":
                a, b = _softmax_weights(words[known, part], vector[known, part], targets[known, part].argmax(1))
                self.slopes[head.name], self.shifts[head.name] = [a], [0.0]
                self.ratios[part] = b / a
            else:
                found = [
                    _sigmoid_weights(words[known, at], vector[known, at], targets[known, at] > 0.5)
                    for at in range(part.start, part.stop)
                ]
                self.slopes[head.name] = [a for a, _, _ in found]
                self.shifts[head.name] = [c for _, _, c in found]
                self.ratios[part] = [b / a for a, b, _ in found]

    def joined(self, words, vector):
        """The numbers that the slopes and shifts turn into odds."""
        return words + vector * self.ratios
