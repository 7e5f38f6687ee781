"""Copy synthesis on a vowel that is made here: pitch and formants are known."""

import numpy as np
import pytest
from scipy.signal import lfilter

from recordings import SAMPLE_RATE
from vocoder_analysis import Analysis, minimum_phase, pulse_times
from vocoders import VOCODERS, formant_tracks

HERTZ, FORMANTS = 160, (600, 1_400, 2_600, 3_600)
SECONDS = 1.0
# Correlation of samples that are the same.
SAME = 0.98


def vowel():
    """Pulses through resonators, silent in the last fifth."""
    source = np.zeros(int(SECONDS * SAMPLE_RATE))
    source[:: round(SAMPLE_RATE / HERTZ)] = 1
    source[len(source) * 4 // 5 :] = 0
    for hertz in FORMANTS:
        radius = np.exp(-np.pi * 100 / SAMPLE_RATE)
        turn = 2 * radius * np.cos(2 * np.pi * hertz / SAMPLE_RATE)
        source = lfilter([1 - turn + radius**2], [1, -turn, radius**2], source)
    noise = 1e-4 * np.random.default_rng(0).standard_normal(len(source))
    return (source / np.abs(source).max() + noise).astype("float32")


def test_pitch_of_a_vowel():
    pitch, voiced = Analysis(vowel()).pitch
    inside = slice(20, 140)
    assert voiced[inside].all()
    np.testing.assert_allclose(pitch[inside], HERTZ, rtol=0.02)
    assert not voiced[-20:].any()
    times = pulse_times(pitch, voiced, int(SECONDS * SAMPLE_RATE))
    np.testing.assert_allclose(len(times), HERTZ * 0.8, atol=6)


def test_formants_of_a_vowel():
    tracks = formant_tracks(vowel(), 201, 10)
    np.testing.assert_allclose(np.median(tracks[20:140], 0), FORMANTS, rtol=0.15)


def test_minimum_phase_keeps_the_magnitude_and_begins_at_once():
    logs = Analysis(vowel()).envelopes(30)[50:51]
    response = minimum_phase(logs)
    np.testing.assert_allclose(np.log(np.abs(response)), logs, atol=1e-6)
    impulse = np.fft.irfft(response)[0]
    assert (impulse[:100] ** 2).sum() > 0.9 * (impulse**2).sum()


@pytest.mark.parametrize("name", VOCODERS)
def test_copy_is_as_long_as_the_recording_and_as_loud_over_time_but_not_the_same(name):
    samples = vowel()
    copy = VOCODERS[name](samples, np.random.default_rng(1))
    assert copy.shape == samples.shape
    assert np.isfinite(copy).all()
    quiet = slice(len(samples) * 9 // 10, None)
    assert copy[quiet].std() < 0.1 * copy[: len(samples) // 2].std()
    assert abs(np.corrcoef(copy, samples)[0, 1]) < SAME


@pytest.mark.parametrize("name", VOCODERS)
def test_silence_has_a_copy(name):
    assert np.isfinite(VOCODERS[name](np.full(4_000, 1e-5), np.random.default_rng(1))).all()
