"""Reads recordings for training, as mono at 16 kHz."""

import os
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import resample_poly

SAMPLE_RATE = 16_000
TRIM_FRAME, TRIM_DECIBELS = SAMPLE_RATE // 100, 35


def data_directory():
    """The folder of recorded speech, from SPEECH_DATA_DIR."""
    path = os.environ.get("SPEECH_DATA_DIR")
    if not path or not Path(path).is_dir():
        raise SystemExit("Set SPEECH_DATA_DIR to the folder of recorded speech.")
    return Path(path)


def read_audio(path):
    """A recording as float32 mono at 16 kHz."""
    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    mono = samples.mean(axis=1)
    return mono if rate == SAMPLE_RATE else resample_poly(mono, SAMPLE_RATE, rate).astype("float32")


def trimmed(samples):
    """Removes silence at both ends: frames of 10 ms that are 35 dB below the loudest."""
    frames = len(samples) // TRIM_FRAME
    rows = samples[: frames * TRIM_FRAME].reshape(frames, TRIM_FRAME)
    level = 20 * np.log10(rows.std(1) + 1e-6)
    loud = np.flatnonzero(level > level.max() - TRIM_DECIBELS)
    return samples[loud[0] * TRIM_FRAME : (loud[-1] + 1) * TRIM_FRAME]
