"""What the graphs are run on: speech, from the tree and from the folder of recordings."""

import os
from pathlib import Path

import numpy as np
import pytest

from encoder import TINY
from paths import ROOT
from recordings import SAMPLE_RATE, read_audio

SECONDS = 6


@pytest.fixture(scope="session", params=["sample call", "reader"])
def speech(request):
    """Six seconds at 16 kHz: synthetic voices over a telephone line, and a person's voice."""
    if request.param == "sample call":
        path = ROOT / "samples/call.mp3"
    else:
        folder = os.environ.get("SPEECH_DATA_DIR")
        if not folder:
            pytest.skip("SPEECH_DATA_DIR names no folder of recorded speech")
        path = min((Path(folder) / "l2-english/audio").glob("*.opus"))
    samples = read_audio(path)[: SECONDS * SAMPLE_RATE]
    return np.pad(samples, (0, SECONDS * SAMPLE_RATE - len(samples))).astype("float32")


@pytest.fixture(scope="session")
def layers(speech):
    """The seven layers [frames, 288] of tiny's encoder on that speech."""
    return TINY.load()(speech)
