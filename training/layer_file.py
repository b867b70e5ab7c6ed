"""Writes the trained layers as Engine/vectors.c reads them, and their heads as training/train.py does."""

import struct

import numpy

NAME, VERSION = b"hearthly", 1
MATRICES = ("qw", "kw", "vw", "ow", "iw", "fw")
OTHERS = ("qb", "kb", "vb", "ob", "ln1w", "ln1b", "fb", "ln2w", "ln2b", "ib")
BLOCK = 32


def four_bits(matrix):
    """Scale and numbers of each block of 32: the number of the greatest size becomes -8."""
    blocks = matrix.astype(numpy.float32).reshape(-1, BLOCK)
    greatest = blocks[numpy.arange(len(blocks)), numpy.abs(blocks).argmax(1)]
    scales = (greatest / -8).astype(numpy.float16)
    wide = scales.astype(numpy.float32)
    inverse = numpy.divide(1, wide, out=numpy.zeros_like(wide), where=wide != 0)
    numbers = numpy.clip(numpy.floor(blocks * inverse[:, None] + numpy.float32(8.5)), 0, 15).astype(numpy.uint8)
    return scales, numbers


def _blocks(matrix):
    scales, numbers = four_bits(matrix)
    rows = numpy.empty((len(scales), 2 + BLOCK // 2), numpy.uint8)
    rows[:, :2] = scales.view(numpy.uint8).reshape(-1, 2)
    rows[:, 2:] = numbers[:, : BLOCK // 2] | numbers[:, BLOCK // 2 :] << 4
    return rows.tobytes()


def write(path, first, layers):
    """Writes layers, each a mapping of its parts, and returns the number of bytes."""
    body = b"".join(
        b"".join([_blocks(layer[name]) for name in MATRICES] + [layer[name].astype("<f4").tobytes() for name in OTHERS])
        for layer in layers
    )
    data = NAME + struct.pack("<4I", VERSION, first, len(layers), 0) + body
    path.write_bytes(data)
    return len(data)


def write_heads(path, heads):
    """Writes the heads: by purpose a matrix of 385 rows, the last of which is the constant."""
    numpy.savez_compressed(path, **{name: head.astype(numpy.float16) for name, head in heads.items()})


def read_heads(path, purpose):
    with numpy.load(path) as heads:
        return heads[purpose].astype(numpy.float32)
