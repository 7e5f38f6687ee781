"""Stretches of speech; test/models/analysis/plan/speech-stretches.test.ts has the same values."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
import soundfile

from paths import ROOT
from sound_phase import sound_phase
from speech_stretches import (
    FULL_SCALE,
    PADDING_SAMPLES,
    StretchPooler,
    spans,
    speech_stretches,
)
from voice_activity import VoiceActivity

STORED = ROOT / "test/models/analysis/plan/speech-stretches.json"
PERIOD, PHASE = 384, 347


@pytest.mark.parametrize("stored", json.loads(STORED.read_text()), ids=lambda x: x["path"])
def test_recordings_have_the_stretches_that_the_service_scores(stored):
    path = Path(os.environ.get("SPEECH_DATA_DIR", "")) / stored["path"]
    if not path.exists():
        pytest.skip("SPEECH_DATA_DIR names no folder of recorded speech")
    start, end = stored["samples"]
    recorded = soundfile.read(path, dtype="int16", start=start, stop=end)[0]
    pcm = np.pad(recorded, stored["zeros"]).astype("float64")
    hear = VoiceActivity()
    stretches = speech_stretches(pcm / FULL_SCALE, hear)
    found = [
        [first, last, (stretch.last - stretch.first - (last - first)) / 2]
        for (first, last), stretch in zip(spans(pcm, hear), stretches, strict=True)
    ]
    assert found == stored["stretches"]


def test_what_is_pooled_lies_in_half_a_second_around(speech):
    for stretch in speech_stretches(speech, VoiceActivity()):
        before = (len(stretch.samples) - (stretch.last - stretch.first)) / 2
        assert 0 < stretch.first < stretch.last < len(stretch.samples)
        assert before < PADDING_SAMPLES


def test_silence_around_changes_no_row(speech):
    pool = StretchPooler(range(2))
    alone = pool(speech)
    np.testing.assert_allclose(pool(np.pad(speech, (20_001, 9_999))), alone, atol=1e-4)


def test_silence_has_no_row():
    assert StretchPooler(range(2))(np.zeros(16_000)) is None


def test_a_swelling_saw_has_the_phase_that_the_service_finds():
    index = np.arange(20_000)
    saw = 0.3 * (index % 97 - 48) / 48 * index / 20_000
    assert sound_phase(saw, PERIOD) == PHASE
