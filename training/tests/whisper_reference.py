"""Whisper base a second time, in numpy, for the tests of the graphs (Radford et al. 2022).

Weights are those that set-up laid out; a linear layer scales every row of its input to its largest
value and rounds it to eight bits: in the encoder as ONNX's DynamicQuantizeLinear says, in the
decoder in steps of 1/127. The encoder's first layer of a feed-forward network rounds all rows
together.
"""

import json

import numpy as np
from scipy.special import erf

from paths import GRAPHS, pulled

WIDTH, HEADS, LAYERS, FEED_FORWARD, VOCABULARY = 512, 8, 6, 2048, 51_865
MELS, N_FFT, HOP, RATE, CONTEXT, POSITIONS = 80, 400, 160, 16_000, 1500, 448
# Slaney's scale of mels is linear up to here and logarithmic above.
CORNER_HERTZ, CORNER_MEL = 1000, 15
STEPS_OF_A_BYTE = 255
# Of what the activation gives.
MOST_BELOW_ZERO = 0.17


class Weights:
    """Values of the CTranslate2 file's variables, as float or as they were rounded."""

    def __init__(self, part):
        layout = json.loads((GRAPHS / "whisper-layout.json").read_text())
        name = f"whisper-{part}.bin"
        output = next(output for output in layout["outputs"] if output["file"] == name)
        self.places = {(t["variable"], t["kind"]): t["offset"] for t in output["tensors"]}
        self.data = pulled("whisper-base", name).read_bytes()
        self.of_encoder = part == "encoder"
        self.rounded = rounded if self.of_encoder else in_equal_steps

    def floats(self, variable, *shape, kind="float32"):
        count, offset = int(np.prod(shape)), self.places[variable, kind]
        return np.frombuffer(self.data, "<f4", count, offset).reshape(shape)

    def integers(self, variable, *shape, kind):
        count, offset = int(np.prod(shape)), self.places[variable, kind]
        return np.frombuffer(self.data, "i1", count, offset).reshape(shape)

    def linear(self, x, variable, outer, bias=True, largest=None):
        """x [n, inner] through a layer whose weights are rounded by row."""
        weight = self.integers(f"{variable}/weight", x.shape[1], outer, kind="int8-transposed")
        scales = self.floats(f"{variable}/weight", outer, kind="scale")
        if largest is None:
            largest = np.maximum(np.abs(x).max(1, keepdims=True), 1e-8)
        y = self.rounded(x / largest) @ weight.astype("float32") * scales * largest
        return y + self.floats(f"{variable}/bias", outer) if bias else y

    def normalise(self, x, variable):
        gamma, beta = (self.floats(f"{variable}/{part}", WIDTH) for part in ("gamma", "beta"))
        centred = x - x.mean(1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5) * gamma + beta

    def feed_forward(self, x, prefix):
        normal = self.normalise(x, f"{prefix}/layer_norm")
        together = 1 if self.of_encoder else None
        wide = gelu(self.linear(normal, f"{prefix}/linear_0", FEED_FORWARD, largest=together))
        above = np.maximum(wide.max(1, keepdims=True), MOST_BELOW_ZERO) if self.of_encoder else None
        return x + self.linear(wide, f"{prefix}/linear_1", WIDTH, largest=above)


def rounded(x):
    """Values after eight bits, unsigned, over the range from the least to the largest and zero."""
    low, high = min(0, x.min()), max(0, x.max())
    scale = np.float32((high - low) / STEPS_OF_A_BYTE)
    zero = np.round(np.clip(-low / scale, 0, STEPS_OF_A_BYTE))
    return ((np.clip(np.round(x / scale) + zero, 0, STEPS_OF_A_BYTE) - zero) * scale).astype("f4")


def in_equal_steps(x):
    return (np.round(x * 127) / 127).astype("f4")


def gelu(x):
    return x * 0.5 * (1 + erf(x / np.sqrt(2)))


def in_two_bytes(shares):
    """Each row's shares of its largest in steps of 1/255, and what is left in finer ones."""
    largest = shares.max(-1, keepdims=True)
    high = np.round(shares / largest * STEPS_OF_A_BYTE - 0.5) / STEPS_OF_A_BYTE
    low = np.round((shares / largest - high) * STEPS_OF_A_BYTE**2) / STEPS_OF_A_BYTE**2
    return (high + low) * largest


def attention(queries, keys, values, causal=False, shared=lambda shares: shares, counts=1):
    """Heads of [n, WIDTH] side by side. A key counts as often as `counts` says."""
    q, k, v = (x.reshape(len(x), HEADS, -1).swapaxes(0, 1) for x in (queries, keys, values))
    scores = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1]) + np.log(counts)
    if causal:
        # A query is one of the last: it sees its own key and those before.
        _, last, all_keys = scores.shape
        scores += np.triu(np.full((last, all_keys), -np.inf), 1 + all_keys - last)
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    mixed = shared(shares / shares.sum(-1, keepdims=True)) @ v
    return mixed.swapaxes(0, 1).reshape(len(queries), WIDTH)


def cross_attention(queries, keys, values):
    """The same over caches of bytes by channel: queries and shares are rounded, too."""
    n = len(queries)
    ranges = np.abs(keys).max(0)
    by_head = (queries * ranges).reshape(n, HEADS, -1)
    largest = np.abs(by_head).max(-1, keepdims=True)
    steps = in_equal_steps(by_head / largest) * largest
    return attention(steps.reshape(n, WIDTH), keys / ranges, values, shared=in_two_bytes)


def windowed_frames(samples):
    """Frames of 25 ms every 10 ms under a periodic Hann window, [frames, N_FFT]."""
    mirrored = np.pad(samples, N_FFT // 2, mode="reflect")
    starts = np.arange(len(samples) // HOP)[:, None] * HOP
    return mirrored[starts + np.arange(N_FFT)] * np.hanning(N_FFT + 1)[:-1]


def mel_edges():
    """Where the triangles of Slaney's bank begin, peak and end: even in mels, in hertz."""
    hertz = np.geomspace(CORNER_HERTZ, RATE / 2, 1000)
    mels = CORNER_MEL + 27 * np.log(hertz / CORNER_HERTZ) / np.log(6.4)
    return np.interp(np.linspace(0, mels[-1], MELS + 2), [0, *mels], [0, *hertz])


def log_mel(samples):
    """Whisper's features [frames, MELS], one triangle of the bank at a time."""
    power = np.abs(np.fft.rfft(windowed_frames(samples))) ** 2
    at = np.arange(N_FFT // 2 + 1) * RATE / N_FFT
    edges, bank = mel_edges(), []
    for left, centre, right in zip(edges, edges[1:], edges[2:], strict=False):
        triangle = np.minimum((at - left) / (centre - left), (right - at) / (right - centre))
        bank.append(np.maximum(triangle, 0) * 2 / (right - left))
    decades = np.log10(np.maximum(power @ np.array(bank).T, 1e-10))
    return (np.maximum(decades, decades.max() - 8) + 4) / 4


def convolution(x, weight, bias, stride):
    """x [n, in] and weight [out, in, 3], padded by one on both sides: [n / stride, out]."""
    padded = np.pad(x, ((1, 1), (0, 0)))
    y = sum(padded[tap : tap + len(x)] @ weight[:, :, tap].T for tap in range(3))
    return y[::stride] + bias


def front(weights, features):
    """Features [frames, MELS] to placed states [frames / 2, WIDTH]."""
    x = features
    for conv, channels, stride in ((1, MELS, 1), (2, WIDTH, 2)):
        weight = weights.floats(f"encoder/conv{conv}/weight", WIDTH, channels, 3)
        bias = weights.floats(f"encoder/conv{conv}/bias", WIDTH)
        x = gelu(convolution(x, weight, bias, stride))
    return x + weights.floats("encoder/position_encodings/encodings", CONTEXT, WIDTH)[: len(x)]


def encoder_layer(weights, x, layer, counts):
    prefix = f"encoder/layer_{layer}/self_attention"
    normal = weights.normalise(x, f"{prefix}/layer_norm")
    joined = weights.linear(normal, f"{prefix}/linear_0", 3 * WIDTH)
    attended = attention(*np.split(joined, 3, axis=1), counts=counts)
    x = x + weights.linear(attended, f"{prefix}/linear_1", WIDTH)
    return weights.feed_forward(x, f"encoder/layer_{layer}/ffn")


def cross_pair(weights, states, layer):
    """Key and value [HEADS, context, size] of a layer of the decoder."""
    name = f"decoder/layer_{layer}/attention/linear_1"
    joined = weights.linear(states, name, 2 * WIDTH)
    return [part.reshape(len(states), HEADS, -1).swapaxes(0, 1) for part in np.split(joined, 2, 1)]


def next_logits(weights, tokens, crosses, past):
    """Logits of what follows `tokens`; `past`, keys and values of each layer, grows by them."""
    table = "decoder/embeddings/weight"
    rows = weights.integers(table, VOCABULARY, WIDTH, kind="int8")[tokens].astype("float32")
    rows = rows * weights.floats(table, VOCABULARY, kind="scale")[tokens][:, None]
    places = weights.floats("decoder/position_encodings/encodings", POSITIONS, WIDTH)
    before = len(past[0][0])
    x = rows + places[before : before + len(tokens)]
    for layer, (keys, values) in enumerate(crosses):
        prefix = f"decoder/layer_{layer}"
        normal = weights.normalise(x, f"{prefix}/self_attention/layer_norm")
        joined = weights.linear(normal, f"{prefix}/self_attention/linear_0", 3 * WIDTH)
        queries, *fresh = np.split(joined, 3, axis=1)
        past[layer] = [np.concatenate(parts) for parts in zip(past[layer], fresh, strict=True)]
        attended = attention(queries, *past[layer], causal=True)
        x = x + weights.linear(attended, f"{prefix}/self_attention/linear_1", WIDTH)
        normal = weights.normalise(x, f"{prefix}/attention/layer_norm")
        queries = weights.linear(normal, f"{prefix}/attention/linear_0", WIDTH)
        joint = [part.swapaxes(0, 1).reshape(-1, WIDTH) for part in (keys, values)]
        attended = cross_attention(queries, *joint)
        x = x + weights.linear(attended, f"{prefix}/attention/linear_2", WIDTH)
        x = weights.feed_forward(x, f"{prefix}/ffn")
    last = weights.normalise(x[-1:], "decoder/layer_norm")
    return weights.linear(last, "decoder/embeddings", VOCABULARY, bias=False)[0]
