"""Pools the encoder's layers over a clip as the heads read them: mean, deviation, and motion."""

import numpy as np

from encoder import TINY, frame_centres
from recordings import SAMPLE_RATE

# Inaudible noise around and under a clip, because recordings contain no digital silence.
NOISE_FLOOR = 1e-4
MIN_VARIANCE = 1e-6
# Added before a logarithm is taken.
LEAST_SPREAD = 1e-2


class Pooler:
    """Maps the samples of a clip to [layers * 576]: mean, then deviation of each used layer.

    With `motion` [layers * 288] follow: how far each used layer moves from frame to frame. Then it
    and the deviations stand as logarithms.
    """

    def __init__(self, used, silence, random, motion=False, edge=0.0):
        """`silence`: range of the seconds before and after the clip, which are not pooled.

        Of it up to `edge` seconds at each end are pooled, as voice activity does not end with the
        speech.
        """
        self.encode, self.used, self.silence, self.random = TINY.load(), used, silence, random
        self.motion, self.edge = motion, edge

    def __call__(self, samples):
        before, after = (int(self.random.uniform(*self.silence) * SAMPLE_RATE) for _ in range(2))
        padded = among_silence(samples, before, after, self.random)
        layers = self.encode(padded)
        centres = frame_centres(len(layers[0]))
        first, last = before, before + len(samples)
        if self.edge:
            first -= self.random.uniform(0, self.edge) * SAMPLE_RATE
            last += self.random.uniform(0, self.edge) * SAMPLE_RATE
        inside = (centres >= first) & (centres < last)
        states = [layers[i][inside] for i in self.used]
        return pooled_with_motion(states) if self.motion else pooled(states)


def pooled(states):
    """Mean, then deviation, layer by layer, of the frames [frames, hidden] of each."""
    return np.concatenate(moments(states, spread_of)).astype("float32")


def pooled_with_motion(states):
    """Deviations as logarithms; behind them how far each layer moves, as logarithms, too."""
    spread = moments(states, lambda x: logarithm(spread_of(x)))
    moving = [logarithm(steps_between_frames(x)) for x in states]
    return np.concatenate([*spread, *moving]).astype("float32")


def moments(states, spread):
    return [part for x in states for part in (x.mean(0), spread(x))]


def spread_of(states):
    return np.sqrt(np.maximum(states.var(0), MIN_VARIANCE))


def among_silence(samples, before, after, random):
    """A clip with so many samples of inaudible noise before and after it."""
    padded = NOISE_FLOOR * random.standard_normal(before + len(samples) + after)
    padded[before : before + len(samples)] += samples
    return padded


def logarithm(spread):
    """Of deviations or steps, which may be zero."""
    return np.log(spread + LEAST_SPREAD)


def steps_between_frames(states):
    """Mean of the absolute differences of neighbouring frames; zeros for a single frame."""
    return np.abs(np.diff(states, axis=0)).sum(0) / max(1, len(states) - 1)
