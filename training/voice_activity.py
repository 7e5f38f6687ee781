"""Regions of speech in a recording, as models/vad and models/analysis/voice-activity.ts find them.

Silero's graphs of the tree, which hear a recording of up to a minute at one level, in silence.
"""

import numpy as np

from encoder import load_session
from paths import GRAPHS, pulled
from sound_phase import sound_phase

HOP_SAMPLES = 512
# Zeros before and behind a recording.
WARM_UP_HOPS, TAIL_HOPS = 31, 16
# The recurrent part begins in the state of ten seconds of silence.
STATE, REST_HOPS = 128, 312
# Of a hop behind 64 samples four frames of 256 are transformed; the last is reflected.
CONTEXT_SAMPLES, FRAME_SAMPLES, FRAME_STEP = 64, 256, 128
# Root mean square of the loudest sound of 96 ms; it counts half as much after a minute.
TARGET, MAX_GAIN, KEPT_PER_HOP = 0.2, 64, 0.5 ** (HOP_SAMPLES / 16_000 / 60)
# A region opens at the first probability and closes below the second.
ON, OFF = 0.5, 0.35
MIN_SPEECH_HOPS, MIN_SILENCE_HOPS = 6, 3


class VoiceActivity:
    """Maps a recording to its first hop (a sample) and regions of speech (hops, end exclusive)."""

    def __init__(self):
        folder = pulled("silero-vad", "")
        self.front, self.recurrent = (
            load_session((GRAPHS / f"silero-{part}.onnx").read_bytes(), folder)
            for part in ("front", "recurrent")
        )
        zeros = np.zeros((1, 1, STATE), "float32")
        silence = np.zeros(REST_HOPS * HOP_SAMPLES, "float32")
        _, *state = self.run(silence, {"hidden": zeros, "cell": zeros})
        self.at_rest = dict(zip(("hidden", "cell"), state, strict=True))

    def __call__(self, samples):
        start = grid_start(samples)
        return start, speech_regions(self.probabilities(samples, start))

    def run(self, samples, state):
        features = self.front.run(["features"], {"frames": frames_of(samples)})[0]
        return self.recurrent.run(None, {"features": features, **state})

    def probabilities(self, samples, start):
        """One for each hop, and those of the silence behind, in which speech only ends."""
        hops = -(-len(samples) // HOP_SAMPLES)
        around = np.zeros((WARM_UP_HOPS + hops + TAIL_HOPS) * HOP_SAMPLES, "float32")
        first = WARM_UP_HOPS * HOP_SAMPLES - start
        around[first : first + len(samples)] = samples
        heard = self.run(at_steady_level(around), self.at_rest)[0][WARM_UP_HOPS:]
        behind = max(1, hops) - 1
        heard[behind:] = np.minimum.accumulate(heard[behind:])
        return heard


def grid_start(samples):
    """Hops have the same place in a sound, wherever it is (models/vad/sound-grid.ts)."""
    phase = sound_phase(samples, HOP_SAMPLES)
    return phase if phase < HOP_SAMPLES / 2 else phase - HOP_SAMPLES


def frames_of(samples):
    """Row-major [4 * hops, 256]."""
    padded = np.pad(samples, (CONTEXT_SAMPLES, 0))
    wide = np.lib.stride_tricks.sliding_window_view(padded, CONTEXT_SAMPLES + HOP_SAMPLES)
    reflected = np.pad(wide[::HOP_SAMPLES], ((0, 0), (0, CONTEXT_SAMPLES)), mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(reflected, FRAME_SAMPLES, axis=1)
    return np.ascontiguousarray(frames[:, ::FRAME_STEP].reshape(-1, FRAME_SAMPLES))


def at_steady_level(samples):
    """The loudest sound that lasts three hops is as loud as the speech of most recordings."""
    loudest, most, earlier, previous = 0.0, 0.0, 0.0, 0.0
    for amplitude in np.sqrt((samples.astype("float64").reshape(-1, HOP_SAMPLES) ** 2).mean(1)):
        loudest = max(loudest * KEPT_PER_HOP, min(amplitude, previous, earlier))
        most = max(most, loudest)
        earlier, previous = previous, amplitude
    gain = 1 if most == 0 else min(MAX_GAIN, TARGET / most)
    return (gain * samples).astype("float32")


def speech_regions(probabilities):
    """In order, disjoint; what is only faint in a short recording is left out."""
    least = min(MIN_SPEECH_HOPS, -(-len(probabilities) // 2))
    joined = join_near(active_runs(probabilities), MIN_SILENCE_HOPS - 1)
    return [(start, end) for start, end in joined if end - start >= least]


def active_runs(probabilities):
    runs, start = [], None
    for hop, value in enumerate(probabilities):
        if start is None and value >= ON:
            start = hop
        elif start is not None and value < OFF:
            runs.append((start, hop))
            start = None
    return runs if start is None else [*runs, (start, len(probabilities))]


def join_near(runs, most):
    """Joins runs with at most so many hops between them."""
    joined = []
    for start, end in runs:
        if joined and start - joined[-1][1] <= most:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined
