"""Takes authors' files into the corpus: white space folded, repeats and near repeats left out.

    clean.py AUTHORS CORPUS [--apart-from FOLDER]

AUTHORS has a folder for each author: aNN with messages, rNN with replies. A sentence is left out when its words are those
of an earlier one by four fifths (Jaccard), or those of any text of the other folder's .jsonl files by three fifths, which
are only compared with. A sentence that two authors label differently is left out for both.
"""

import argparse
import json
import pathlib
import re
import sys

import numpy
from scipy.sparse import csr_matrix

import corpus


def _tokens(text):
    return sorted(set(re.findall(r"\w+", text.lower())))


def _matrix(token_sets, known):
    places, ends = [], [0]
    for tokens in token_sets:
        places.extend(known.setdefault(token, len(known)) for token in tokens)
        ends.append(len(places))
    return lambda: csr_matrix(
        (numpy.ones(len(places), numpy.float32), places, ends), shape=(len(token_sets), len(known))
    )


def _likeness(left, right, rows):
    """The Jaccard likeness of some rows with all rows of another matrix."""
    common = (left[rows] @ right.T).toarray()
    sizes = numpy.asarray(left[rows].sum(1)) + numpy.asarray(right.sum(1)).T
    return common / numpy.maximum(sizes - common, 1)


def keep(sentences, apart):
    """The places of the sentences that stay, and how many went for which reason."""
    known = {}
    own, other = [_tokens(sentence.text) for sentence in sentences], [_tokens(text) for text in apart]
    make_own, make_other = _matrix(own, known), _matrix(other, known)
    own, other = make_own(), make_other()
    stays = numpy.ones(len(sentences), bool)
    gone = {"near a text of the other folder": 0, "a repeat": 0, "labelled in two ways": 0}
    for start in range(0, len(sentences), 400):
        rows = slice(start, min(start + 400, len(sentences)))
        if other.shape[0]:
            near = _likeness(own, other, rows).max(1) >= 0.6
            gone["near a text of the other folder"] += int(near.sum())
            stays[rows] &= ~near
        likeness = _likeness(own, own, rows)
        for row, place in enumerate(range(rows.start, rows.stop)):
            for twin in numpy.flatnonzero(likeness[row, :place] >= 0.8):
                if sentences[twin].text.lower() == sentences[place].text.lower() and sentences[twin].labels != sentences[place].labels:
                    gone["labelled in two ways"] += int(stays[twin]) + int(stays[place])
                    stays[twin] = stays[place] = False
                elif stays[twin] and stays[place]:
                    gone["a repeat"] += 1
                    stays[place] = False
    return stays, gone


def _line(sentence, replies):
    if replies:
        return f"= {sentence.verdict} {sentence.kind}"
    scam = f" scam={sentence.scam_type}/{sentence.scam_stage}" if sentence.scam_type else ""
    return f"= {sentence.level} {sentence.category} {sentence.subject} {sentence.time} {sentence.act}{scam}"


def write(folder, sentences, heads, replies):
    """One file for each voice."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.txt"):
        old.unlink()
    by_voice = {}
    for sentence in sentences:
        by_voice.setdefault(sentence.voice, []).append(sentence)
    for voice, spoken in by_voice.items():
        lines, state = [heads[voice]], {}
        for sentence in spoken:
            marks = {"labels": _line(sentence, replies)}
            if not replies:
                scenario = sentence.scenario.split("/", 1)[1]
                marks = {"register": f"%register {sentence.register}", "scenario": f"%scenario {scenario}", **marks}
            for name, line in marks.items():
                if state.get(name) != line and not line.endswith(("%register ", "%scenario ")):
                    lines.append(line)
                    state[name] = line
            lines.append(sentence.text)
        (folder / f"{voice}.txt").write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("authors", type=pathlib.Path)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--apart-from", type=pathlib.Path)
    parser.add_argument("--skip-faulty", action="store_true", help="leave out a file with a fault, and say so")
    options = parser.parse_args()
    apart = []
    for path in sorted(options.apart_from.glob("*.jsonl")) if options.apart_from else []:
        apart.extend(json.loads(line)["text"] for line in path.read_text().splitlines() if line.strip())
    for letter, purpose in (("a", "messages"), ("r", "replies")):
        sentences, heads = [], {}
        for path in sorted(options.authors.glob(f"{letter}[0-9]*/*.txt")):
            try:
                read = corpus.read_file(path, path.parent.name, purpose == "replies")
            except corpus.CorpusError as error:
                if not options.skip_faulty:
                    sys.exit(f"clean: {error}")
                print(f"clean: left out: {error}")
                continue
            sentences += read
            heads.update({sentence.voice: re.sub(r"\s+", " ", path.read_text().split("\n")[0]).strip() for sentence in read[:1]})
        if not sentences:
            continue
        stays, gone = keep(sentences, apart)
        kept = [sentence for sentence, stay in zip(sentences, stays) if stay]
        write(options.corpus / purpose, kept, heads, purpose == "replies")
        print(f"{purpose}: {len(kept)} of {len(sentences)} sentences kept;", ", ".join(f"{n} {why}" for why, n in gone.items()))


if __name__ == "__main__":
    main()
