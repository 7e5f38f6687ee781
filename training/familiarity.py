"""How familiar the functionals of a clip are to a head: their distance from its training speech.

What lies far from everything that a head was trained on it can say little about: the absolute
view of such a clip counts for less (models/affect/familiarity.ts). The distance is that of
probabilistic principal components (Tipping and Bishop 1999): Mahalanobis along the first
directions of the training speech, one variance for what is outside of them.
"""

import numpy as np

DIRECTIONS = 32
# Twice the familiar distance is 2^3 times as unsure.
POWER = 3
# This share of clips of speakers that a head was not trained on is familiar.
FAMILIAR_SHARE = 0.95


class Familiarity:
    """Fitted to normalised functionals [clips, n] of the training speech."""

    def __init__(self, rows):
        self.centre = rows.mean(0)
        variances, directions = np.linalg.eigh(np.cov(rows.T))
        self.directions = directions.T[::-1][:DIRECTIONS]
        self.variances = variances[::-1][:DIRECTIONS]
        self.rest = variances[::-1][DIRECTIONS:].mean()

    def distance(self, rows):
        """Of each row, 1 on average over the training speech."""
        centred = rows - self.centre
        along = centred @ self.directions.T
        outside = (centred**2).sum(1) - (along**2).sum(1)
        return np.sqrt(((along**2 / self.variances).sum(1) + outside / self.rest) / rows.shape[1])

    def weights(self, limit):
        return {
            "centre": self.centre,
            "directions": self.directions,
            "variances": self.variances,
            "rest": self.rest,
            "limit": limit,
        }


def familiar_limit(distances):
    """The distance up to which a clip is familiar, of distances of held-out speakers."""
    return float(np.quantile(distances, FAMILIAR_SHARE))


def familiar_share(distances, limit):
    """What the absolute view of each clip counts for, 0-1."""
    return np.minimum(1, (limit / np.maximum(distances, 1e-9)) ** POWER)
