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


def read(path, first, count, shapes):
    """The layers of a file, each a mapping of its parts, by the parts' shapes."""
    data = path.read_bytes()
    if data[:8] != NAME or struct.unpack_from("<3I", data, 8) != (VERSION, first, count):
        raise SystemExit(f"{path}: these are not {count} layers from layer {first} of version {VERSION}")
    layers, at = [], 24

    def take(size, kind):
        nonlocal at
        at += size
        return numpy.frombuffer(data, kind, size // numpy.dtype(kind).itemsize, at - size)

    for _ in range(count):
        layer = {}
        for name in MATRICES:
            rows = take(int(numpy.prod(shapes[name])) // BLOCK * (2 + BLOCK // 2), numpy.uint8).reshape(-1, 2 + BLOCK // 2)
            scales = rows[:, :2].copy().view(numpy.float16).astype(numpy.float32)
            numbers = numpy.hstack([rows[:, 2:] & 15, rows[:, 2:] >> 4]).astype(numpy.float32) - 8
            layer[name] = (scales * numbers).reshape(shapes[name])
        for name in OTHERS:
            layer[name] = take(4 * int(numpy.prod(shapes[name])), "<f4").astype(numpy.float32).reshape(shapes[name])
        layers.append(layer)
    if at != len(data):
        raise SystemExit(f"{path}: {len(data) - at} bytes are left over")
    return layers


def write_heads(path, heads):
    """Writes the heads: by purpose a matrix of 385 rows, the last of which is the constant."""
    numpy.savez_compressed(path, **{name: head.astype(numpy.float16) for name, head in heads.items()})


def read_heads(path, purpose):
    with numpy.load(path) as heads:
        return heads[purpose].astype(numpy.float32)
