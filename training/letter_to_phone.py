"""Learns letter-to-phone rules from the CMU dictionary, for words that it does not contain.

Letters are aligned with phones by expectation and maximisation, each letter giving zero to two
phones (Damper et al. 2005); a rule is the commonest phones of a letter in its context, kept where
it differs from the next narrower context's.
"""

import json
from collections import Counter, defaultdict

import numpy as np

from figures import save_figures
from paths import WEIGHTS, pulled

CONTEXTS = ((3, 3), (2, 3), (2, 2), (1, 2), (1, 1), (0, 1), (0, 0))
MIN_COUNT = 3
ITERATIONS = 3
SEED = 20261121
HELD_OUT_WORDS = 3_000
MAX_PHONES_PER_LETTER = 2
# Scores of no, one and two phones for a letter before the first iteration.
SCORE_OF_COUNT = (-3.0, 0.0, -2.0)
# Pseudo-counts of a pair of letter and phones, and of all pairs of a letter together.
SMOOTHING, SMOOTHING_TOTAL = 0.01, 10


def dictionary(path):
    """[(letters, phones without stress)] of plain words, first pronunciations only."""
    entries = []
    for line in path.read_text(encoding="latin-1").splitlines():
        word, *phones = line.split("#")[0].split()
        if word.isascii() and word.isalpha() and len(phones) <= MAX_PHONES_PER_LETTER * len(word):
            entries.append((word, tuple(p.rstrip("012") for p in phones)))
    return entries


def best_alignment(word, phones, score):
    """Phones per letter on the best path."""
    rows, columns = len(word) + 1, len(phones) + 1
    best = np.full((rows, columns), -np.inf)
    back = np.zeros((rows, columns), int)
    best[0, 0] = 0
    for i in range(1, rows):
        for j in range(columns):
            for size in range(MAX_PHONES_PER_LETTER + 1):
                if j < size or best[i - 1, j - size] == -np.inf:
                    continue
                value = best[i - 1, j - size] + score(word[i - 1], phones[j - size : j])
                if value > best[i, j]:
                    best[i, j], back[i, j] = value, size
    if best[-1, -1] == -np.inf:
        return None
    parts, j = [], columns - 1
    for i in range(rows - 1, 0, -1):
        parts.append(phones[j - back[i, j] : j])
        j -= back[i, j]
    return parts[::-1]


def align_all(entries):
    """[(word, phones per letter)] of the words that can be aligned with their phones."""
    score = first_score
    for _ in range(ITERATIONS):
        aligned_words = [(word, best_alignment(word, phones, score)) for word, phones in entries]
        aligned = [(word, parts) for word, parts in aligned_words if parts is not None]
        score = counted_score(aligned)
    return aligned


def first_score(_letter, part):
    """Initial scores: one phone for a letter is likeliest, then two, then none."""
    return SCORE_OF_COUNT[len(part)]


def counted_score(aligned):
    """The smoothed log-probability of a letter's phones in an alignment."""
    counts = defaultdict(Counter)
    for word, parts in aligned:
        for letter, part in zip(word, parts, strict=True):
            counts[letter][part] += 1
    totals = {letter: sum(parts.values()) for letter, parts in counts.items()}

    def score(letter, part):
        return np.log(
            (counts[letter][part] + SMOOTHING) / (totals.get(letter, 0) + SMOOTHING_TOTAL)
        )

    return score


def key(word, i, left, right):
    padded = f"###{word}###"
    at = i + 3
    return f"{padded[at - left : at]}|{padded[at]}|{padded[at + 1 : at + 1 + right]}"


def learn(aligned):
    """Rules from context to phones, from the narrowest contexts to the widest."""
    rules = {}
    for left, right in reversed(CONTEXTS):
        fresh = commonest(aligned, left, right)
        for context, part in fresh.items():
            if narrower(context, rules) != part:
                rules[context] = part
    return rules


def commonest(aligned, left, right):
    """Maps contexts of these widths to their commonest phones if they are frequent enough."""
    tables = defaultdict(Counter)
    for word, parts in aligned:
        for i, part in enumerate(parts):
            tables[key(word, i, left, right)][part] += 1
    least = 1 if (left, right) == (0, 0) else MIN_COUNT
    return {
        context: counter.most_common(1)[0][0]
        for context, counter in tables.items()
        if counter.total() >= least
    }


def narrower(context, rules):
    left, letter, right = context.split("|")
    for before, after in CONTEXTS:
        sizes = (len(left), len(right))
        if before <= sizes[0] and after <= sizes[1] and (before, after) != sizes:
            found = rules.get(f"{left[sizes[0] - before :]}|{letter}|{right[:after]}")
            if found is not None:
                return found
    return None


def pronounce(word, rules):
    phones = []
    for i in range(len(word)):
        for left, right in CONTEXTS:
            part = rules.get(key(word, i, left, right))
            if part is not None:
                phones += part
                break
    return tuple(phones)


def main():
    entries = dictionary(pulled("cmudict", "cmudict.dict"))
    order = np.random.default_rng(SEED).permutation(len(entries))
    test = [entries[i] for i in order[:HELD_OUT_WORDS]]
    aligned = align_all([entries[i] for i in order[HELD_OUT_WORDS:]])
    rules = learn(aligned)
    right = np.mean([pronounce(word, rules) == phones for word, phones in test])
    table = {k: list(v) for k, v in sorted(rules.items())}
    (WEIGHTS / "letter-to-phone.json").write_text(json.dumps(table, separators=(",", ":")) + "\n")
    figures = {"rules": len(rules), "held-out words right": round(float(right), 3)}
    save_figures("letter-to-phone", figures)


if __name__ == "__main__":
    main()
