"""Calibration of Resonance-2: Platt's scaling per recorded label and thresholds per regime.

affect_head.py calls it with logits of speakers that the head was not trained on.
"""

import json

import numpy as np
from sklearn.linear_model import LogisticRegression

from affect_experts import log_odds
from affect_labels import CLASSES, EMOTIONS, RECORDED, STYLES
from bundle import write_manifest
from paths import WEIGHTS

FILE = "resonance-2-calibration.json"
PRECISION = 0.8
BINS = 5


def thresholds(scores, truth):
    """The score with the greatest F1, and the lowest with the precision (None if no score has)."""
    candidates = np.unique(scores.round(4))
    chosen = scores[None] >= candidates[:, None]
    hits, counts = (chosen & truth).sum(1), chosen.sum(1)
    f1 = 2 * hits / (counts + truth.sum())
    precise = candidates[(hits / np.maximum(counts, 1) >= PRECISION) & (hits > 0)]
    return float(candidates[f1.argmax()]), float(precise.min()) if len(precise) else None


def write_calibration(class_logits, classes, placed_thresholds):
    """`class_logits` [clips, 7] of held-out speakers; returns the reliability for the card."""
    logits = log_odds(class_logits)
    labels, reliability = {}, {}
    for label in (*EMOTIONS, *STYLES):
        labels[label] = {
            "slope": 1.0,
            "offset": 0.0,
            "f1": placed_thresholds[label],
            "precision": None,
        }
    for letter, label in RECORDED.items():
        truth, own = classes == letter, logits[:, CLASSES.index(letter)]
        fit = LogisticRegression(C=1e3).fit(own[:, None], truth)
        slope, offset = float(fit.coef_[0, 0]), float(fit.intercept_[0])
        scores = 1 / (1 + np.exp(-(slope * own + offset)))
        f1, precision = thresholds(scores, truth)
        labels[label] = {
            "slope": round(slope, 4),
            "offset": round(offset, 4),
            "f1": round(f1, 4),
            "precision": None if precision is None else round(precision, 4),
        }
        bins = np.minimum((scores * BINS).astype(int), BINS - 1)
        reliability[label] = [
            [round(float(scores[bins == b].mean()), 2), round(float(truth[bins == b].mean()), 2)]
            for b in range(BINS)
            if (bins == b).any()
        ]
    (WEIGHTS / FILE).write_text(json.dumps({"labels": labels}, indent=2) + "\n")
    write_manifest("resonance-2-calibration", "calibration", [FILE], {"calibration": FILE})
    return reliability
