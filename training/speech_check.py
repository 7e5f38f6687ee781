"""Separates speech from other sounds by functionals: a regression for the affect classifier."""

import numpy as np
from sklearn.linear_model import LogisticRegression

from sounds import MAKERS, make_sound
from speech_features import features

STRENGTH = 0.1
SOUNDS_PER_KIND = 40
MIN_SECONDS, MAX_SECONDS = 0.3, 5.0
# One of this many sounds of a kind is held out of the training.
HELD_OUT = 4
# What voice activity detection accepts counts as speech down to this logit. Of readers, prompts and
# an English corpus that were not trained on, less than one segment of 200 is lost.
MIN_LOGIT = -3.5


def _sounds(random):
    """Functionals of sounds of every kind."""
    rows = []
    for kind in MAKERS:
        for _ in range(SOUNDS_PER_KIND):
            seconds = np.exp(random.uniform(np.log(MIN_SECONDS), np.log(MAX_SECONDS)))
            rows.append(
                features(make_sound(kind, max(1.0, seconds), random)[: int(16_000 * seconds)])
            )
    return np.stack(rows)


def train_speech_check(acted, read, random):
    """A function from the functionals' scale to the classifier's weights, and figures."""
    speech = np.concatenate([acted.functionals, read.functionals])
    sounds = _sounds(random)
    kept = np.arange(len(sounds)) % HELD_OUT == 0

    def fit(scale):
        rows = np.concatenate([scale(speech), scale(sounds[~kept])])
        truth = np.arange(len(rows)) < len(speech)
        model = LogisticRegression(C=STRENGTH, max_iter=500, class_weight="balanced")
        model.fit(rows, truth)
        return model.coef_[0], float(model.intercept_[0] - MIN_LOGIT)

    def weights_for(scale):
        weights, bias = fit(scale)
        return {"weights": weights, "bias": bias}

    return weights_for, {"sounds": len(sounds), "kinds": len(MAKERS)}
