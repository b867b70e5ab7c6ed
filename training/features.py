"""Turns a text into the hashed word and character n-grams that the detectors weigh.

docs/detector.md says the same in prose; Sources/Safety/Detector/HashedFeatures.swift computes the same numbers.
"""

import unicodedata

BUCKET_BITS = 17
BUCKETS = 1 << BUCKET_BITS
LONGEST_TEXT = 4000  # characters; the rest is not read
LONGEST_WORD = 24  # letters of a word; the rest is not read

_MARKS = {"?": "?", "!": "!", "$": "$", "£": "$", "€": "$", "@": "@", "%": "%", "¿": "?", "¡": "!"}
_DROPPED = set("'’‘`´ʼ\u00ad\u200b\u200c\u200d\u2060\ufeff")
_SPECIAL = {"ß": "s", "æ": "e", "œ": "e", "ø": "o", "đ": "d", "ð": "d", "þ": "t", "ł": "l", "ı": "i"}
# Cyrillic and Greek letters that look like Latin ones.
_LOOKALIKES = dict(zip("авекмнорстухіѕјαβεικνορτυχ", "abekmhopctyxisjabeiknoptux"))


def _table():
    """The letter that each character of Latin-1, Latin Extended-A and the look-alikes folds to."""
    table = {}
    for code in list(range(0xC0, 0x180)) + list(range(0x370, 0x460)) + list(range(0x1E00, 0x1F00)):
        lower = chr(code).lower()
        base = unicodedata.normalize("NFKD", lower)[0]
        letter = _SPECIAL.get(lower) or _SPECIAL.get(base) or _LOOKALIKES.get(lower) or _LOOKALIKES.get(base) or base
        if "a" <= letter <= "z":
            table[chr(code)] = letter
    for code in range(0xFF10, 0xFF5B):  # full width
        letter = chr(code - 0xFEE0).lower()
        if letter.isalnum():
            table[chr(code)] = letter
    return table


FOLDED = _table()


def words(text):
    """The words of a text: runs of letters and digits without accents and apostrophes, and the marks ? ! $ @ % as words."""
    found, word, run = [], [], 0

    def close():
        nonlocal word, run
        if word:
            if len(word) > 3 and all("0" <= letter <= "9" for letter in word):
                word = ["0"] * min(len(word), 8)
            found.append("".join(word))
        word, run = [], 0

    for character in text[:LONGEST_TEXT]:
        if character in _DROPPED or "\u0300" <= character <= "\u036f":
            continue
        letter = character.lower() if character.isascii() else FOLDED.get(character, character)
        if "a" <= letter <= "z" or "0" <= letter <= "9":
            run = run + 1 if word and word[-1] == letter else 1
            if letter <= "9" or run <= 2:
                if len(word) < LONGEST_WORD:
                    word.append(letter)
        else:
            close()
            if letter in _MARKS:
                found.append(_MARKS[letter])
    close()
    return found


_PRIME = 0x01000193
_BASIS = 0x811C9DC5
_MASK = 0xFFFFFFFF


def _mixed(value):
    """The bucket of a hash: the finaliser of MurmurHash3, and its highest bits."""
    value ^= value >> 16
    value = value * 0x85EBCA6B & _MASK
    value ^= value >> 13
    value = value * 0xC2B2AE35 & _MASK
    value ^= value >> 16
    return value >> (32 - BUCKET_BITS)


def _hash(data, seed=_BASIS):
    for byte in data:
        seed = (seed ^ byte) * _PRIME & _MASK
    return seed


def ngrams(text):
    """Yields (kind, bucket, what it is in words): kind 0 is words, kind 1 is letters."""
    read = words(text)
    hashes = [_hash(word.encode()) for word in read]
    for start in range(len(read)):
        value = 0x9E3779B9
        for end in range(start, min(start + 3, len(read))):
            value = ((value ^ hashes[end]) * _PRIME + (end - start + 1)) & _MASK
            yield 0, _mixed(value), " ".join(read[start : end + 1])
    for word in read:
        padded = b"^" + word.encode() + b"$"
        if len(padded) < 4:
            continue
        for start in range(len(padded) - 2):
            value = _hash(padded[start : start + 2], 0x27220A95)
            for end in range(start + 2, min(start + 5, len(padded))):
                value = (value ^ padded[end]) * _PRIME & _MASK
                yield 1, _mixed(value), padded[start : end + 1].decode()


def buckets(text):
    """Two lists of buckets, of words and of letters, with repetitions."""
    found = ([], [])
    for kind, bucket, _ in ngrams(text):
        found[kind].append(bucket)
    return found
