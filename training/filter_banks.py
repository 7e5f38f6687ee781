"""Triangular mel filter banks."""

import numpy as np

# Slaney's scale is linear up to a corner, with 15 mels there, and logarithmic above it.
_CORNER_HERTZ, _CORNER_MEL = 1_000, 15
_LOG_STEP = np.log(6.4) / 27


def _triangles(bins, edges):
    """Bands [bands, bins] that rise and fall between neighbouring edges of one scale."""
    rising = (bins[None] - edges[:-2, None]) / np.diff(edges)[:-1, None]
    falling = (edges[2:, None] - bins[None]) / np.diff(edges)[1:, None]
    return np.maximum(0, np.minimum(rising, falling))


def slaney_filters(n_fft, mels, rate):
    """Slaney's mel scale with unit area per band, as librosa's default: [mels, n_fft / 2 + 1]."""

    def to_mel(hertz):
        hertz = np.asarray(hertz, float)
        above = _CORNER_MEL + np.log(np.maximum(hertz, 1e-9) / _CORNER_HERTZ) / _LOG_STEP
        return np.where(hertz < _CORNER_HERTZ, hertz * 3 / 200, above)

    def to_hertz(mel):
        mel = np.asarray(mel, float)
        above = _CORNER_HERTZ * np.exp(_LOG_STEP * (mel - _CORNER_MEL))
        return np.where(mel < _CORNER_MEL, mel * 200 / 3, above)

    edges = to_hertz(np.linspace(to_mel(0), to_mel(rate / 2), mels + 2))
    triangles = _triangles(np.linspace(0, rate / 2, n_fft // 2 + 1), edges)
    return triangles * (2 / (edges[2:] - edges[:-2]))[:, None]


def kaldi_filters(n_fft, mels, rate, low_hertz=20):
    """Kaldi's triangles, straight on the mel scale, without the Nyquist bin: [mels, n_fft / 2]."""

    def to_mel(hertz):
        return 1127 * np.log(1 + np.asarray(hertz) / 700)

    edges = np.linspace(to_mel(low_hertz), to_mel(rate / 2), mels + 2)
    return _triangles(to_mel(np.arange(n_fft // 2) * rate / n_fft), edges)
