"""Synthetic speech with phone times: flite reports when each phone ends."""

import re
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from phones import SILENCE, phone_index
from recordings import SAMPLE_RATE, read_audio

VOICES = ("slt", "rms", "awb", "kal16")


def speak(text, voice, stretch=1.0):
    """Samples [n] at 16 kHz and [(phone, end sample)] of a spoken text."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "speech.wav"
        command = [
            "flite",
            "-voice",
            voice,
            "--setf",
            f"duration_stretch={stretch:.3f}",
            "-psdur",
            "-t",
            text,
            "-o",
            str(path),
        ]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        samples = read_audio(path)
    phones = [
        (phone_index(name), int(float(end) * SAMPLE_RATE))
        for name, end in re.findall(r"(\S+?):([0-9.]+)", printed)
    ]
    return samples, phones


def frame_labels(phones, centres):
    """The phone at each frame's centre (samples); silence after the last."""
    ends = np.array([end for _, end in phones])
    labels = np.array([phone for phone, _ in phones] + [SILENCE], "int8")
    return labels[np.searchsorted(ends, centres, side="right")]
