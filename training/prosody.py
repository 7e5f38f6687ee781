"""Prosodic measures of a recording, which the affect head learns to read off the encoder."""

from itertools import pairwise

import numpy as np

from recordings import SAMPLE_RATE

MEASURES = ("pitch", "pitch_range", "level_range", "tilt", "pauses", "rate")
_FRAME, _HOP = 640, 160
_LOWEST_HERTZ, _HIGHEST_HERTZ = 65, 500
# A frame is voiced from this much of its power in the peak of the autocorrelation.
_VOICED_STRENGTH = 0.55
_LEAST_VOICED_FRAMES = 6
# What a recording with hardly a voiced frame is taken for.
_USUAL_HERTZ = 120.0
# The tilt compares the bands from the first to the second and from there to the third.
_TILT_HERTZ = (100, 1_000, 3_400)


def _frames(samples):
    count = max(1, 1 + (len(samples) - _FRAME) // _HOP)
    padded = np.pad(samples, (0, max(0, _FRAME - len(samples))))
    return padded[np.arange(count)[:, None] * _HOP + np.arange(_FRAME)]


def pitch_track(samples):
    """F0 in Hz per 10 ms, 0 where unvoiced: peaks of the autocorrelation (Rabiner 1977)."""
    frames = _frames(samples) * np.hanning(_FRAME)
    spectrum = np.fft.rfft(frames, 2 * _FRAME)
    correlation = np.fft.irfft(np.abs(spectrum) ** 2)[:, :_FRAME]
    window = np.fft.irfft(np.abs(np.fft.rfft(np.hanning(_FRAME), 2 * _FRAME)) ** 2)[:_FRAME]
    correlation = correlation / (correlation[:, :1] + 1e-9) / (window / window[0] + 1e-3)
    low, high = SAMPLE_RATE // _HIGHEST_HERTZ, SAMPLE_RATE // _LOWEST_HERTZ
    lag = low + correlation[:, low:high].argmax(1)
    strength = correlation[np.arange(len(lag)), lag]
    loud = frames.std(1) > 0.1 * np.quantile(frames.std(1), 0.95)
    return np.where((strength > _VOICED_STRENGTH) & loud, SAMPLE_RATE / lag, 0)


def measure(samples):
    """Pitch (log2 Hz), its range (octaves), level range and tilt (dB), pause share, rate (1/s)."""
    pitch = pitch_track(samples)
    enough = (pitch > 0).sum() >= _LEAST_VOICED_FRAMES
    voiced = np.log2(pitch[pitch > 0] if enough else [_USUAL_HERTZ])
    frames = _frames(samples)
    level = 20 * np.log10(frames.std(1) + 1e-5)
    loud = level > np.quantile(level, 0.95) - 25
    power = (np.abs(np.fft.rfft(frames[loud] * np.hanning(_FRAME))) ** 2).mean(0)
    frequency = np.fft.rfftfreq(_FRAME, 1 / SAMPLE_RATE)
    low, high = (
        power[(frequency > start) & (frequency < end)] for start, end in pairwise(_TILT_HERTZ)
    )
    tilt = 10 * np.log10(high.mean() / (low.mean() + 1e-12) + 1e-9)
    # Syllables show as peaks of the level smoothed over 100 ms.
    smooth = np.convolve(level, np.ones(10) / 10, "same")
    peaks = (smooth[1:-1] > smooth[:-2]) & (smooth[1:-1] >= smooth[2:]) & loud[1:-1]
    inside = np.flatnonzero(loud)
    span = slice(inside[0], inside[-1] + 1)
    return np.array(
        [
            np.median(voiced),
            np.quantile(voiced, 0.9) - np.quantile(voiced, 0.1),
            level[loud].std(),
            tilt,
            1 - loud[span].mean(),
            peaks[span].sum() / (max(30, span.stop - span.start) * _HOP / SAMPLE_RATE),
        ]
    )
