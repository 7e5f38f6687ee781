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
    axis, root = graph.constant("axis", [2]), graph.constant("root", np.float32(size.head**-0.5))
    for name, part in zip(names, parts, strict=True):
        y = graph.add("Squeeze", [part, axis])
        if name.endswith("key"):
            # Transposed and divided here, once, not in each step.
            y = graph.add("Mul", [y, root])
            graph.add("Transpose", [y], [name], perm=[0, 2, 3, 1])
            graph.outputs.append(graph.value(name, [1, size.heads, size.head, "frames"]))
        else:
            graph.add("Transpose", [y], [name], perm=[0, 2, 1, 3])
            graph.outputs.append(graph.value(name, [1, size.heads, "frames", size.head]))
    graph.inputs = [graph.value("states", [1, "frames", size.width])]
    graph.save()


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
    # Not MultiHeadAttention, which would transpose the keys in each step.
    scores = graph.add("Add", [graph.add("MatMul", [q, key]), "mask"])
    y = graph.add("MatMul", [graph.add("Softmax", [scores], axis=-1), value])
    y = graph.add("Reshape", [graph.add("Transpose", [y], perm=[0, 2, 1, 3]), "by_clip"])
    graph.inputs += [
        graph.value(key, ["clips", size.heads, size.head, "frames"]),
        graph.value(value, ["clips", size.heads, "frames", size.head]),
    ]
    return graph.add(
        "Add", [x, graph.linear(y, [product(layer, "encoder_attn", graph.published.dense)])]
    )


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
    flat = graph.add("Reshape", [logits, graph.constant("flat", [-1, size.vocabulary])])
    graph.add("ArgMax", [flat], ["next"], axis=-1, keepdims=1)
    graph.add("ReduceMax", [graph.add("Softmax", [flat], axis=-1), "last_axis"], ["probability"])
    graph.save()
