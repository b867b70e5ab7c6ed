"""Takes authors' files into the corpus: white space folded, repeats and near repeats left out.

    clean.py AUTHORS CORPUS [--apart-from FOLDER]

AUTHORS has a folder for each author: aNN with messages, rNN with replies, mNN with answers to reminders, eNN with what follows a danger. A sentence is left out when its words are those
of an earlier one by four fifths (Jaccard), or those of any text of the other folder's .jsonl files by three fifths, which
are only compared with. A sentence that two authors label differently is left out for both. Of what follows a reminder or a danger
only sayings of four words or more are compared: everybody says "Yes", and after something else it means something else.
"""

import argparse
import json
import pathlib
import re
import sys

import numpy
from scipy.sparse import csr_matrix

import corpus
import spoken


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


# The fewest different words of what follows a reminder or a danger that may be a repeat.
LEAST_WORDS = 4


def take_sayings(authors, letter, corpus_folder, occasion, apart):
    """Copies the files with what follows a reminder or a danger, one for each voice, without repeats."""
    paths = sorted(authors.glob(f"{letter}[0-9]*/*.txt"))
    sayings = [saying for path in paths for saying in spoken.read_file(path, path.parent.name, occasion)]
    long = [saying for saying in sayings if len(_tokens(saying.text)) >= LEAST_WORDS]
    stays, gone = keep(long, apart)
    left_out = {saying.place for saying, stay in zip(long, stays) if not stay}
    folder = corpus_folder / occasion.folder
    folder.mkdir(parents=True, exist_ok=True)
    for path in paths:
        lines = [line for place, line in corpus.lines(path) if line and place not in left_out]
        (folder / f"{path.parent.name}-v{path.stem}.txt").write_text("\n".join(lines) + "\n")
    print(f"{occasion.folder}: {len(sayings) - len(left_out)} of {len(sayings)} kept;", _told(gone))


def _told(gone):
    return ", ".join(f"{count} {why}" for why, count in gone.items())


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
        print(f"{purpose}: {len(kept)} of {len(sentences)} sentences kept;", _told(gone))
    try:
        for letter, occasion in (("m", spoken.REMINDERS), ("e", spoken.DANGERS)):
            take_sayings(options.authors, letter, options.corpus, occasion, apart)
    except corpus.CorpusError as error:
        sys.exit(f"clean: {error}")


if __name__ == "__main__":
    main()
