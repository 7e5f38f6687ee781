"""The figures that a step measures on what it held out: kept beside the weights, compared later."""

import json

import numpy as np

from places import WEIGHTS


def save_figures(name, figures):
    """Prints figures (numbers, lists and dictionaries of them) and writes `<name>-figures.json`."""
    text = json.dumps(figures, indent=2)
    (WEIGHTS / f"{name}-figures.json").write_text(text + "\n")
    print(text, flush=True)


def equal_error_rate(low, high):
    """The share at the threshold that as many of the `low` scores reach as `high` ones miss."""
    low, high = np.sort(low), np.sort(high)
    levels = np.sort(np.concatenate([low, high]))
    reached = 1 - np.searchsorted(low, levels) / len(low)
    missed = np.searchsorted(high, levels) / len(high)
    best = np.abs(reached - missed).argmin()
    return float((reached[best] + missed[best]) / 2)
