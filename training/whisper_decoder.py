"""The graph of Whisper's decoder: tokens of several clips and caches to each one's next token.

A clip is a row. Its numbers do not depend on those beside it: activations are quantised by row, and
all rows have contexts of one length (docs/adr/0034).
"""

import numpy as np
from onnx import TensorProto

from whisper_layers import (
    ALIGNMENT_HEADS,
    HEAD_SIZE,
    HEADS,
    LAYERS,
    ORT,
    POSITIONS,
    VOCABULARY,
    WIDTH,
    WhisperGraph,
)

# Steps of a row's activations between zero and its largest magnitude.
STEPS = 127


def build_decoder():
    """Writes the graph; returns the layout of its weights."""
    graph = DecoderGraph("whisper-decoder", by_row=True)
    graph.constant("zero", np.array([0]))
    graph.constant("one", np.array([1]))
    graph.constant("last_axis", np.array([-1]))
    graph.constant("end", np.array([2**62]))
    graph.constant("tiny", np.float32(1e-8))
    graph.constant("step", np.float32(1 / STEPS))
    graph.constant("middle", np.uint8(128))
    graph.constant("three_widths", np.array([WIDTH] * 3))
    graph.constant("by_head", np.array([0, 0, HEADS, HEAD_SIZE]))
    graph.constant("by_clip", np.array([0, 0, WIDTH]))
    graph.inputs = [
        graph.value("tokens", ["clips", "count"], TensorProto.INT64),
        graph.value("forbidden", [VOCABULARY]),
    ]
    x = placed_tokens(graph)
    seen = []
    for layer in range(LAYERS):
        x = self_attention(graph, x, layer)
        x, shares = cross_attention(graph, x, layer)
        x = graph.feed_forward(x, f"decoder/layer_{layer}/ffn")
        declare_caches(graph, layer)
        seen += heads_that_align(graph, layer, shares)
    graph.add("Concat", seen, ["attention"], axis=1)
    graph.outputs.append(
        graph.value("attention", ["clips", len(ALIGNMENT_HEADS), "count", "context"])
    )
    next_tokens(graph, x)
    return graph.save()


class DecoderGraph(WhisperGraph):
    """Rows that do not touch each other."""

    def linear(self, x, variable, inner, outer, y, bias=True):
        """Each row is quantised with a scale of its own, in steps that are the same for all."""
        self.add("Abs", [x], [f"{y}.magnitude"])
        self.add("ReduceMax", [f"{y}.magnitude", "last_axis"], [f"{y}.largest"], keepdims=1)
        scale = self.add("Max", [f"{y}.largest", "tiny"], [f"{y}.row_scale"])
        self.add("Div", [x, scale], [f"{y}.scaled"])
        self.add("QuantizeLinear", [f"{y}.scaled", "step", "middle"], [f"{y}.rounded"])
        weight = self.weight(f"{variable}/weight", [inner, outer], "int8-transposed")
        scales = self.weight(f"{variable}/weight", [outer], "scale")
        product = f"{y}.product"
        inputs = [f"{y}.rounded", weight, "step", scales, "middle"]
        self.add("MatMulIntegerToFloat", inputs, [product], ORT)
        if not bias:
            return self.add("Mul", [product, scale], [y])
        self.add("Mul", [product, scale], [f"{y}.unscaled"])
        return self.add("Add", [f"{y}.unscaled", self.weight(f"{variable}/bias", [outer])], [y])


def placed_tokens(graph):
    """Embeddings of the tokens with their positions behind those of the caches."""
    add = graph.add
    table = "decoder/embeddings/weight"
    add("Gather", [graph.weight(table, [VOCABULARY, WIDTH], "int8"), "tokens"], ["rows"])
    add("Cast", ["rows"], ["float_rows"], to=TensorProto.FLOAT)
    add("Gather", [graph.weight(table, [VOCABULARY], "scale"), "tokens"], ["row_scales"])
    add("Unsqueeze", ["row_scales", "last_axis"], ["row_scale_columns"])
    add("Mul", ["float_rows", "row_scale_columns"], ["embedded"])
    add("Shape", ["tokens"], ["count"], start=1, end=2)
    add("Shape", ["past.0.key"], ["from"], start=2, end=3)
    add("Add", ["from", "count"], ["until"])
    places = graph.weight("decoder/position_encodings/encodings", [POSITIONS, WIDTH])
    add("Slice", [places, "from", "until", "zero"], ["places"])
    return add("Add", ["embedded", "places"], ["placed"])


def names_of(kind, layer):
    return [f"{kind}.{layer}.key", f"{kind}.{layer}.value"]


def self_attention(graph, x, layer):
    prefix = f"decoder/layer_{layer}/self_attention"
    parts = graph.queries_keys_values(x, prefix)
    inputs = [*parts, "", "", "", *names_of("past", layer)]
    outputs = [f"{prefix}.attended", *names_of("present", layer)]
    y = graph.add("MultiHeadAttention", inputs, outputs, ORT, num_heads=HEADS, unidirectional=1)
    return graph.project(x, y, prefix, "linear_1")


def cross_attention(graph, x, layer):
    """What the layer adds, and how each head shares its attention out over the context."""
    add, prefix = graph.add, f"decoder/layer_{layer}/attention"
    key, value = names_of("cross", layer)
    normal = graph.normalise(x, f"{prefix}/layer_norm", f"{prefix}.normal")
    graph.linear(normal, f"{prefix}/linear_0", WIDTH, WIDTH, f"{prefix}.q")
    add("Reshape", [f"{prefix}.q", "by_head"], [f"{prefix}.by_head"])
    queries = add("Transpose", [f"{prefix}.by_head"], [f"{prefix}.heads"], perm=[0, 2, 1, 3])
    # Not MultiHeadAttention, which would transpose the keys in each step.
    add("MatMul", [queries, key], [f"{prefix}.scores"])
    shares = add("Softmax", [f"{prefix}.scores"], [f"{prefix}.shares"], axis=-1)
    add("MatMul", [shares, value], [f"{prefix}.mixed"])
    add("Transpose", [f"{prefix}.mixed"], [f"{prefix}.rows"], perm=[0, 2, 1, 3])
    y = add("Reshape", [f"{prefix}.rows", "by_clip"], [f"{prefix}.attended"])
    return graph.project(x, y, prefix, "linear_2"), shares


def heads_that_align(graph, layer, shares):
    """Of the layer's heads those whose attention follows the words."""
    heads = [head for other, head in ALIGNMENT_HEADS if other == layer]
    if not heads:
        return []
    graph.constant(f"heads.{layer}", np.array(heads))
    return [graph.add("Gather", [shares, f"heads.{layer}"], [f"attention.{layer}"], axis=1)]


def next_tokens(graph, x):
    """Logits behind each row's last token, and the likeliest of those that are not forbidden."""
    add = graph.add
    add("Slice", [x, "last_axis", "end", "one"], ["last_state"])
    x = graph.normalise("last_state", "decoder/layer_norm", "last_normal")
    graph.linear(x, "decoder/embeddings", WIDTH, VOCABULARY, "all_logits", bias=False)
    add("Squeeze", ["all_logits", "one"], ["logits"])
    add("Add", ["logits", "forbidden"], ["allowed"])
    add("ArgMax", ["allowed"], ["next"], axis=-1, keepdims=1)
    add("Softmax", ["allowed"], ["probabilities"], axis=-1)
    add("ReduceMax", ["probabilities", "last_axis"], ["probability"], keepdims=1)
    graph.outputs += [
        graph.value("logits", ["clips", VOCABULARY]),
        graph.value("next", ["clips", 1], TensorProto.INT64),
        graph.value("probability", ["clips", 1]),
    ]


def declare_caches(graph, layer):
    own = ["clips", HEADS, "past", HEAD_SIZE]
    graph.inputs += [graph.value(name, own) for name in names_of("past", layer)]
    key, value = names_of("cross", layer)
    graph.inputs += [
        graph.value(key, ["clips", HEADS, HEAD_SIZE, "context"]),
        graph.value(value, ["clips", HEADS, "context", HEAD_SIZE]),
    ]
    grown = ["clips", HEADS, "total", HEAD_SIZE]
    graph.outputs += [graph.value(name, grown) for name in names_of("present", layer)]
