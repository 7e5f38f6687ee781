"""Triangular mel filter banks."""
import numpy as np


def _triangles(bins, edges):
    """Bands [bands, bins] that rise and fall between neighbouring edges of one scale."""
    rising = (bins[None] - edges[:-2, None]) / np.diff(edges)[:-1, None]
    falling = (edges[2:, None] - bins[None]) / np.diff(edges)[1:, None]
    return np.maximum(0, np.minimum(rising, falling))


def slaney_filters(n_fft, mels, rate):
    """Slaney's mel scale with unit area per band, as librosa's default: [mels, n_fft / 2 + 1]."""
    def to_mel(hertz):
        hertz = np.asarray(hertz, float)
        return np.where(hertz < 1000, hertz * 3 / 200, 15 + np.log(np.maximum(hertz, 1e-9) / 1000) / (np.log(6.4) / 27))

    def to_hertz(mel):
        mel = np.asarray(mel, float)
        return np.where(mel < 15, mel * 200 / 3, 1000 * np.exp((np.log(6.4) / 27) * (mel - 15)))

    edges = to_hertz(np.linspace(to_mel(0), to_mel(rate / 2), mels + 2))
    triangles = _triangles(np.linspace(0, rate / 2, n_fft // 2 + 1), edges)
    return triangles * (2 / (edges[2:] - edges[:-2]))[:, None]


def kaldi_filters(n_fft, mels, rate, low_hertz=20):
    """Kaldi's triangles, straight on the mel scale, without the Nyquist bin: [mels, n_fft / 2]."""
    def to_mel(hertz):
        return 1127 * np.log(1 + np.asarray(hertz) / 700)

    edges = np.linspace(to_mel(low_hertz), to_mel(rate / 2), mels + 2)
    return _triangles(to_mel(np.arange(n_fft // 2) * rate / n_fft), edges)
