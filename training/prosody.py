"""Prosodic measures of a recording, which the affect head learns to read off the encoder."""
import numpy as np

from recordings import SAMPLE_RATE

MEASURES = ("pitch", "pitch_range", "level_range", "tilt", "pauses", "rate")
_FRAME, _HOP = 640, 160


def _frames(samples):
    count = max(1, 1 + (len(samples) - _FRAME) // _HOP)
    padded = np.pad(samples, (0, max(0, _FRAME - len(samples))))
    return padded[np.arange(count)[:, None] * _HOP + np.arange(_FRAME)]


def pitch_track(samples):
    """F0 in Hz per 10 ms, 0 where unvoiced: the peak of the normalised autocorrelation (Rabiner 1977)."""
    frames = _frames(samples) * np.hanning(_FRAME)
    spectrum = np.fft.rfft(frames, 2 * _FRAME)
    correlation = np.fft.irfft(np.abs(spectrum) ** 2)[:, :_FRAME]
    window = np.fft.irfft(np.abs(np.fft.rfft(np.hanning(_FRAME), 2 * _FRAME)) ** 2)[:_FRAME]
    correlation = correlation / (correlation[:, :1] + 1e-9) / (window / window[0] + 1e-3)
    low, high = SAMPLE_RATE // 500, SAMPLE_RATE // 65
    lag = low + correlation[:, low:high].argmax(1)
    strength = correlation[np.arange(len(lag)), lag]
    loud = frames.std(1) > 0.1 * np.quantile(frames.std(1), 0.95)
    return np.where((strength > 0.55) & loud, SAMPLE_RATE / lag, 0)


def measure(samples):
    """[pitch (log2 Hz), pitch range (octaves), level range (dB), tilt (dB), pause share, rate (1/s)]."""
    pitch = pitch_track(samples)
    voiced = np.log2(pitch[pitch > 0]) if (pitch > 0).sum() > 5 else np.log2([120.0] * 6)
    frames = _frames(samples)
    level = 20 * np.log10(frames.std(1) + 1e-5)
    loud = level > np.quantile(level, 0.95) - 25
    power = (np.abs(np.fft.rfft(frames[loud] * np.hanning(_FRAME))) ** 2).mean(0)
    frequency = np.fft.rfftfreq(_FRAME, 1 / SAMPLE_RATE)
    low, high = power[(frequency > 100) & (frequency < 1000)], power[(frequency > 1000) & (frequency < 3400)]
    tilt = 10 * np.log10(high.mean() / (low.mean() + 1e-12) + 1e-9)
    # Syllables show as peaks of the level smoothed over 100 ms.
    smooth = np.convolve(level, np.ones(10) / 10, "same")
    peaks = (smooth[1:-1] > smooth[:-2]) & (smooth[1:-1] >= smooth[2:]) & loud[1:-1]
    inside = np.flatnonzero(loud)
    span = slice(inside[0], inside[-1] + 1)
    return np.array([
        np.median(voiced), np.quantile(voiced, 0.9) - np.quantile(voiced, 0.1),
        level[loud].std(), tilt, 1 - loud[span].mean(),
        peaks[span].sum() / (max(30, span.stop - span.start) * _HOP / SAMPLE_RATE)])
