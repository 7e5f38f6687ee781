"""The graph of Whisper's encoder: folded frames to keys and values of the cross-attention.

A frame is windowed and folded into its even and odd halves (models/audio/folded-frames.ts); behind
the frames a number of them is padded.
"""

import numpy as np
from onnx import TensorProto

from filter_banks import slaney_filters
from whisper_layers import (
    CONTEXT,
    HEAD_SIZE,
    HEADS,
    LAYERS,
    MELS,
    N_FFT,
    ORT,
    RATE,
    WIDTH,
    WhisperGraph,
)


def build_encoder():
    """Writes the graphs; returns the layout of their weights."""
    graph = WhisperGraph("whisper-encoder", by_row=True)
    graph.constant("zero", np.array([0]))
    graph.constant("last_axis", np.array([-1]))
    graph.constant("tiny", np.float32(1e-8))
    graph.constant("three_widths", np.array([WIDTH] * 3))
    graph.constant("root", np.float32(HEAD_SIZE**-0.5))
    graph.constant("head_shape", np.array([1, -1, 2 * HEADS, HEAD_SIZE]))
    cross_attention(graph, states(graph, placed_frames(graph, log_mel(graph))))
    graph.inputs = [
        graph.value("even", ["frames", N_FFT // 2 + 1]),
        graph.value("odd", ["frames", N_FFT // 2 - 1]),
        graph.value("padding", [1], TensorProto.INT64),
    ]
    graph.outputs.append(graph.value("log_mel", ["frames", MELS]))
    # Each part runs for some 50 ms: others may go between them (docs/adr/0019). Behind a
    # normalisation, which is one kernel with the sum before it.
    layers = [f"encoder/layer_{layer}/self_attention.normal" for layer in range(LAYERS)]
    return graph.save([*layers, "states"])


def log_mel(graph):
    """Folded frames to Whisper's log-mel [1, MELS, frames]."""
    half = N_FFT // 2
    bins = np.arange(half + 1)
    # A frame's real part depends on x[n] + x[N - n] alone, its imaginary part on x[n] - x[N - n].
    cosines = np.cos(2 * np.pi * np.outer(np.arange(half + 1), bins) / N_FFT)
    sines = np.sin(2 * np.pi * np.outer(np.arange(1, half), bins) / N_FFT)
    graph.constant("cosines", cosines.astype("float32"))
    graph.constant("sines", sines.astype("float32"))
    graph.constant("mel_filters", slaney_filters(N_FFT, MELS, RATE).T.astype("float32"))
    for name, value in (
        ("floor", 1e-10),
        ("range", 8.0),
        ("four", 4.0),
        ("log_of_ten", np.log(10)),
    ):
        graph.constant(name, np.float32(value))
    decades(graph)
    return bands(graph)


def decades(graph):
    """Powers of ten of the mel bands [frames, MELS]."""
    add = graph.add
    add("MatMul", ["even", "cosines"], ["real"])
    add("MatMul", ["odd", "sines"], ["imaginary"])
    add("Mul", ["real", "real"], ["real_squared"])
    add("Mul", ["imaginary", "imaginary"], ["imaginary_squared"])
    add("Add", ["real_squared", "imaginary_squared"], ["power"])
    add("MatMul", ["power", "mel_filters"], ["mel"])
    add("Max", ["mel", "floor"], ["mel_floored"])
    add("Log", ["mel_floored"], ["natural"])
    add("Div", ["natural", "log_of_ten"], ["decades"])


def bands(graph):
    """The decades as Whisper wants them, [1, MELS, frames + padding]."""
    add = graph.add
    add("ReduceMax", ["decades"], ["loudest"], keepdims=1)
    add("Sub", ["loudest", "range"], ["quietest"])
    add("Max", ["decades", "quietest"], ["clamped"])
    add("Add", ["clamped", "four"], ["raised"])
    add("Div", ["raised", "four"], ["log_mel"])
    # Behind the clip stand zeros, not silence: that is what the model does best on.
    add("Concat", ["zero", "zero", "padding", "zero"], ["pads"], axis=0)
    add("Pad", ["log_mel", "pads"], ["padded_log_mel"])
    add("Transpose", ["padded_log_mel"], ["bands_first"], perm=[1, 0])
    return add("Unsqueeze", ["bands_first", "zero"], ["bands"])


def placed_frames(graph, x):
    """Bands to states with their positions [1, context, WIDTH]: two convolutions."""
    for conv, channels, stride in ((1, MELS, 1), (2, WIDTH, 2)):
        weights = [
            graph.weight(f"encoder/conv{conv}/weight", [WIDTH, channels, 3]),
            graph.weight(f"encoder/conv{conv}/bias", [WIDTH]),
        ]
        y = graph.add("Conv", [x, *weights], [f"conv{conv}"], pads=[1, 1], strides=[stride])
        x = graph.add("Gelu", [y], [f"conv{conv}.active"], ORT)
    x = graph.add("Transpose", [x], ["frames_first"], perm=[0, 2, 1])
    graph.add("Shape", [x], ["length"], start=1, end=2)
    places = graph.weight("encoder/position_encodings/encodings", [CONTEXT, WIDTH])
    graph.add("Slice", [places, "zero", "length", "zero"], ["places"])
    return graph.add("Add", [x, "places"], ["placed"])


def states(graph, x):
    for layer in range(LAYERS):
        prefix = f"encoder/layer_{layer}/self_attention"
        parts = graph.queries_keys_values(x, prefix)
        y = graph.add("MultiHeadAttention", parts, [f"{prefix}.attended"], ORT, num_heads=HEADS)
        x = graph.project(x, y, prefix, "linear_1")
        x = graph.feed_forward(x, f"encoder/layer_{layer}/ffn")
    return graph.normalise(x, "encoder/layer_norm", "states")


def cross_attention(graph, x):
    """What each layer of the decoder reads of the states: outputs `cross.<layer>.key|value`."""
    for layer in range(LAYERS):
        prefix = f"decoder/layer_{layer}/attention"
        joined = graph.linear(x, f"{prefix}/linear_1", WIDTH, 2 * WIDTH, f"{prefix}.joined")
        graph.add("Reshape", [joined, "head_shape"], [f"{prefix}.by_head"])
        halves = [f"{prefix}.keys", f"{prefix}.values"]
        graph.add("Split", [f"{prefix}.by_head"], halves, axis=2, num_outputs=2)
        key, value = f"cross.{layer}.key", f"cross.{layer}.value"
        # Transposed and divided here, once, not in each step of the decoder.
        graph.add("Mul", [halves[0], "root"], [f"{prefix}.scaled_keys"])
        graph.add("Transpose", [f"{prefix}.scaled_keys"], [key], perm=[0, 2, 3, 1])
        graph.add("Transpose", [halves[1]], [value], perm=[0, 2, 1, 3])
        graph.outputs += [
            graph.value(key, [1, HEADS, HEAD_SIZE, "context"]),
            graph.value(value, [1, HEADS, "context", HEAD_SIZE]),
        ]
