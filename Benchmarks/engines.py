"""The sentence-vector engines of .deps/e5/libe5.so, called through its C interfaces."""

import ctypes
import pathlib

import numpy

FOLDER = pathlib.Path(__file__).parent.parent / ".deps/e5"
WIDTH = 384
MOST_TOKENS = 512

_handle, _number, _text = ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p
_library = ctypes.CDLL(str(FOLDER / "libe5.so"))
for _name, _result, *_arguments in (
    ("e5_load", _handle, _text),
    ("e5_embed", _number, _handle, _text, _number, _handle),
    ("vectors_open", _handle, _handle, _text),
    ("vectors_kernel", _text, _handle),
    ("vectors_space_make", _handle, _number),
    ("vectors_tokens", _number, _handle, _text, _number, _handle, _number),
    ("vectors_embed", _number, _handle, _handle, _handle, _handle, _handle, _number, _handle, _handle),
):
    getattr(_library, _name).restype, getattr(_library, _name).argtypes = _result, _arguments
_model = _library.e5_load(str(FOLDER / "e5-small-q4.bin").encode())


def tokens(sentence: str) -> list[int]:
    """The tokens that the model reads for a sentence, "query: " and marks included; those beyond the limit are left out."""
    buffer = (_number * 4096)()
    count = _library.vectors_tokens(_model, sentence.replace("\0", " ").encode()[:4000], 1, buffer, 4096)
    assert count > 0
    found = buffer[:count]
    return found if count <= MOST_TOKENS else found[: MOST_TOKENS - 1] + found[-1:]


class E5C:
    """e5.c itself, as the library has it."""

    name = "e5.c"

    def __init__(self, library: ctypes.CDLL = _library):
        self.library = library
        for name in ("e5_load", "e5_embed"):
            function, known = getattr(library, name), getattr(_library, name)
            function.restype, function.argtypes = known.restype, known.argtypes
        self.model = library.e5_load(str(FOLDER / "e5-small-q4.bin").encode())

    def vectors(self, sentences: list[str]) -> numpy.ndarray:
        found = numpy.empty((len(sentences), WIDTH), numpy.float32)
        for row, sentence in zip(found, sentences):
            self.library.e5_embed(self.model, sentence.encode(), 1, row.ctypes.data)
        return found


class Kernel:
    """One of the kernels of Engine/; without a name the best that this processor can run."""

    def __init__(self, name: str | None = None):
        self.engine = _library.vectors_open(_model, name.encode() if name else None)
        if not self.engine:
            raise LookupError(f"this processor cannot run the kernel {name}")
        self.space = _library.vectors_space_make(MOST_TOKENS)
        self.name = _library.vectors_kernel(self.engine).decode()

    def vectors(self, sentences: list[str]) -> numpy.ndarray:
        """The vectors of sentences, in as many calls as their tokens need."""
        found = numpy.empty((len(sentences), WIDTH), numpy.float32)
        first, waiting, total = 0, [], 0
        for place, sentence in enumerate(sentences):
            read = tokens(sentence)
            if total + len(read) > MOST_TOKENS:
                found[first:place] = self._computed(waiting)
                first, waiting, total = place, [], 0
            waiting.append(read)
            total += len(read)
        if waiting:
            found[first:] = self._computed(waiting)
        return found

    def _computed(self, texts: list[list[int]]) -> numpy.ndarray:
        flat = numpy.array([token for text in texts for token in text], numpy.int32)
        counts = numpy.array([len(text) for text in texts], numpy.int32)
        found = numpy.empty((len(texts), WIDTH), numpy.float32)
        status = _library.vectors_embed(
            self.engine, None, self.space, flat.ctypes.data, counts.ctypes.data, len(texts), found.ctypes.data, None
        )
        assert status == 0
        return found
