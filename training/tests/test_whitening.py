"""Whitened components: clips of a source scatter more alike than in principal components."""

import numpy as np
from sklearn.decomposition import PCA

from affect_experts import Scale
from whitening import COMPONENT_STRIDE, whitened_components


def test_sources_scatter_more_alike():
    random = np.random.default_rng(1)
    stretch = random.standard_normal((6, 6)) * [1, 2, 4, 8, 16, 32]
    sources = [random.standard_normal((900, 6)) @ stretch + shift for shift in (-5, 0, 30)]
    scale = Scale(np.concatenate(sources))
    basis = whitened_components(sources, scale, 4, 0.5, 0)
    values = [scale(rows) @ basis for rows in sources]
    within = np.cov(np.concatenate([rows - rows.mean(0) for rows in values]).T)
    scatter = np.diag(within)
    np.testing.assert_allclose(within - np.diag(scatter), 0, atol=0.01 * scatter.mean())
    principal = PCA(4).fit(scale(np.concatenate(sources)[::COMPONENT_STRIDE])).components_.T
    values = [scale(rows) @ principal for rows in sources]
    before = np.linalg.eigvalsh(np.cov(np.concatenate([x - x.mean(0) for x in values]).T))
    # Whitened by half: the ratio of two deviations is the root of what it was.
    found, expected = np.sort(scatter), np.sqrt(before)
    np.testing.assert_allclose(found / found[-1], expected / expected[-1], rtol=0.1)
