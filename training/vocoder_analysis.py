"""What vocoders keep of a recording: its pitch, its envelopes and its level."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.ndimage import median_filter

from recordings import SAMPLE_RATE
from speech_features import FRAME, HOP, VOICED_STRENGTH, describe

# 5 ms, and 25 ms of samples in a spectrum of this many points.
STEP, WINDOW, POINTS = 80, 400, 1024
# Fainter than the loudest by more, a frame has no voice.
QUIET_DECIBELS = 35
PITCH_FRAMES = 5
ENVELOPE_ROUNDS = 6
FLOOR = 1e-5


@dataclass(frozen=True)
class Analysis:
    """Of samples at 16 kHz, every 5 ms."""

    samples: np.ndarray

    @property
    def frames(self):
        return 1 + len(self.samples) // STEP

    @cached_property
    def pitch(self):
        """Hz, through unvoiced frames too, and whether each frame is voiced."""
        described = describe(self.samples)
        # Its frames are of samples at half the rate.
        centres = FRAME + 2 * HOP * np.arange(len(described["pitch"]))
        loud = described["level"] > described["level"].max() - QUIET_DECIBELS
        voiced = loud & (described["strength"] > VOICED_STRENGTH)
        at = np.arange(self.frames) * STEP
        if not voiced.any():
            return np.full(len(at), 120.0), np.zeros(len(at), bool)
        octaves = median_filter(described["pitch"][voiced], PITCH_FRAMES)
        nearest = np.abs(centres[:, None] - at).argmin(0)
        return 2 ** np.interp(at, centres[voiced], octaves), voiced[nearest]

    @cached_property
    def spectra(self):
        """Spectra [frames, POINTS // 2 + 1] of windows around each frame."""
        padded = np.pad(self.samples, WINDOW // 2 + STEP).astype("float64")
        starts = np.arange(self.frames) * STEP + STEP
        windows = padded[starts[:, None] + np.arange(WINDOW)] * np.hanning(WINDOW)
        return np.fft.rfft(windows, POINTS)

    def envelopes(self, order):
        """Logarithms of smooth spectra through the harmonics, of so many cepstral coefficients."""
        logs = np.log(np.abs(self.spectra) + FLOOR)
        smooth = np.full_like(logs, -np.inf)
        for _ in range(ENVELOPE_ROUNDS):
            cepstra = np.fft.irfft(np.maximum(logs, smooth))
            cepstra[:, order + 1 : -order] = 0
            smooth = np.fft.rfft(cepstra).real
        return smooth

    @cached_property
    def levels(self):
        """Root mean square around each frame."""
        return np.sqrt((np.abs(self.spectra) ** 2).mean(1) / WINDOW)


def pulse_times(pitch, voiced, length):
    """Samples at which the periods of voiced frames begin."""
    at = np.arange(length)
    frame = np.minimum(at // STEP, len(pitch) - 1)
    cycles = np.cumsum(np.interp(at, np.arange(len(pitch)) * STEP, pitch)) / SAMPLE_RATE
    begins = np.diff(np.floor(cycles), prepend=0) > 0
    return np.flatnonzero(begins & voiced[frame])


def minimum_phase(logs):
    """Complex spectra of these logarithms of magnitude, of the least delay."""
    cepstra = np.fft.irfft(logs)
    half = cepstra.shape[1] // 2
    cepstra[:, 1:half] *= 2
    cepstra[:, half + 1 :] = 0
    return np.exp(np.fft.rfft(cepstra))


def overlap_add(pieces, starts, length):
    """Adds pieces [n, samples] at their first samples."""
    total = np.zeros(length + pieces.shape[1])
    for piece, start in zip(pieces, starts, strict=True):
        total[start : start + len(piece)] += piece
    return total[:length]


def filtered_noise(responses, length, random):
    """White noise through a filter of each frame."""
    window = np.hanning(2 * STEP + 1)[:-1]
    noise = random.standard_normal((len(responses), 2 * STEP)) * window
    pieces = np.fft.irfft(np.fft.rfft(noise, POINTS) * responses)
    return overlap_add(pieces, np.arange(len(responses)) * STEP, length + STEP)[STEP:]
