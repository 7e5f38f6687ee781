"""The graph of Whisper's decoder: tokens and caches to the next logits."""

import numpy as np
from onnx import TensorProto

from whisper_layers import HEAD_SIZE, HEADS, LAYERS, ORT, POSITIONS, VOCABULARY, WIDTH, WhisperGraph


def build_decoder():
    """Writes the graph; returns the layout of its weights."""
    graph = WhisperGraph("whisper-decoder", by_row=False)
    graph.constant("zero", np.array([0]))
    graph.constant("one", np.array([1]))
    graph.constant("last", np.array([-1]))
    graph.constant("end", np.array([2**62]))
    graph.constant("three_widths", np.array([WIDTH] * 3))
    graph.inputs = [graph.value("tokens", [1, "count"], TensorProto.INT64)]
    graph.outputs = [graph.value("logits", [1, 1, VOCABULARY])]
    x = placed_tokens(graph)
    for layer in range(LAYERS):
        x = self_attention(graph, x, layer)
        x = cross_attention(graph, x, layer)
        x = graph.feed_forward(x, f"decoder/layer_{layer}/ffn")
        declare_caches(graph, layer)
    graph.add("Slice", [x, "last", "end", "one"], ["last_state"])
    x = graph.normalise("last_state", "decoder/layer_norm", "last_normal")
    graph.linear(x, "decoder/embeddings", WIDTH, VOCABULARY, "logits", bias=False)
    return graph.save()


def placed_tokens(graph):
    """Embeddings of the tokens with their positions behind those of the caches."""
    add = graph.add
    table = "decoder/embeddings/weight"
    add("Gather", [graph.weight(table, [VOCABULARY, WIDTH], "int8"), "tokens"], ["rows"])
    add("Cast", ["rows"], ["float_rows"], to=TensorProto.FLOAT)
    add("Gather", [graph.weight(table, [VOCABULARY], "scale"), "tokens"], ["row_scales"])
    add("Unsqueeze", ["row_scales", "last"], ["row_scale_columns"])
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
    prefix = f"decoder/layer_{layer}/attention"
    normal = graph.normalise(x, f"{prefix}/layer_norm", f"{prefix}.normal")
    queries = graph.linear(normal, f"{prefix}/linear_0", WIDTH, WIDTH, f"{prefix}.q")
    inputs = [queries, *names_of("cross", layer)]
    y = graph.add("MultiHeadAttention", inputs, [f"{prefix}.attended"], ORT, num_heads=HEADS)
    return graph.project(x, y, prefix, "linear_2")


def declare_caches(graph, layer):
    for kind, length, side in (
        ("past", "past", graph.inputs),
        ("cross", "context", graph.inputs),
        ("present", "total", graph.outputs),
    ):
        shape = [1, HEADS, length, HEAD_SIZE]
        side += [graph.value(name, shape) for name in names_of(kind, layer)]
