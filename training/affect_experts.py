"""Classifiers of acted emotion: absolute, and relative to the rest of the recording."""

import numpy as np
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression

from affect_labels import CLASSES, RECORDED

NEUTRAL = "N"
MAX_DEVIATIONS = 4
# Other clips of the speaker in a simulated recording, and the share of them that is neutral.
MIN_CLIPS, MAX_CLIPS = 4, 10
MIN_NEUTRAL, MAX_NEUTRAL = 0.35, 0.75


class Scale:
    """Standardises rows by the mean and deviation of all rows; optionally clips them."""

    def __init__(self, rows, clip=False):
        self.mean, self.deviation, self.clip = rows.mean(0), rows.std(0) + 1e-3, clip

    def __call__(self, rows):
        scaled = (rows - self.mean) / self.deviation
        return np.clip(scaled, -MAX_DEVIATIONS, MAX_DEVIATIONS) if self.clip else scaled


class Expert:
    """A multinomial logistic regression, on principal components if their number is given."""

    def __init__(self, rows, classes, weights, strength, components=None, random_state=0):
        totals = {c: weights[classes == c].sum() for c in CLASSES}
        balanced = weights * np.array([weights.sum() / len(CLASSES) / totals[c] for c in classes])
        model = LogisticRegression(C=strength, max_iter=200)
        basis = np.eye(rows.shape[1])
        if components:
            pca = PCA(components, svd_solver="randomized", random_state=random_state)
            basis = pca.fit(rows[:: max(1, len(rows) // 2500)]).components_
        model.fit(rows @ basis.T, classes, sample_weight=balanced)
        order = [list(model.classes_).index(c) for c in CLASSES]
        self.weight = (model.coef_[order] @ basis).T
        self.bias = model.intercept_[order]

    def __call__(self, rows):
        return rows @ self.weight + self.bias

    def divide(self, temperature):
        """Divides the logits by a temperature."""
        self.weight, self.bias = self.weight / temperature, self.bias / temperature


def against_recording(rows, classes, groups, random):
    """Each row minus the mean of a simulated recording of its group (speaker and condition)."""
    relative = np.empty_like(rows)
    for group in np.unique(groups):
        own = np.flatnonzero(groups == group)
        neutral = own[classes[own] == NEUTRAL]
        moved = own[classes[own] != NEUTRAL]
        for row in own:
            count = random.integers(MIN_CLIPS, MAX_CLIPS + 1)
            share = round(count * random.uniform(MIN_NEUTRAL, MAX_NEUTRAL))
            others = [random.choice(neutral, share), random.choice(moved, count - share)]
            relative[row] = rows[row] - rows[[row, *np.concatenate(others)]].mean(0)
    return relative


def against_speaker(rows, speakers):
    """Rows of speech without emotion minus the mean of their speaker."""
    relative = rows.copy()
    for speaker in np.unique(speakers):
        relative[speakers == speaker] -= rows[speakers == speaker].mean(0)
    return relative


def softmax(logits):
    exponent = np.exp(logits - logits.max(-1, keepdims=True))
    return exponent / exponent.sum(-1, keepdims=True)


def log_odds(logits):
    """Log-odds of each class against all others."""
    share = np.clip(softmax(logits), 1e-6, 1 - 1e-6)
    return np.log(share / (1 - share))


def best_of_recorded(logits):
    """The recorded label's letter with the greatest logit; boredom is no label."""
    six = [CLASSES.index(c) for c in RECORDED]
    return np.array(list(RECORDED))[logits[..., six].argmax(-1)]


def unweighted_recall(predicted, true):
    return float(np.mean([(predicted[true == c] == c).mean() for c in RECORDED]))


def recall_by_class(predicted, true):
    return {RECORDED[c]: round(float((predicted[true == c] == c).mean()), 3) for c in RECORDED}
