"""Moonshine's decoder for several clips at once, over published weights (Jeffries et al. 2024).

Cross: the encoder's states of one clip to keys and values of the cross-attention. Step: one token
of each of several clips, and caches, to each one's next. A clip's numbers do not depend on those
beside it: activations are quantised by row, and frames that are padded are masked
(docs/adr/0027).
"""

from dataclasses import dataclass

import numpy as np
from onnx import TensorProto

from quantised_graph import Graph

ROTATED, POSITIONS = 32, 256
# The byte that a query of zero is.
MIDDLE = 128


@dataclass(frozen=True)
class Size:
    """Of a decoder, and the name that its graphs begin with."""

    name: str
    layers: int
    width: int
    heads: int = 8
    vocabulary: int = 32_768

    @property
    def head(self):
        return self.width // self.heads


def norm(name):
    """The weight of a normalisation."""
    return f"model.decoder.{name}.weight_merged_0"


def cross(published, size):
    graph = Graph(f"{size.name}-cross", published)
    # The states of one clip have one scale, as in the published decoder.
    states, scale, zero = graph.add("DynamicQuantizeLinear", ["states"], 3)
    for layer in range(size.layers):
        # Layer by layer, so that what a product leaves is still in the cache where it is read.
        products = [published.product(layer, "encoder_attn", f"{part}_proj") for part in "kv"]
        weight, scales, zeros = graph.columns(products)
        joined = graph.add("MatMulIntegerToFloat", [states, weight, scale, scales, zero, zeros])
        byte_caches(graph, joined, layer, size)
    graph.inputs = [
        graph.value("states", [1, "frames", size.width]),
        graph.value("byte_step", []),
    ]
    graph.save()


def cache_shape(size, name):
    """Of the keys, which lie transposed, or of the values; and how they come to lie so."""
    if name.endswith("key"):
        return [size.heads, size.head, "frames"], [0, 2, 3, 1]
    return [size.heads, "frames", size.head], [0, 2, 1, 3]


def scale_shape(size):
    """Of the scales of keys or values, one for each channel."""
    return [size.heads, 1, size.head]


def byte_caches(graph, joined, layer, size):
    """Keys and values [1, frames, 2 * width] as int8, with a scale for each channel; that of the
    keys has the root of the attention in it. With keys goes what their unsigned queries add.
    """
    over_frames = graph.constant("over_frames", [1])
    largest = graph.add("ReduceMax", [graph.add("Abs", [joined]), over_frames], keepdims=1)
    largest = graph.add("Max", [largest, graph.constant("tiny", np.float32(1e-6))])
    zero = graph.constant("zero", np.int8(0))
    bytes_ = graph.add("QuantizeLinear", [graph.add("Div", [joined, largest]), "byte_step", zero])
    scales = graph.add("Mul", [largest, "byte_step"])
    shape = graph.constant("by_head_of_two", [1, -1, 2, size.heads, size.head])
    halves = [
        graph.add("Split", [graph.add("Reshape", [x, shape])], 2, axis=2, num_outputs=2)
        for x in (bytes_, scales)
    ]
    axis = graph.constant("axis", [2])
    for part, rows, scale in zip(("key", "value"), *halves, strict=True):
        name = f"cross.{layer}.{part}"
        lying, order = cache_shape(size, name)
        graph.add("Transpose", [graph.add("Squeeze", [rows, axis])], [name], perm=order)
        by_head = graph.add("Transpose", [graph.add("Squeeze", [scale, axis])], perm=[0, 2, 1, 3])
        root = np.float32(size.head**-0.5 if part == "key" else 1)
        graph.add("Mul", [by_head, graph.constant(f"{part}_root", root)], [f"{name}.scale"])
        graph.outputs += [
            graph.value(name, [1, *lying], TensorProto.INT8),
            graph.value(f"{name}.scale", [1, *scale_shape(size)]),
        ]
    key = f"cross.{layer}.key"
    sums = graph.add("Cast", [key], to=TensorProto.FLOAT)
    sums = graph.add("ReduceSum", [sums, graph.constant("over_head", [2])], keepdims=1)
    middle = graph.constant("minus_middle", np.float32(-MIDDLE))
    graph.add("Mul", [sums, middle], [f"{key}.offset"])
    graph.outputs.append(graph.value(f"{key}.offset", [1, size.heads, 1, "frames"]))


def self_attention(graph, x, layer, size):
    product = graph.published.product
    normal = graph.normalise(x, norm(f"layers.{layer}.input_layernorm"))
    products = [product(layer, "self_attn", f"{part}_proj") for part in "qkv"]
    widths = graph.constant("three_widths", [size.width] * 3)
    q, k, v = graph.add("Split", [graph.linear(normal, products), widths], 3, axis=2)
    turn = {"interleaved": 1, "num_heads": size.heads, "rotary_embedding_dim": ROTATED}
    q, k = (graph.add("RotaryEmbedding", [y, "position", "cos", "sin"], **turn) for y in (q, k))
    past, present = (
        [f"{when}.{layer}.{part}" for part in ("key", "value")] for when in ("past", "present")
    )
    outputs = [f"attended.{layer}", *present]
    y = graph.add(
        "MultiHeadAttention", [q, k, v, "", "", "", *past], outputs, num_heads=size.heads
    )[0]
    graph.inputs += [graph.value(name, ["clips", size.heads, "past", size.head]) for name in past]
    graph.outputs += [
        graph.value(name, ["clips", size.heads, "total", size.head]) for name in present
    ]
    return graph.add(
        "Add", [x, graph.linear(y, [product(layer, "self_attn", graph.published.dense)])]
    )


def cross_attention(graph, x, layer, size):
    product = graph.published.product
    key, value = f"cross.{layer}.key", f"cross.{layer}.value"
    normal = graph.normalise(x, norm(f"layers.{layer}.post_attention_layernorm"))
    q = graph.linear(normal, [product(layer, "encoder_attn", "q_proj")])
    q = graph.add("Transpose", [graph.add("Reshape", [q, "by_head"])], perm=[0, 2, 1, 3])
    # Not MultiHeadAttention, which would transpose the keys in each step, and reads floats.
    scores = graph.add("Add", [times_keys(graph, q, key), "mask"])
    y = times_values(graph, graph.add("Softmax", [scores], axis=-1), value)
    y = graph.add("Reshape", [graph.add("Transpose", [y], perm=[0, 2, 1, 3]), "by_clip"])
    for name in (key, value):
        shape, _ = cache_shape(size, name)
        graph.inputs += [
            graph.value(name, ["clips", *shape], TensorProto.INT8),
            graph.value(f"{name}.scale", ["clips", *scale_shape(size)]),
        ]
    graph.inputs.append(graph.value(f"{key}.offset", ["clips", size.heads, 1, "frames"]))
    return graph.add(
        "Add", [x, graph.linear(y, [product(layer, "encoder_attn", graph.published.dense)])]
    )


def sums_of_bytes(graph, rows, cache):
    """Unsigned rows times a cache, in floats.

    A product of one row without zero points, whose sums are cast before they are scaled, is the
    only one that does not pack the whole cache anew in each step (docs/adr/0063).
    """
    return graph.add("Cast", [graph.add("MatMulInteger", [rows, cache])], to=TensorProto.FLOAT)


def times_keys(graph, queries, keys):
    """Queries [clips, heads, 1, head] times keys: scores of the frames."""
    queries = graph.add("Mul", [queries, f"{keys}.scale"])
    largest = graph.add("ReduceMax", [graph.add("Abs", [queries]), "last_axis"], keepdims=1)
    largest = graph.add("Max", [largest, "tiny"])
    step = graph.constant("step", np.float32(1 / 127))
    rows = graph.add("QuantizeLinear", [graph.add("Div", [queries, largest]), step, "top_bit"])
    y = graph.add("Add", [sums_of_bytes(graph, rows, keys), f"{keys}.offset"])
    return graph.add("Mul", [y, graph.add("Mul", [largest, step])])


def times_values(graph, shares, values):
    """Shares [clips, heads, 1, frames] times values.

    Shares are two bytes, the second for what the first leaves: one alone drops the many small ones
    of a head that looks at all of a clip.
    """
    step = graph.constant("share_step", np.float32(1 / 255))
    bottom = graph.constant("bottom", np.uint8(0))
    largest = graph.add("ReduceMax", [shares, "last_axis"], keepdims=1)
    scaled = graph.add("Div", [shares, largest])
    # Rounded down, so that the rest is not negative.
    lowered = graph.add("Sub", [scaled, graph.constant("half_step", np.float32(0.5 / 255))])
    high = graph.add("QuantizeLinear", [lowered, step, bottom])
    rest = graph.add("Sub", [scaled, graph.add("DequantizeLinear", [high, step, bottom])])
    rest_step = graph.constant("rest_step", np.float32(1 / 255**2))
    low = graph.add("QuantizeLinear", [rest, rest_step, bottom])
    parts = [sums_of_bytes(graph, part, values) for part in (high, low)]
    y = graph.add("Add", [parts[0], graph.add("Mul", [parts[1], step])])
    scale = graph.add("Mul", [f"{values}.scale", graph.add("Mul", [largest, step])])
    return graph.add("Mul", [y, scale])


def feed_forward(graph, x, layer):
    product = graph.published.product
    normal = graph.normalise(x, norm(f"layers.{layer}.final_layernorm"))
    wide = graph.linear(normal, [product(layer, "mlp", graph.published.wide)])
    y, gate = graph.add("Split", [wide], 2, axis=2, num_outputs=2)
    y = graph.add("Mul", [graph.add("QuickGelu", [gate], alpha=1.0), y])
    return graph.add("Add", [x, graph.linear(y, [product(layer, "mlp", graph.published.narrow)])])


def step(published, size):
    graph = Graph(f"{size.name}-step", published)
    graph.constant("last_axis", [-1])
    graph.constant("tiny", np.float32(1e-6))
    graph.constant("by_head", [0, 1, size.heads, size.head])
    graph.constant("by_clip", [0, 1, size.width])
    frequencies = 1 / 10_000 ** (np.arange(0, ROTATED, 2) / ROTATED)
    angles = np.outer(np.arange(POSITIONS), frequencies)
    graph.constant("cos", np.cos(angles).astype("float32"))
    graph.constant("sin", np.sin(angles).astype("float32"))
    graph.inputs = [
        graph.value("token", ["clips", 1], TensorProto.INT64),
        graph.value("mask", ["clips", 1, 1, "frames"]),
    ]
    graph.outputs = [
        graph.value("next", ["clips", 1], TensorProto.INT64),
        graph.value("probability", ["clips", 1]),
        # Read where a request has a vocabulary.
        graph.value("logits", ["clips", size.vocabulary]),
    ]
    table = "model.decoder.embed_tokens.weight_merged_0"
    rows = graph.add("Gather", [graph.weight(f"{table}_quantized"), "token"])
    scale = [graph.weight(f"{table}_{part}") for part in ("scale", "zero_point")]
    x = graph.add("DequantizeLinear", [rows, *scale])
    graph.add("Shape", ["past.0.key"], ["position"], start=2, end=3)
    for layer in range(size.layers):
        x = self_attention(graph, x, layer, size)
        x = cross_attention(graph, x, layer, size)
        x = feed_forward(graph, x, layer)
    logits = graph.linear(graph.normalise(x, norm("norm")), [published.products["logits"]])
    rows = graph.constant("flat", [-1, size.vocabulary])
    flat = graph.add("Reshape", [logits, rows], ["logits"])
    graph.add("ArgMax", [flat], ["next"], axis=-1, keepdims=1)
    graph.add("ReduceMax", [graph.add("Softmax", [flat], axis=-1), "last_axis"], ["probability"])
    graph.save()
