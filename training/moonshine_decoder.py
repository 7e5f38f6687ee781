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


@dataclass(frozen=True)
class Size:
    """Of a decoder, and the name that its graphs begin with."""

    name: str
    layers: int
    width: int
    heads: int = 8
    vocabulary: int = 32_768
    # Keys and values of the cross-attention as int8; else float32.
    byte_caches: bool = False

    @property
    def head(self):
        return self.width // self.heads


def norm(name):
    """The weight of a normalisation."""
    return f"model.decoder.{name}.weight_merged_0"


def cross(published, size):
    graph = Graph(f"{size.name}-cross", published)
    names = [f"cross.{layer}.{part}" for layer in range(size.layers) for part in ("key", "value")]
    products = [
        published.product(layer, "encoder_attn", f"{part}_proj")
        for layer in range(size.layers)
        for part in "kv"
    ]
    # The states of one clip have one scale, as in the published decoder.
    joined = graph.add("DynamicQuantizeMatMul", ["states", *graph.columns(products)])
    shape = graph.constant("shape", [1, -1, len(names), size.heads, size.head])
    parts = graph.add(
        "Split",
        [graph.add("Reshape", [joined, shape])],
        len(names),
        axis=2,
        num_outputs=len(names),
    )
    for name, part in zip(names, parts, strict=True):
        y = graph.add("Squeeze", [part, graph.constant("axis", [2])])
        write = byte_cache if size.byte_caches else float_cache
        write(graph, y, name, size)
    graph.inputs = [graph.value("states", [1, "frames", size.width])]
    graph.save()


def cache_shape(size, name):
    """Of the keys, which lie transposed, or of the values; and how they come to lie so."""
    if name.endswith("key"):
        return [size.heads, size.head, "frames"], [0, 2, 3, 1]
    return [size.heads, "frames", size.head], [0, 2, 1, 3]


def float_cache(graph, y, name, size):
    shape, order = cache_shape(size, name)
    if name.endswith("key"):
        # Transposed and divided here, once, not in each step.
        y = graph.add("Mul", [y, graph.constant("root", np.float32(size.head**-0.5))])
    graph.add("Transpose", [y], [name], perm=order)
    graph.outputs.append(graph.value(name, [1, *shape]))


def byte_cache(graph, y, name, size):
    """y [1, frames, heads, head] as int8: of keys a scale for each frame, which has the root of the
    attention in it, of values one for each channel.
    """
    is_key = name.endswith("key")
    shape, order = cache_shape(size, name)
    axis = graph.constant("over_head", [3]) if is_key else graph.constant("over_frames", [1])
    largest = graph.add("ReduceMax", [graph.add("Abs", [y]), axis], keepdims=1)
    largest = graph.add("Max", [largest, graph.constant("tiny", np.float32(1e-6))])
    step, zero = graph.constant("step", np.float32(1 / 127)), graph.constant("zero", np.int8(0))
    rows = graph.add("QuantizeLinear", [graph.add("Div", [y, largest]), step, zero])
    unit = np.float32((size.head**-0.5 if is_key else 1) / 127)
    scale = graph.add(
        "Mul", [largest, graph.constant("key_step" if is_key else "value_step", unit)]
    )
    graph.add("Transpose", [rows], [name], perm=order)
    graph.add("Transpose", [scale], [f"{name}.scale"], perm=order)
    graph.outputs += [
        graph.value(name, [1, *shape], TensorProto.INT8),
        graph.value(f"{name}.scale", [1, size.heads, 1, shape[-1]]),
    ]


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
    scores = graph.add("Add", [times_cache(graph, q, key, size, signed=True), "mask"])
    weights = graph.add("Softmax", [scores], axis=-1)
    y = times_cache(graph, weights, value, size, signed=False)
    y = graph.add("Reshape", [graph.add("Transpose", [y], perm=[0, 2, 1, 3]), "by_clip"])
    for name in (key, value):
        shape, _ = cache_shape(size, name)
        kind = TensorProto.INT8 if size.byte_caches else TensorProto.FLOAT
        graph.inputs.append(graph.value(name, ["clips", *shape], kind))
        if size.byte_caches:
            graph.inputs.append(graph.value(f"{name}.scale", ["clips", size.heads, 1, shape[-1]]))
    return graph.add(
        "Add", [x, graph.linear(y, [product(layer, "encoder_attn", graph.published.dense)])]
    )


def times_cache(graph, x, name, size, *, signed):
    """Rows x times a cache; each has a scale of its own where that is of bytes."""
    if not size.byte_caches:
        return graph.add("MatMul", [x, name])
    largest = graph.add("Abs", [x]) if signed else x
    largest = graph.add("ReduceMax", [largest, "last_axis"], keepdims=1)
    if signed:
        largest = graph.add("Max", [largest, "tiny"])
        step, zero = graph.constant("step", np.float32(1 / 127)), "top_bit"
    else:
        step = graph.constant("fine_step", np.float32(1 / 255))
        zero = graph.constant("bottom", np.uint8(0))
    rows = graph.add("QuantizeLinear", [graph.add("Div", [x, largest]), step, zero])
    y = graph.add("MatMulIntegerToFloat", [rows, name, step, f"{name}.scale", zero])
    return graph.add("Mul", [y, largest])


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
