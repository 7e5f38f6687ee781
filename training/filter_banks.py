"""Triangular mel filter banks."""

import numpy as np


def _triangles(bins, edges):
    """Bands [bands, bins] that rise and fall between neighbouring edges of one scale."""
    rising = (bins[None] - edges[:-2, None]) / np.diff(edges)[:-1, None]
    falling = (edges[2:, None] - bins[None]) / np.diff(edges)[1:, None]
    return np.maximum(0, np.minimum(rising, falling))


def kaldi_filters(n_fft, mels, rate, low_hertz=20):
    """Kaldi's triangles, straight on the mel scale, without the Nyquist bin: [mels, n_fft / 2]."""

    def to_mel(hertz):
        return 1127 * np.log(1 + np.asarray(hertz) / 700)

    edges = np.linspace(to_mel(low_hertz), to_mel(rate / 2), mels + 2)
    return _triangles(to_mel(np.arange(n_fft // 2) * rate / n_fft), edges)


def sidekit_filters(n_fft, mels, rate, low_hertz=100):
    """Sidekit's triangles of equal area in hertz, which miss their last bin: [mels, n_fft / 2]."""

    def to_mel(hertz):
        return 2595 * np.log10(1 + np.asarray(hertz) / 700)

    edges = 700 * (10 ** (np.linspace(to_mel(low_hertz), to_mel(rate / 2), mels + 2) / 2595) - 1)
    bins = np.arange(n_fft // 2) * rate / n_fft
    bank = _triangles(bins, edges) * (2 / (edges[2:] - edges[:-2]))[:, None]
    for band, high in zip(bank, edges[2:], strict=True):
        band[np.floor(high * n_fft / rate).astype(int) :] = 0
    return bank
