"""Stretches of speech, each scored as one, as models/analysis/plan/speech-stretches.ts has them."""

from dataclasses import dataclass

import numpy as np

import synthesis_traces
from encoder import FRAME_SAMPLES, TINY, frame_centres
from pooling import pooled_with_motion
from recordings import SAMPLE_RATE
from sound_phase import sound_phase
from voice_activity import HOP_SAMPLES, VoiceActivity, join_near

# Of 16 bits: digital silence is within one step of zero.
FULL_SCALE, SILENT_AMPLITUDE = 32_768, 1
# A longer pause ends a stretch.
MAX_PAUSE_HOPS = SAMPLE_RATE // HOP_SAMPLES
# A longer stretch is cut to such lengths, while more than the second is left.
WINDOW_SAMPLES, MIN_REST_SAMPLES = 6 * SAMPLE_RATE, round(1.2 * SAMPLE_RATE)
# What the encoder reads around a stretch, and what is pooled of it.
PADDING_SAMPLES = SAMPLE_RATE // 2
MAX_EDGE_SAMPLES, EDGE_SHARE = 0.35 * SAMPLE_RATE, 0.25


@dataclass(frozen=True)
class Stretch:
    """Samples with what is around a stretch; which of them are pooled, end exclusive."""

    samples: np.ndarray
    first: float
    last: float


class StretchPooler:
    """Maps the samples of a clip to [layers * 864 + SIZE]: what its speech is like.

    Mean, deviation and motion of the recogniser's layers, and the traces of its synthesis. Of
    several stretches the longest counts. None where no speech is heard.
    """

    def __init__(self, used):
        self.used, self.encode, self.voice_activity = used, TINY.load(), VoiceActivity()
        self.traces = synthesis_traces.load()

    def __call__(self, samples):
        stretches = speech_stretches(samples, self.voice_activity)
        if not stretches:
            return None
        longest = max(stretches, key=lambda x: x.last - x.first)
        layers = self.encode(longest.samples)
        centres = frame_centres(len(layers[0]))
        inside = (centres >= longest.first) & (centres < longest.last)
        spoken = longest.samples[max(0, int(longest.first)) : int(longest.last)]
        pooled = pooled_with_motion([layers[i][inside] for i in self.used])
        return np.concatenate([pooled, self.traces(spoken)])


def speech_stretches(samples, voice_activity):
    """The stretches of a recording; [] where no speech is heard."""
    pcm = np.clip(np.rint(np.asarray(samples, "float64") * FULL_SCALE), -FULL_SCALE, FULL_SCALE - 1)
    recording = (pcm / FULL_SCALE).astype("float32")
    return [chunk_around(recording, *span) for span in spans(pcm, voice_activity)]


def spans(pcm, voice_activity):
    """First sample of each stretch, and the one behind its last."""
    begin, end = sound_in(pcm)
    start, regions = voice_activity((pcm[begin:end] / FULL_SCALE).astype("float32"))
    hops = begin + start
    joined = [
        (max(begin, hops + first * HOP_SAMPLES), hops + last * HOP_SAMPLES)
        for first, last in join_near(regions, MAX_PAUSE_HOPS)
    ]
    return [piece for stretch in joined for piece in cut(*stretch)]


def sound_in(pcm):
    """What has no digital silence around it: all, if that is less than a hop at the end."""
    sound = np.flatnonzero(np.abs(pcm) > SILENT_AMPLITUDE)
    if len(sound) == 0:
        return 0, len(pcm)
    begin, end = sound[0], sound[-1] + 1
    return (0, len(pcm)) if begin == 0 and len(pcm) - end < HOP_SAMPLES else (begin, end)


def cut(start, end):
    count = max(1, -(-(end - start - MIN_REST_SAMPLES) // WINDOW_SAMPLES))
    ends = [*range(start + WINDOW_SAMPLES, start + count * WINDOW_SAMPLES, WINDOW_SAMPLES), end]
    return list(zip([start, *ends[:-1]], ends, strict=True))


def chunk_around(recording, start, end):
    """A stretch in what is around it: zeros where the recording has nothing."""
    around = np.zeros(end - start + 2 * PADDING_SAMPLES, "float32")
    begin = start - PADDING_SAMPLES
    inside = recording[max(0, begin) : begin + len(around)]
    around[max(0, -begin) : max(0, -begin) + len(inside)] = inside
    edge = min(MAX_EDGE_SAMPLES, EDGE_SHARE * (end - start))
    phased, before = at_own_phase(around)
    offset = before - begin
    return Stretch(phased, offset + start - edge, offset + end + edge)


def at_own_phase(samples):
    """Zeros first, so that frames begin at the sound's own phase (models/audio/sound-phase.ts)."""
    before = -sound_phase(samples, FRAME_SAMPLES) % FRAME_SAMPLES
    return np.pad(samples, (before, 0)), before
