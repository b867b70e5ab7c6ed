"""Compares what can compute sentence vectors: processor time, nearness to e5.c's vectors, and what is recalled by them."""

import argparse
import base64
import ctypes
import pathlib
import re
import subprocess
import tempfile
import time

import numpy

import engines
import histories

ROOT = pathlib.Path(__file__).parent.parent
KERNELS = ("avx512-vnni", "avx-vnni", "avx2")
SENTENCES = histories.history("en", 200)[0][80:112] + histories.history("es", 200)[0][80:112]


def e5c_for_avx2() -> engines.E5C:
    """e5.c compiled as well as it can be for this machine, for a fair comparison: the library's is compiled for any processor."""
    folder = tempfile.mkdtemp()
    source = ROOT / ".deps/e5/e5.c"
    compiler = (ROOT / ".deps/e5/build.txt").read_text().split(": ")[1].split(",")[0]
    options = "-O3 -std=gnu11 -shared -fPIC -fno-math-errno -w -mavx2 -mfma".split()
    subprocess.run([compiler, *options, str(source), "-o", f"{folder}/e5.so", "-lm"], check=True)
    return engines.E5C(ctypes.CDLL(f"{folder}/e5.so"))


def centred(vectors: numpy.ndarray) -> numpy.ndarray:
    """The vectors as the service compares them."""
    source = (ROOT / "Sources/Recall/Embedding/Centring.swift").read_text()
    text = re.search(r'text = """(.*?)"""', source, re.DOTALL)[1]
    mean = numpy.frombuffer(base64.b64decode(re.sub(r"[\s\\]", "", text)), "<f4")
    moved = vectors - mean
    return moved / numpy.maximum(numpy.linalg.norm(moved, axis=1, keepdims=True), 1e-12)


def milliseconds(engine, together: int, rounds: int) -> float:
    """Processor milliseconds a sentence, the best of some rounds: what else runs can only make it slower."""
    groups = [SENTENCES[at : at + together] for at in range(0, len(SENTENCES), together)]
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        for group in groups:
            engine.vectors(group)
        best = min(best, time.process_time() - began)
    return best / len(SENTENCES) * 1e3


def recalled(engine, sets) -> dict[str, list[bool]]:
    """Of each question, whether the memory that answers it is among the first five; by language, size and kind."""
    found: dict[str, list[bool]] = {}
    for language, memories, questions in sets:
        stored = centred(engine.vectors(memories))
        asked = centred(engine.vectors([question.asked for question in questions]))
        for question, cosines in zip(questions, asked @ stored.T):
            is_found = bool((cosines > cosines[question.memory]).sum() < 5)
            for part in ("all", language, str(len(memories)), question.kind):
                found.setdefault(part, []).append(is_found)
    return found


def compared(candidates, sets, reference) -> None:
    """Prints a row for each engine; the first is what the others are compared with."""
    first = None
    for engine in candidates:
        rounds = 2 if engine is reference else 12
        times = [milliseconds(engine, together, rounds) for together in (1, 4, 8, 16)]
        vectors = engine.vectors(SENTENCES)
        expected = reference.vectors(SENTENCES)
        cosines = (vectors * expected).sum(1)
        found = recalled(engine, sets)
        first = first or found
        share = {part: sum(hits) / len(hits) for part, hits in found.items()}
        print(
            f"| {engine.name} | " + " | ".join(f"{value:.2f}" for value in times)
            + f" | {cosines.min():.5f} | {share['all']:.3f} | {share['all'] / (sum(first['all']) / len(first['all'])):.3f} | "
            + " ".join(f"{part} {value:.2f}" for part, value in share.items() if part != "all") + " |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="without the histories of 5,000 memories, which take e5.c minutes")
    sizes = (100, 300, 1000) if parser.parse_args().quick else (100, 300, 1000, 5000)
    sets = [(language, *histories.history(language, size, seed=size)) for size in sizes for language in ("en", "es")]
    reference = e5c_for_avx2()
    candidates = [reference]
    for name in KERNELS:
        try:
            candidates.append(engines.Kernel(name))
        except LookupError as missing:
            print(missing)
    count = sum(len(questions) for *_, questions in sets)
    print(f"{count} questions; {len(SENTENCES)} sentences of {sum(map(len, map(engines.tokens, SENTENCES))) / len(SENTENCES):.1f} tokens")
    print("| engine | ms a sentence | 4 at once | 8 | 16 | least cosine to e5.c | recall@5 | of e5.c's | by part |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
    compared(candidates, sets, reference)


if __name__ == "__main__":
    main()
