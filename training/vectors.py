"""The vectors that the detectors read, as the service makes them: engine, model and layers of .deps/e5, "query: " in front."""

import concurrent.futures
import ctypes
import hashlib
import os
import pathlib
import struct

import numpy

DIMENSION = 384
ROOT = pathlib.Path(__file__).resolve().parent.parent
# The text of a message that the service makes a vector of.
LONGEST = 1024
# The most tokens of a text that the service reads of a sentence.
TOKENS = 128


class Vectors:
    """Makes vectors, about 300 a second and core, and keeps them under .build, so that a second training takes seconds."""

    def __init__(self, keep=ROOT / ".build" / "vectors"):
        self.keep = keep
        self.library = None
        self.layers = (ROOT / "Engine" / "reading.layers").read_bytes()
        self.digest = hashlib.sha256(self.layers).hexdigest()
        # The name of the space, as Sources/Recall/Embedding/E5Model.swift writes it.
        self.space = f"multilingual-e5-small-q4/query/reading-{self.digest[:12]}"

    def _load(self):
        library = self.library = ctypes.CDLL(str(ROOT / ".deps/e5/libe5.so"))
        pointer, number, integers = ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_int)
        floats = ctypes.POINTER(ctypes.c_float)
        for name, result, *arguments in (
            ("e5_load", pointer, ctypes.c_char_p),
            ("vectors_open", pointer, pointer, ctypes.c_char_p),
            ("vectors_layers_open", pointer, pointer, number, number, ctypes.c_char_p, ctypes.c_size_t),
            ("vectors_space_make", pointer, number),
            ("vectors_space_free", None, pointer),
            ("vectors_tokens", number, pointer, ctypes.c_char_p, number, integers, number),
            ("vectors_embed", number, pointer, pointer, pointer, integers, integers, number, floats, floats),
        ):
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        self.loaded = library.e5_load(str(ROOT / ".deps" / "e5" / "e5-small-q4.bin").encode())
        self.engine = library.vectors_open(self.loaded, None)
        if not self.engine:
            raise SystemExit("train: this processor has no kernel for the layers (AVX2 is the least)")
        mark, version, first, count, _ = struct.unpack_from("<8s4I", self.layers)
        weights = self.layers[24:]
        self.own = library.vectors_layers_open(self.engine, first, count, weights, len(weights))
        if mark != b"hearthly" or version != 1 or not self.own:
            raise SystemExit("train: Engine/reading.layers is no file of layers")

    def _tokens(self, text, capacity):
        tokens = (ctypes.c_int * capacity)()
        return self.library.vectors_tokens(self.loaded, text.encode(), 1, tokens, capacity), tokens

    def _vectors(self, texts):
        """The vectors of some texts, on one thread."""
        space = self.library.vectors_space_make(TOKENS)
        found = numpy.empty((len(texts), DIMENSION), numpy.float32)
        for place, text in enumerate(texts):
            read = text.replace("\0", " ")[:LONGEST]
            count, tokens = self._tokens(read, TOKENS)
            while count > TOKENS:
                read = read[: len(read) * TOKENS // (count + 1)]
                count, tokens = self._tokens(read, TOKENS)
            vector = found[place].ctypes.data_as(ctypes.POINTER(ctypes.c_float))
            if self.library.vectors_embed(self.engine, self.own, space, tokens, ctypes.c_int(count), 1, None, vector):
                raise SystemExit(f"train: the engine failed on: {read[:60]}")
        self.library.vectors_space_free(space)
        return found

    def of(self, texts):
        """The vectors of texts, from what is kept and made anew where nothing is."""
        self.keep.mkdir(parents=True, exist_ok=True)
        path = self.keep / f"reading-{self.digest[:12]}.npz"
        known = {}
        if path.exists():
            with numpy.load(path) as kept:
                known = dict(zip(kept["keys"].tolist(), kept["vectors"]))
        keys = [hashlib.sha256(text.encode()).hexdigest()[:24] for text in texts]
        missing = {key: text for key, text in zip(keys, texts) if key not in known}
        if missing:
            self._load()
            names, rows = list(missing), list(missing.values())
            parts = [slice(start, start + 500) for start in range(0, len(rows), 500)]
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
                for part, found in zip(parts, threads.map(lambda part: self._vectors(rows[part]), parts)):
                    known.update(zip(names[part], found.astype(numpy.float16)))
                    print(f"  {min(part.stop, len(rows))} of {len(rows)} vectors", flush=True)
            numpy.savez(path, keys=numpy.array(list(known)), vectors=numpy.array(list(known.values()), numpy.float16))
        return numpy.array([known[key] for key in keys], numpy.float32)
