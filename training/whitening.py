"""Principal components in which the clips of one source scatter more alike than they did."""

import numpy as np
from sklearn.decomposition import PCA

# The components are those of one row in this many.
COMPONENT_STRIDE = 3
# Of the mean scatter, what the least of all directions has at least.
LEAST_SCATTER = 1e-3
# Deviation of the values over all rows, on average of the components.
DEVIATION = 1.5


def whitened_components(sources, scale, count, share, seed):
    """Basis [features, count] of the scaled rows.

    Directions in which clips of one source differ much (words, speaker, channel) count for less: a
    classifier with few rows leans on them least. Within-class covariance normalisation (Hatch,
    Kajarekar and Stolcke 2006). `share`: of the exponent that makes all directions alike.
    """
    sample = scale(np.concatenate(sources)[::COMPONENT_STRIDE])
    pca = PCA(count, svd_solver="randomized", random_state=seed).fit(sample)
    values = [scale(rows) @ pca.components_.T for rows in sources]
    within = np.concatenate([rows - rows.mean(0) for rows in values])
    scatter, directions = np.linalg.eigh(within.T @ within / len(within))
    least = LEAST_SCATTER * scatter.mean()
    basis = pca.components_.T @ (directions / (scatter + least) ** (share / 2))
    return basis * DEVIATION / np.concatenate([scale(x) @ basis for x in sources]).std(0).mean()
