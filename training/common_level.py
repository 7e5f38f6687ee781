"""The one level at which the encoder reads samples, as models/audio/common-level.ts has it.

Its first layer is not linear: without it a score would depend on a recording's gain.
"""

import numpy as np

# 32 ms.
HOP_SAMPLES = 512
# Of the hops, so many are louder than the one that counts: single clicks do not.
LOUDER_SHARE = 0.05
# Root mean square of that hop, and the most that is amplified.
TARGET, MAX_GAIN = 0.2, 64


def at_common_level(samples):
    power = power_of_loud_hop(samples)
    return samples if power == 0 else samples * min(MAX_GAIN, TARGET / np.sqrt(power))


def power_of_loud_hop(samples):
    """Mean square of a loud hop; of all samples where there are fewer than a hop."""
    hop = min(HOP_SAMPLES, len(samples))
    if hop == 0:
        return 0
    hops = np.asarray(samples[: len(samples) // hop * hop], "float64").reshape(-1, hop)
    powers = np.sort((hops**2).mean(1))
    return powers[int((1 - LOUDER_SHARE) * (len(powers) - 1))]
