"""Where frames begin in a sound (models/audio/sound-phase.ts)."""

import numpy as np


def sound_phase(samples, period):
    """The sample of a period on which most of the sound lies; 0 for silence."""
    places = np.arange(len(samples)) % period
    weights = np.bincount(places, np.asarray(samples, "float64") ** 4, period)
    angle = np.angle((weights * np.exp(2j * np.pi * np.arange(period) / period)).sum())
    return int(np.floor(angle / (2 * np.pi) * period + 0.5)) % period
