"""Functionals: those of the service's tests, and a pitch that is known."""

import json

import numpy as np

from functional_values import values, vowel
from paths import ROOT
from speech_features import describe


def test_the_service_is_tested_with_these_values():
    stored = json.loads((ROOT / "test/models/affect/functionals.json").read_text())
    found = values()
    assert list(found) == list(stored)
    np.testing.assert_allclose(list(found.values()), list(stored.values()), rtol=1e-6, atol=1e-6)


def test_the_pitch_is_that_of_the_vowel():
    pitch = 2 ** describe(vowel())["pitch"]
    assert pitch.min() > 85 and pitch.max() < 175  # noqa: PLR2004, PT018
