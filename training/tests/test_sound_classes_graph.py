"""Speech, music and noise: the graph of the tree against the published network in numpy."""

import h5py
import numpy as np
import pytest

from paths import pulled
from sound_classes_graph import BANDS, EPSILON, FILE, RANGE, WINDOW_FRAMES
from written_graphs import bundle_session

BUNDLE = "sound-classes"
RATE, FRAME, HOP, N_FFT, BANK = 16_000, 400, 160, 512, 24
STARTS = (0, 30, 120, 200)
TOLERANCE = 1e-3
# The layers of the published file: kernels of convolutions, and what follows them.
CONVOLUTIONS = (
    ("conv2d_12", "batch_normalization_15", (4, 2), "same"),
    ("conv2d_13", "batch_normalization_16", None, None),
    ("conv2d_14", "batch_normalization_17", (2, 2), "same"),
    ("conv2d_15", "batch_normalization_18", (4, 1), "valid"),
)
DENSE = (
    ("dense_6", "batch_normalization_19"),
    ("dense_7", "batch_normalization_20"),
    ("dense_8", "batch_normalization_21"),
    ("dense_9", "batch_normalization_22"),
)


@pytest.fixture(scope="module")
def weights():
    with h5py.File(pulled(BUNDLE, FILE)) as file:
        found = {}
        file["model_weights"].visititems(
            lambda name, item: (
                found.update({name.split("/", 1)[1]: item[()]})
                if isinstance(item, h5py.Dataset)
                else None
            )
        )
        return found


def filters():
    """Sidekit's own loop over bands, in whole bins of the spectrum."""
    mels = np.linspace(2595 * np.log10(1 + 100 / 700), 2595 * np.log10(1 + 8000 / 700), BANK + 2)
    edges = 700 * (10 ** (mels / 2595) - 1)
    bank = np.zeros((BANK, N_FFT // 2 + 1))
    bins = np.arange(N_FFT) * RATE / N_FFT
    for i, (low, centre, high) in enumerate(zip(edges, edges[1:], edges[2:], strict=False)):
        height = 2 / (high - low)
        first, middle, last = (int(hertz * N_FFT / RATE) + 1 for hertz in (low, centre, high))
        rising, falling = np.arange(first, middle), np.arange(middle, min(last, N_FFT))[:-1]
        bank[i, rising] = height / (centre - low) * (bins[rising] - low)
        bank[i, falling] = height / (high - centre) * (high - bins[falling])
    return bank[:BANDS]


def windows(speech):
    frames = np.lib.stride_tricks.sliding_window_view(speech.astype("float64"), FRAME)[::HOP]
    before = np.concatenate([frames[:, :1], frames[:, :-1]], axis=1)
    spectra = np.fft.rfft((frames - 0.97 * before) * np.hanning(FRAME), N_FFT)
    powers = np.abs(spectra) ** 2 @ filters().T
    cut = np.stack([powers[start : start + WINDOW_FRAMES] for start in STARTS])
    loudest = cut.max((1, 2), keepdims=True)
    log_mel = np.log(np.maximum(cut, loudest * np.exp(-RANGE) + 1e-20))
    centred = log_mel - log_mel.mean((1, 2), keepdims=True)
    return centred / (centred.std((1, 2), keepdims=True) + EPSILON)


def pooled(x, size, padding):
    if padding == "same":
        missing = [-x.shape[axis] % step for axis, step in zip((1, 2), size, strict=True)]
        around = [(n // 2, n - n // 2) for n in missing]
        x = np.pad(x, [(0, 0), *around, (0, 0)], constant_values=-np.inf)
    rows, columns = x.shape[1] // size[0], x.shape[2] // size[1]
    x = x[:, : rows * size[0], : columns * size[1]]
    return x.reshape(len(x), rows, size[0], columns, size[1], -1).max((2, 4))


def log_odds(x, weights):
    """Windows [w, frames, bands] to log-odds of speech, in float64 with channels last."""

    def of(layer, part):
        return weights[f"{layer}/{part}:0"].astype("float64")

    def norm_relu(x, layer):
        scale = of(layer, "gamma") / np.sqrt(of(layer, "moving_variance") + 1e-3)
        return np.maximum(0, (x - of(layer, "moving_mean")) * scale + of(layer, "beta"))

    x = x[..., None]
    for layer, norm, size, padding in CONVOLUTIONS:
        kernel = of(layer, "kernel")
        views = np.lib.stride_tricks.sliding_window_view(x, kernel.shape[:2], axis=(1, 2))
        x = np.einsum("wrcikl,klio->wrco", views, kernel) + of(layer, "bias")
        x = norm_relu(x, norm)
        x = pooled(x, size, padding) if size else x
    x = x.reshape(len(x), -1)
    for layer, norm in DENSE:
        x = norm_relu(x @ of(layer, "kernel") + of(layer, "bias"), norm)
    logits = x @ of("dense_10", "kernel") + of("dense_10", "bias")
    return logits[:, 0] - np.logaddexp(logits[:, 1], logits[:, 2])


def test_graph_gives_the_log_odds_of_the_published_network(speech, weights):
    session = bundle_session(BUNDLE, "sound-classes.onnx")
    feeds = {"samples": speech[None], "starts": np.array(STARTS, "int64")}
    found = session.run(None, feeds)[0]
    np.testing.assert_allclose(found, log_odds(windows(speech), weights), atol=TOLERANCE)
