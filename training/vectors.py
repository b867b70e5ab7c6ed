"""Sentence vectors as the service makes them: engine and model of .deps/e5, "query: " in front, centred, of unit length."""

import base64
import ctypes
import hashlib
import pathlib
import re

import numpy

DIMENSION = 384
ROOT = pathlib.Path(__file__).resolve().parent.parent
# The text of a message that the service makes a vector of.
LONGEST = 1024
# The most tokens of a text that the engine's kernels take; longer texts go to the plain engine.
TOKENS = 512


class Vectors:
    """Makes vectors, about 300 a second, and keeps them under .build, so that a second training takes seconds for them."""

    def __init__(self, keep=ROOT / ".build" / "vectors"):
        self.keep = keep
        self.library = None
        self.mean = self._mean()
        self.model = ROOT / ".deps" / "e5" / "e5-small-q4.bin"

    @property
    def space(self):
        """The name of the space, as Sources/Recall writes it."""
        source = (ROOT / "Sources/Recall/Embedding/E5Model.swift").read_text()
        found = re.search(r'name = "([^"]+)"', source)
        return found.group(1)

    @staticmethod
    def _mean():
        source = (ROOT / "Sources/Recall/Embedding/Centring.swift").read_text()
        text = re.search(r'text = """(.*?)"""', source, re.S).group(1)
        return numpy.frombuffer(base64.b64decode(re.sub(r"[\s\\]", "", text)), "<f4")

    def _load(self):
        library = self.library = ctypes.CDLL(str(ROOT / ".deps/e5/libe5.so"))
        pointer, integers = ctypes.c_void_p, ctypes.POINTER(ctypes.c_int)
        floats = ctypes.POINTER(ctypes.c_float)
        library.e5_load.restype, library.e5_load.argtypes = pointer, [ctypes.c_char_p]
        library.e5_embed.argtypes = [pointer, ctypes.c_char_p, ctypes.c_int, floats]
        library.vectors_open.restype, library.vectors_open.argtypes = pointer, [pointer, ctypes.c_char_p]
        library.vectors_space_make.restype, library.vectors_space_make.argtypes = pointer, [ctypes.c_int]
        library.vectors_tokens.argtypes = [pointer, ctypes.c_char_p, ctypes.c_int, integers, ctypes.c_int]
        library.vectors_embed.argtypes = [pointer, pointer, integers, integers, ctypes.c_int, floats]
        self.loaded = library.e5_load(str(self.model).encode())
        self.engine = library.vectors_open(self.loaded, None)
        self.space_of_tokens = library.vectors_space_make(TOKENS)

    def _vector(self, text):
        if self.library is None:
            self._load()
        vector = numpy.empty(DIMENSION, numpy.float32)
        numbers = vector.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        read = text.replace("\0", " ")[:LONGEST].encode()
        tokens = (ctypes.c_int * TOKENS)()
        count = ctypes.c_int(self.library.vectors_tokens(self.loaded, read, 1, tokens, TOKENS))
        fits = self.engine and 0 < count.value <= TOKENS
        if not fits or self.library.vectors_embed(self.engine, self.space_of_tokens, tokens, count, 1, numbers):
            self.library.e5_embed(self.loaded, read, 1, numbers)
        vector -= self.mean
        return vector / max(float(numpy.linalg.norm(vector)), 1e-12)

    def of(self, texts):
        """The vectors of texts, from what is kept and made anew where nothing is."""
        self.keep.mkdir(parents=True, exist_ok=True)
        path = self.keep / "sentences.npz"
        known = {}
        if path.exists():
            with numpy.load(path) as kept:
                known = dict(zip(kept["keys"].tolist(), kept["vectors"]))
        keys = [hashlib.sha256(text.encode()).hexdigest()[:24] for text in texts]
        missing = {key: text for key, text in zip(keys, texts) if key not in known}
        for number, (key, text) in enumerate(missing.items(), 1):
            known[key] = self._vector(text)
            if number % 1000 == 0:
                print(f"  {number} of {len(missing)} vectors", flush=True)
        if missing:
            numpy.savez(path, keys=numpy.array(list(known)), vectors=numpy.array(list(known.values()), numpy.float16))
        return numpy.array([known[key] for key in keys], numpy.float32)
