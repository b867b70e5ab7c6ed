"""The network of the detectors, and its training.

hidden = max(0, words E + letters E + b); numbers = hidden U + c. The numbers of all heads are trained together. What the vector
of a text adds to the numbers is trained apart: layers.py and fusion.py.
"""

import numpy
from scipy.sparse import csr_matrix

import features


def grams(texts, gains):
    """A row of weighted buckets for each text; words come first, letters behind them."""
    buckets, numbers, ends = [], [], [0]
    for text in texts:
        for kind, found in enumerate(features.buckets(text)):
            buckets.extend(bucket + kind * features.BUCKETS for bucket in found)
            numbers.extend([gains[kind] / max(1, len(found)) ** 0.5] * len(found))
        ends.append(len(buckets))
    shape = (len(texts), 2 * features.BUCKETS)
    matrix = csr_matrix((numpy.array(numbers, numpy.float32), numpy.array(buckets, numpy.int64), ends), shape=shape)
    matrix.sum_duplicates()
    return matrix


class Head:
    """A group of numbers: a softmax over labels, or each label by itself."""

    def __init__(self, name, kind, labels, weight):
        self.name, self.kind, self.labels, self.weight = name, kind, labels, weight


class Settings:
    """How a network is made and trained."""

    def __init__(self, hidden=64, epochs=20, rate=2e-3, batch=256, drop=0.5, drop_gram=0.1, decay=3.0, least=5, seed=0):
        self.hidden, self.epochs, self.rate, self.batch = hidden, epochs, rate, batch
        self.drop, self.drop_gram, self.decay, self.least, self.seed = drop, drop_gram, decay, least, seed


def _sigmoid(numbers):
    return 1 / (1 + numpy.exp(-numpy.clip(numbers, -40, 40)))


def _softmax(numbers):
    powers = numpy.exp(numbers - numbers.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


class Network:
    """Numbers for all heads; see the module."""

    def __init__(self, heads, settings):
        self.heads, self.settings = heads, settings
        random = self.random = numpy.random.default_rng(settings.seed)
        hidden, outputs = settings.hidden, sum(len(head.labels) for head in heads)
        real = numpy.float32
        self.weights = {
            "E": None,
            "b": numpy.zeros(hidden, real),
            "U": (random.normal(size=(hidden, outputs)) / hidden**0.5).astype(real),
            "c": numpy.zeros(outputs, real),
        }

    def train(self, examples, targets, importance):
        """Trains by Adam (Kingma and Ba, 2015); importance has a weight for each example and head."""
        counts = numpy.bincount(examples.indices, minlength=examples.shape[1])
        self.columns = numpy.flatnonzero(counts >= self.settings.least)
        grams = examples[:, self.columns].tocsr()
        # How much each n-gram occurs; the written file keeps those that move the numbers most.
        self.squares = numpy.asarray(grams.multiply(grams).sum(0)).ravel()
        hidden = self.settings.hidden
        weights = self.weights
        weights["E"] = (self.random.normal(size=(len(self.columns), hidden)) * 0.05).astype(numpy.float32)
        first = {name: numpy.zeros_like(weight) for name, weight in weights.items()}
        second = {name: numpy.zeros_like(weight) for name, weight in weights.items()}
        count, settings = examples.shape[0], self.settings
        steps, step = settings.epochs * -(-count // settings.batch), 0
        for _ in range(settings.epochs):
            order = self.random.permutation(count)
            for start in range(0, count, settings.batch):
                chosen = order[start : start + settings.batch]
                step += 1
                gradients, rows = self._gradients(grams[chosen], targets[chosen], importance[chosen])
                rate = settings.rate * min(1, 10 * step / steps) * (1 - step / steps) + 1e-6
                for name, gradient in gradients.items():
                    place = rows if name == "E" else slice(None)
                    mean = first[name][place] * 0.9 + 0.1 * gradient
                    square = second[name][place] * 0.999 + 0.001 * gradient * gradient
                    first[name][place], second[name][place] = mean, square
                    change = (mean / (1 - 0.9**step)) / (numpy.sqrt(square / (1 - 0.999**step)) + 1e-7)
                    kept = 1 - rate * settings.decay if name == "E" else 1
                    weights[name][place] = weights[name][place] * kept - rate * change
        return self

    def _gradients(self, grams, targets, importance):
        random, settings, weights, count = self.random, self.settings, self.weights, grams.shape[0]
        numbers = grams.data * (random.random(len(grams.data)) > settings.drop_gram) / (1 - settings.drop_gram)
        rows, places = numpy.unique(grams.indices, return_inverse=True)
        grams = csr_matrix((numbers.astype(numpy.float32), places, grams.indptr), shape=(count, len(rows)))
        sums = grams @ weights["E"][rows] + weights["b"]
        mask = ((random.random(sums.shape) > settings.drop) / (1 - settings.drop)).astype(numpy.float32)
        hidden = numpy.maximum(sums, 0) * mask
        outputs = hidden @ weights["U"] + weights["c"]
        error = self._error(outputs, targets, importance) / count
        back = (error @ weights["U"].T) * mask * (sums > 0)
        gradients = {"U": hidden.T @ error, "c": error.sum(0), "b": back.sum(0), "E": grams.T @ back}
        return gradients, rows

    def _error(self, outputs, targets, importance):
        error = numpy.zeros_like(outputs)
        for place, (head, part) in enumerate(self.parts()):
            found = (_softmax if head.kind == "softmax" else _sigmoid)(outputs[:, part])
            error[:, part] = (found - targets[:, part]) * importance[:, place : place + 1] * head.weight
        return error

    def parts(self):
        """The heads with the places of their numbers."""
        start = 0
        for head in self.heads:
            yield head, slice(start, start + len(head.labels))
            start += len(head.labels)

    def numbers(self, examples):
        """The numbers of all heads before they are probabilities."""
        weights = self.weights
        return numpy.maximum(examples[:, self.columns] @ weights["E"] + weights["b"], 0) @ weights["U"] + weights["c"]
