"""Reads the parts of the 4-bit model file .deps/e5/e5-small-q4.bin that the layers grow from."""

import struct

import numpy

BLOCK = 32
NAMES = {
    "qw": "q.w", "qb": "q.b", "kw": "k.w", "kb": "k.b", "vw": "v.w", "vb": "v.b", "ow": "ao.w", "ob": "ao.b",
    "ln1w": "aln.w", "ln1b": "aln.b", "iw": "fi.w", "ib": "fi.b", "fw": "fo.w", "fb": "fo.b", "ln2w": "oln.w", "ln2b": "oln.b",
}
SHAPES = {"qw": "HH", "kw": "HH", "vw": "HH", "ow": "HH", "iw": "FH", "fw": "HF"}


class E5File:
    """The model's sizes, its tables of tokens and places, and its layers."""

    def __init__(self, path):
        data = self._data = path.read_bytes()
        self.width, self.layers, self.heads, self.inner, self.vocabulary, self.places = struct.unpack_from("<6i", data, 8)
        (pieces,) = struct.unpack_from("<i", data, 44)
        (blob,) = struct.unpack_from("<Q", data, 64)
        at = 72 + 4 * (pieces + 1) + 4 * pieces + blob
        (normal,) = struct.unpack_from("<I", data, at + 4)
        at += 8 + normal
        (count,) = struct.unpack_from("<i", data, at)
        at += 4
        self._parts = {}
        for _ in range(count):
            (length,) = struct.unpack_from("<H", data, at)
            name = data[at + 2 : at + 2 + length].decode()
            at += 2 + length
            _, size, offset, _ = struct.unpack_from("<BIQQ", data, at)
            at += 21
            self._parts[name] = offset

    def floats(self, name, *shape):
        count = int(numpy.prod(shape))
        return numpy.frombuffer(self._data, "<f4", count, self._parts[name]).reshape(shape).copy()

    def matrix(self, name, outputs, inputs):
        """A matrix of 4-bit blocks as floats."""
        blocks = outputs * inputs // BLOCK
        rows = numpy.frombuffer(self._data, numpy.uint8, blocks * 18, self._parts[name]).reshape(blocks, 18)
        scales = rows[:, :2].copy().view(numpy.float16).astype(numpy.float32)
        numbers = numpy.hstack([rows[:, 2:] & 15, rows[:, 2:] >> 4]).astype(numpy.float32) - 8
        return (numbers * scales).reshape(outputs, inputs)

    def tokens(self):
        """The states of all tokens before the first layer, as half-precision numbers: 190 MB."""
        found = numpy.empty((self.vocabulary, self.width), numpy.float16)
        size = self.width // BLOCK * 18
        start = self._parts["emb.word"]
        rows = numpy.frombuffer(self._data, numpy.uint8, self.vocabulary * size, start).reshape(-1, 18)
        step = 4096 * self.width // BLOCK
        for first in range(0, len(rows), step):
            part = rows[first : first + step]
            numbers = numpy.hstack([part[:, 2:] & 15, part[:, 2:] >> 4]).astype(numpy.float32) - 8
            values = numbers * part[:, :2].copy().view(numpy.float16)
            found.reshape(-1, BLOCK)[first : first + step] = values
        return found

    def layer(self, number):
        """The parts of a layer, by the names of layer_file.py."""
        size = {"H": self.width, "F": self.inner}
        found = {}
        for name, suffix in NAMES.items():
            full = f"l{number}.{suffix}"
            if name in SHAPES:
                found[name] = self.matrix(full, *(size[letter] for letter in SHAPES[name]))
            else:
                found[name] = self.floats(full, self.inner if name == "ib" else self.width)
        return found
