"""Mean and deviation of the encoder's layers over the speech of a clip, as the heads read them."""

import numpy as np

from encoder import frame_centres, load_encoder
from recordings import SAMPLE_RATE

# Noise that nobody hears, around a clip and under it: a recording is never digital silence.
NOISE_FLOOR = 1e-4
LEAST_VARIANCE = 1e-6


class Pooler:
    """From the samples of a clip to [layers * 576]: each used layer's mean, then its deviation."""

    def __init__(self, used, silence, random):
        """`silence`: least and most seconds before and after the clip, which are not pooled."""
        self.encode, self.used, self.silence, self.random = load_encoder(), used, silence, random

    def __call__(self, samples):
        before, after = (int(self.random.uniform(*self.silence) * SAMPLE_RATE) for _ in range(2))
        heard = NOISE_FLOOR * self.random.standard_normal(before + len(samples) + after)
        heard[before : before + len(samples)] += samples
        layers = self.encode(heard)
        centres = frame_centres(len(layers[0]))
        inside = (centres >= before) & (centres < before + len(samples))
        states = [layers[i][inside] for i in self.used]
        spread = [np.sqrt(np.maximum(x.var(0), LEAST_VARIANCE)) for x in states]
        parts = [
            part
            for x, deviation in zip(states, spread, strict=True)
            for part in (x.mean(0), deviation)
        ]
        return np.concatenate(parts).astype("float32")
