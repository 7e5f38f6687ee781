"""Figures that a step measures on held-out data; stored with the weights for comparison."""

import json

import numpy as np

from paths import WEIGHTS


def save_figures(name, figures):
    """Prints figures (numbers, lists and dictionaries of them) and writes `<name>-figures.json`."""
    text = json.dumps(figures, indent=2)
    (WEIGHTS / f"{name}-figures.json").write_text(text + "\n")
    print(text, flush=True)


def equal_error_rate(low, high):
    """Error rate at the threshold where as many `low` scores are above as `high` scores below."""
    low, high = np.sort(low), np.sort(high)
    levels = np.sort(np.concatenate([low, high]))
    reached = 1 - np.searchsorted(low, levels) / len(low)
    missed = np.searchsorted(high, levels) / len(high)
    best = np.abs(reached - missed).argmin()
    return float((reached[best] + missed[best]) / 2)
