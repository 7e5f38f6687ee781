"""Functionals of a made vowel, as the service's tests have them.

PYTHONPATH=training python training/tests/functional_values.py > test/models/affect/functionals.json
"""

import json

import numpy as np

from speech_features import describe, functionals


def vowel():
    """A gliding vowel in faint noise, as test/models/affect/functionals.test.ts makes it."""
    time = np.arange(24_000) / 16_000
    hertz = 130 + 40 * np.sin(2 * np.pi * 1.5 * time)
    phase = 2 * np.pi * np.cumsum(hertz) / 16_000
    partials = sum(
        (1 / k + 2 * np.exp(-(((k * hertz - 700) / 250) ** 2))) * np.sin(k * phase)
        for k in range(1, 21)
    )
    state, noise = 1, []
    for _ in time:
        state = (state * 1_664_525 + 1_013_904_223) % 2**32
        noise.append(state / 2**32 - 0.5)
    swell = 0.6 + 0.4 * np.sin(2 * np.pi * 3 * time)
    return (0.05 * swell * partials + 0.01 * np.array(noise)).astype("float32")


def values():
    """Functionals by name."""
    names, found = functionals(describe(vowel()))
    return dict(zip(names, found.tolist(), strict=True))


if __name__ == "__main__":
    print(json.dumps(values(), indent=1))
