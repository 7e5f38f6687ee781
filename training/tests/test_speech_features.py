"""Functionals: those of the service's tests, and a pitch that is known."""

import json

import numpy as np

from functional_values import values, vowel
from paths import ROOT
from speech_features import FRAME, HOP, RATE, describe

TOLERANCE, RIGHT_SHARE = 0.02, 0.98


def test_the_service_is_tested_with_these_values():
    stored = json.loads((ROOT / "test/models/affect/functionals.json").read_text())
    found = values()
    assert list(found) == list(stored)
    np.testing.assert_allclose(list(found.values()), list(stored.values()), rtol=1e-6, atol=1e-6)


def test_the_pitch_follows_the_glide_of_the_vowel():
    found = 2 ** describe(vowel())["pitch"]
    centres = (np.arange(len(found)) * HOP + FRAME / 2) / RATE
    glide = 130 + 40 * np.sin(2 * np.pi * 1.5 * centres)
    # One frame of 92 is an octave too low, as autocorrelation can be.
    assert np.mean(np.abs(found / glide - 1) < TOLERANCE) > RIGHT_SHARE
