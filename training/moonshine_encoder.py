"""Moonshine's encoders over published weights, in parts (Jeffries et al. 2024).

The first part turns samples into states at 41.67 frames/s, each of the others is a layer; the
states before each layer are there for those who want them. The convolutions are products of frames
laid side by side, over int8 weights; the published graphs multiply floats there.
"""

from dataclasses import dataclass

import numpy as np
from onnx import TensorProto

from quantised_graph import Graph

HEADS, ROTATED = 8, 32
# Samples that the first convolution goes on by; it hears twice as many, less one.
STRIDE = 64


@dataclass(frozen=True)
class EncoderSize:
    """Of an encoder, the name that its graphs begin with, and names in its published file."""

    name: str
    width: int
    # The values that the states before each layer become here: the heads read them by name.
    states: tuple[str, ...]
    # What follows conv1, conv2 and conv3 in the names of their weights.
    kernels: str
    # Zero points of these weights, in steps of their scales.
    zeros: tuple[int, int, int]
    # Weight and bias of the normalisation behind the first convolution.
    norm: tuple[str, str]

    @property
    def layers(self):
        return len(self.states)


TINY = EncoderSize(
    "moonshine-encoder",
    width=288,
    states=("/Transpose_output_0", *(f"/layers.{i}/Add_1_output_0" for i in range(5))),
    kernels="weight_add_tensor",
    zeros=(-2, 8, 67),
    norm=("onnx::Mul_2080", "onnx::Add_2081"),
)
BASE = EncoderSize(
    "moonshine-base-encoder",
    width=416,
    states=tuple(f"states.{i}" for i in range(8)),
    kernels="weight_quantized",
    zeros=(-2, -13, 65),
    norm=("onnx::Mul_1942", "onnx::Add_1943"),
)


def unfolded(graph, x, channels, stride, taps):
    """Rows x [n, channels] to [frames, taps * channels]: `taps` of them, each `stride` later."""
    whole = stride * (taps // stride)
    count = graph.add("Shape", [x], start=0, end=1)
    count = graph.add("Sub", [count, graph.constant(f"{taps}.beyond", [taps - stride])])
    by = graph.constant(f"{taps}.stride", [stride])
    rows = graph.add("Mul", [graph.add("Div", [count, by]), by])

    def from_tap(tap, *step):
        first = graph.constant(f"{taps}.{tap}", [tap])
        return graph.add("Slice", [x, first, graph.add("Add", [rows, first]), "first_axis", *step])

    shape = graph.constant(f"{taps}.block", [-1, stride * channels])
    blocks = [graph.add("Reshape", [from_tap(tap), shape]) for tap in range(0, whole, stride)]
    return graph.add(
        "Concat", [*blocks, *(from_tap(tap, by) for tap in range(whole, taps))], axis=1
    )


def high_and_low(graph, x):
    """x as two uint8 of one sum, high + low, each with its scale: 16 bits where 8 cost words."""
    largest = graph.add("ReduceMax", [graph.add("Abs", [x])], keepdims=0)
    largest = graph.add("Max", [largest, graph.constant("tiny", np.float32(1e-6))])
    middle = graph.constant("middle", np.uint8(128))
    scales = [
        graph.add("Mul", [largest, graph.constant(name, np.float32(share))])
        for name, share in (("high", 1 / 127), ("low", 1 / 127 / 254))
    ]
    high = graph.add("QuantizeLinear", [x, scales[0], middle])
    rest = graph.add("Sub", [x, graph.add("DequantizeLinear", [high, scales[0], middle])])
    low = graph.add("QuantizeLinear", [rest, scales[1], middle])
    return zip((high, low), scales, strict=True)


def kernel_scale(graph, size, number):
    """Tiny's file has the weights as floats, each a whole number of steps of one scale."""
    name = f"conv{number}.{size.kernels}"
    if not graph.published.is_float(name):
        return graph.weight(f"conv{number}.weight_scale")
    values = graph.published.values(name)
    steps = np.round((values.max() - values.min()) / np.diff(np.unique(values)).min())
    return graph.constant(f"conv{number}.scale", (values.max() - values.min()) / steps)


def kernel(graph, size, number, alias):
    """Weights [outputs, channels, taps] of a convolution as int8, under another name."""
    name = f"conv{number}.{size.kernels}"
    weight = graph.weight(name, alias=alias)
    if not graph.published.is_float(name):
        return weight
    steps = graph.add("Round", [graph.add("Div", [weight, kernel_scale(graph, size, number)])])
    zero = graph.constant(f"conv{number}.zero", np.float32(size.zeros[number - 1]))
    return graph.add("Cast", [graph.add("Add", [steps, zero])], to=TensorProto.INT8)


def convolution(graph, size, x, number, stride):
    """A convolution of rows x [n, channels] as products of bytes, then its bias and GELU."""
    name = f"conv{number}"
    outputs, channels, taps = graph.published.shape(f"{name}.{size.kernels}")
    shape = graph.constant(f"{name}.matrix", [taps * channels, outputs])
    scale = kernel_scale(graph, size, number)
    # Weights and zero points are named for each product: ONNX Runtime, which turns signed ones
    # back on some processors (docs/adr/0027), refuses to do so twice.
    parts = []
    for part, step in high_and_low(graph, x):
        weight = kernel(graph, size, number, f"{name}.weight.{step}")
        weight = graph.add("Reshape", [graph.add("Transpose", [weight], perm=[2, 1, 0]), shape])
        zero = graph.constant(f"{name}.zero.{step}", np.array([size.zeros[number - 1]], "int8"))
        frames = unfolded(graph, part, channels, stride, taps)
        factors = [frames, weight, step, scale, "middle", zero]
        parts.append(graph.add("MatMulIntegerToFloat", factors))
    return graph.add("BiasGelu", [graph.add("Add", parts), graph.weight(f"{name}.bias")])


def first_convolution(graph, size):
    """Samples in rows of 64 to [frames, width], in floats: quiet samples beside loud ones."""
    second, last, far = (
        graph.constant(f"row.{row}", [row]) for row in (1, -1, np.iinfo("int64").max)
    )
    halves = [
        graph.add("Slice", ["blocks", start, end, "first_axis"])
        for start, end in (("first_axis", last), (second, far))
    ]
    frames = graph.add("Concat", halves, axis=1)
    taps = 2 * STRIDE - 1
    weight = graph.weight(f"conv1.{size.kernels}")
    if not graph.published.is_float(weight):
        zero = graph.constant("conv1.zero", np.float32(size.zeros[0]))
        steps = graph.add("Sub", [graph.add("Cast", [weight], to=TensorProto.FLOAT), zero])
        weight = graph.add("Mul", [steps, kernel_scale(graph, size, 1)])
    weight = graph.add("Reshape", [weight, graph.constant("conv1.matrix", [size.width, taps])])
    pads = graph.constant("conv1.pads", [0, 0, 0, 1])
    weight = graph.add("Transpose", [graph.add("Pad", [weight, pads])], perm=[1, 0])
    return graph.add("MatMul", [frames, weight])


def normalised(graph, size, x):
    """Over all frames and channels of the clip, then a weight and a bias for each channel."""
    one, none = (
        graph.constant("one", np.ones(1, "float32")),
        graph.constant("none", np.zeros(1, "float32")),
    )
    flat = graph.add("Reshape", [x, graph.constant("flat", [1, 1, -1])])
    flat = graph.add("InstanceNormalization", [flat, one, none], epsilon=1e-5)
    y = graph.add("Reshape", [flat, graph.constant("by_channel", [-1, size.width])])
    channel = graph.constant("channel", [size.width])
    weight, bias = (graph.add("Reshape", [graph.weight(name), channel]) for name in size.norm)
    return graph.add("Add", [graph.add("Mul", [y, weight]), bias])


def turns(graph, x):
    """Cosines and sines of the rotation at each frame, for all layers."""
    count = graph.add("Squeeze", [graph.add("Shape", [x], start=0, end=1), "first_axis"])
    first, step = graph.constant("zero", np.int64(0)), graph.constant("single", np.int64(1))
    frames = graph.add("Cast", [graph.add("Range", [first, count, step])], to=TensorProto.FLOAT)
    frames = graph.add("Unsqueeze", [frames, graph.constant("last_axis", [1])])
    frequencies = 1 / 10_000 ** (np.arange(0, ROTATED, 2) / ROTATED)
    frequencies = graph.constant("frequencies", frequencies.astype("float32")[None])
    angles = graph.add("Mul", [frames, frequencies])
    graph.add("Cos", [angles], ["cos"])
    graph.add("Sin", [angles], ["sin"])


def front(published, size):
    graph = Graph(f"{size.name}-1", published)
    graph.constant("first_axis", [0])
    x = graph.add("Tanh", [first_convolution(graph, size)])
    x = normalised(graph, size, x)
    x = convolution(graph, size, x, 2, stride=3)
    x = convolution(graph, size, x, 3, stride=2)
    graph.add("Unsqueeze", [x, "first_axis"], [size.states[0]])
    turns(graph, x)
    graph.inputs = [graph.value("blocks", ["blocks", STRIDE])]
    graph.outputs = [
        graph.value(size.states[0], [1, "frames", size.width]),
        *(graph.value(name, ["frames", ROTATED // 2]) for name in ("cos", "sin")),
    ]
    graph.save()


def attention(graph, size, x, number):
    def products(projections):
        product = graph.published.product
        return [product(number, "self_attn", name, model="") for name in projections]

    y = graph.normalise(x, f"layers.{number}.input_layernorm.weight")
    y = graph.product(y, *graph.columns(products(["q_proj", "k_proj", "v_proj"])))
    widths = graph.constant("three_widths", [size.width] * 3)
    q, k, v = graph.add("Split", [y, widths], 3, axis=2)
    start = graph.constant("start", [0])
    turn = {"interleaved": 1, "num_heads": HEADS, "rotary_embedding_dim": ROTATED}
    q, k = (graph.add("RotaryEmbedding", [z, start, "cos", "sin"], **turn) for z in (q, k))
    y = graph.add("MultiHeadAttention", [q, k, v], num_heads=HEADS)
    return graph.add(
        "Add", [x, graph.product(y, *graph.columns(products([graph.published.dense])))]
    )


def feed_forward(graph, x, number, output):
    y = graph.normalise(x, f"layers.{number}.post_attention_layernorm.weight")
    for name, op in (("fc1", "BiasGelu"), ("fc2", "Add")):
        names = graph.published.product(number, "mlp", name, model="")
        y = graph.add(op, [graph.product(y, *graph.columns([names])), graph.weight(names[3])])
    return graph.add("Add", [x, y], [output])


def layer(published, size, number):
    graph = Graph(f"{size.name}-{number + 2}", published)
    before, after = (*size.states, "states.last")[number : number + 2]
    states = feed_forward(graph, attention(graph, size, before, number), number, after)
    graph.inputs = [
        graph.value(before, [1, "frames", size.width]),
        *(graph.value(name, ["frames", ROTATED // 2]) for name in ("cos", "sin")),
    ]
    if number == size.layers - 1:
        after = "last_hidden_state"
        gamma = graph.weight("layer_norm.weight")
        graph.add("LayerNormalization", [states, gamma], [after], epsilon=1e-5)
    graph.outputs = [graph.value(after, [1, "frames", size.width])]
    graph.save()


def encoder(published, size):
    front(published, size)
    for number in range(size.layers):
        layer(published, size, number)
