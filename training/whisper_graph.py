"""The ONNX graphs of Whisper's encoder and decoder, and where set-up puts its weights.

    python whisper_graph.py

Writes models/graphs/whisper-{encoder,decoder}.onnx and whisper-layout.json. The weights stay in the
published CTranslate2 file; set-up (bin/setup/lay-out-weights.mjs) quantises them to int8 by row and
writes each tensor where the layout says. Sizes are those of Whisper base (Radford et al. 2022).

Encoder: windowed frames, folded into their even and odd halves (models/audio/folded-frames.ts), and
a number of frames to pad with, to keys and values of the decoder's cross-attention. Decoder: tokens
and caches to the next logits.
"""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

from filter_banks import slaney_filters
from onnx_graph import external

GRAPHS = Path(__file__).parent.parent / "models" / "graphs"
LAYERS, WIDTH, HEADS, FEED_FORWARD, VOCABULARY, POSITIONS = 6, 512, 8, 2048, 51_865, 448
N_FFT, MELS, RATE, CONTEXT = 400, 80, 16_000, 1500
ALIGNMENT = 64
ORT = "com.microsoft"


class Graph:
    """Collects nodes and initializers; weights are named after the CTranslate2 file's variables."""

    def __init__(self, name, by_row):
        self.name = name
        self.by_row = by_row
        self.data_file = f"{name}.bin"
        self.nodes, self.initializers, self.inputs, self.outputs, self.layout = [], [], [], [], []
        self.end = 0

    def add(self, op, inputs, outputs, domain="", **attributes):
        self.nodes.append(helper.make_node(op, inputs, outputs, domain=domain, **attributes))
        return outputs[0]

    def constant(self, name, values):
        self.initializers.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def weight(self, variable, shape, kind="float32"):
        """kind: float32, int8 (by row), int8-transposed, or scale (of each row)."""
        name = variable if kind == "float32" else f"{variable}:{kind}"
        dtype = TensorProto.INT8 if kind.startswith("int8") else TensorProto.FLOAT
        length = int(np.prod(shape)) * (1 if dtype == TensorProto.INT8 else 4)
        if not any(tensor.name == name for tensor in self.initializers):
            self.initializers.append(external(name, self.end, shape, self.data_file, dtype))
            self.layout.append({"variable": variable, "kind": kind, "offset": self.end})
            self.end += -(-length // ALIGNMENT) * ALIGNMENT
        return name

    def linear_by_row(self, x, variable, inner, outer, y):
        """As `linear`, with a scale per frame: a loud frame does not coarsen the quiet ones."""
        self.add("Abs", [x], [f"{y}.magnitude"])
        self.add("ReduceMax", [f"{y}.magnitude", "last_axis"], [f"{y}.largest"], keepdims=1)
        scale = self.add("Max", [f"{y}.largest", "tiny"], [f"{y}.row_scale"])
        self.add("Div", [x, scale], [f"{y}.scaled"])
        product = self.linear(f"{y}.scaled", variable, inner, outer, f"{y}.product", bias=False)
        self.add("Mul", [product, scale], [f"{y}.unscaled"])
        return self.add("Add", [f"{y}.unscaled", self.weight(f"{variable}/bias", [outer])], [y])

    def linear(self, x, variable, inner, outer, y, bias=True):
        if bias and self.by_row:
            return self.linear_by_row(x, variable, inner, outer, y)
        inputs = [
            x,
            self.weight(f"{variable}/weight", [inner, outer], "int8-transposed"),
            self.weight(f"{variable}/weight", [outer], "scale"),
            "",
        ]
        inputs += [self.weight(f"{variable}/bias", [outer])] if bias else []
        return self.add("DynamicQuantizeMatMul", inputs, [y], ORT)

    def normalise(self, x, variable, y):
        scale = [self.weight(f"{variable}/{part}", [WIDTH]) for part in ("gamma", "beta")]
        return self.add("LayerNormalization", [x, *scale], [y], epsilon=1e-5)

    def feed_forward(self, x, prefix):
        normal = self.normalise(x, f"{prefix}/layer_norm", f"{prefix}.normal")
        wide = self.linear(normal, f"{prefix}/linear_0", WIDTH, FEED_FORWARD, f"{prefix}.wide")
        active = self.add("Gelu", [wide], [f"{prefix}.active"], ORT)
        narrow = self.linear(active, f"{prefix}/linear_1", FEED_FORWARD, WIDTH, f"{prefix}.narrow")
        return self.add("Add", [x, narrow], [f"{prefix}.out"])

    def queries_keys_values(self, x, prefix):
        normal = self.normalise(x, f"{prefix}/layer_norm", f"{prefix}.normal")
        joined = self.linear(normal, f"{prefix}/linear_0", WIDTH, 3 * WIDTH, f"{prefix}.qkv")
        parts = [f"{prefix}.{part}" for part in "qkv"]
        self.add("Split", [joined, "three_widths"], parts, axis=2)
        return parts

    def project(self, x, attended, prefix, linear):
        y = self.linear(attended, f"{prefix}/{linear}", WIDTH, WIDTH, f"{prefix}.projected")
        return self.add("Add", [x, y], [f"{prefix}.out"])

    def value(self, name, shape, dtype=TensorProto.FLOAT):
        return helper.make_tensor_value_info(name, dtype, shape)

    def save(self, cuts=()):
        """Writes one graph, or one more than there are cuts: each ends with the node so named."""
        parts, opsets = self.parts(cuts), [helper.make_opsetid("", 18), helper.make_opsetid(ORT, 1)]
        for number, (nodes, inputs, outputs) in enumerate(parts, 1):
            used = {name for node in nodes for name in node.input}
            weights = [tensor for tensor in self.initializers if tensor.name in used]
            name = self.name if len(parts) == 1 else f"{self.name}-{number}"
            graph = helper.make_graph(nodes, name, inputs, outputs, weights)
            save(
                helper.make_model(graph, opset_imports=opsets, ir_version=9),
                GRAPHS / f"{name}.onnx",
            )
        return {"file": self.data_file, "bytes": self.end, "tensors": self.layout}

    def parts(self, cuts):
        """Nodes, inputs and outputs of each part; what one part makes is an input of the next."""
        ends = [
            1 + next(i for i, node in enumerate(self.nodes) if cut in node.output) for cut in cuts
        ]
        bounds = [0, *ends, len(self.nodes)]
        slices = [self.nodes[start:end] for start, end in pairwise(bounds)]
        made = [{name for node in nodes for name in node.output} for nodes in slices]
        read = [{name for node in nodes for name in node.input} for nodes in slices]
        parts = []
        for i, nodes in enumerate(slices):
            before, after = set().union(*made[:i]), set().union(*read[i + 1 :])
            given = [value for value in self.inputs if value.name in read[i]]
            asked = [value for value in self.outputs if value.name in made[i]]
            known = {value.name for value in self.inputs + self.outputs}
            # Without shapes, which the whole graph does not know there either: ONNX Runtime would
            # fuse more nodes, with other last digits.
            passed = [self.value(name, None) for name in sorted(made[i] & after - known)]
            taken = [self.value(name, None) for name in sorted(before & read[i])]
            parts.append((nodes, given + taken, asked + passed))
        return parts


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


def encoder():
    graph = Graph("whisper-encoder", by_row=True)
    add = graph.add
    graph.constant("zero", np.array([0]))
    graph.constant("last_axis", np.array([-1]))
    graph.constant("tiny", np.float32(1e-8))
    graph.constant("three_widths", np.array([WIDTH] * 3))
    graph.constant("head_shape", np.array([1, -1, 2 * HEADS, WIDTH // HEADS]))
    x = log_mel(graph)
    for conv, channels, stride in ((1, MELS, 1), (2, WIDTH, 2)):
        weights = [
            graph.weight(f"encoder/conv{conv}/weight", [WIDTH, channels, 3]),
            graph.weight(f"encoder/conv{conv}/bias", [WIDTH]),
        ]
        y = add("Conv", [x, *weights], [f"conv{conv}"], pads=[1, 1], strides=[stride])
        x = add("Gelu", [y], [f"conv{conv}.active"], ORT)
    x = add("Transpose", [x], ["frames_first"], perm=[0, 2, 1])
    add("Shape", [x], ["length"], start=1, end=2)
    places = graph.weight("encoder/position_encodings/encodings", [CONTEXT, WIDTH])
    add("Slice", [places, "zero", "length", "zero"], ["places"])
    x = add("Add", [x, "places"], ["placed"])
    for layer in range(LAYERS):
        prefix = f"encoder/layer_{layer}/self_attention"
        parts = graph.queries_keys_values(x, prefix)
        y = add("MultiHeadAttention", parts, [f"{prefix}.attended"], ORT, num_heads=HEADS)
        x = graph.project(x, y, prefix, "linear_1")
        x = graph.feed_forward(x, f"encoder/layer_{layer}/ffn")
    x = graph.normalise(x, "encoder/layer_norm", "states")
    for layer in range(LAYERS):
        prefix = f"decoder/layer_{layer}/attention"
        joined = graph.linear(x, f"{prefix}/linear_1", WIDTH, 2 * WIDTH, f"{prefix}.joined")
        add("Reshape", [joined, "head_shape"], [f"{prefix}.by_head"])
        add("Transpose", [f"{prefix}.by_head"], [f"{prefix}.heads"], perm=[0, 2, 1, 3])
        pair = [f"cross.{layer}.key", f"cross.{layer}.value"]
        add("Split", [f"{prefix}.heads"], pair, axis=1, num_outputs=2)
        graph.outputs += [graph.value(name, [1, HEADS, "context", WIDTH // HEADS]) for name in pair]
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


def decoder():
    graph = Graph("whisper-decoder", by_row=False)
    add = graph.add
    graph.constant("zero", np.array([0]))
    graph.constant("one", np.array([1]))
    graph.constant("last", np.array([-1]))
    graph.constant("end", np.array([2**62]))
    graph.constant("three_widths", np.array([WIDTH] * 3))
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
    x = add("Add", ["embedded", "places"], ["placed"])
    graph.inputs = [graph.value("tokens", [1, "count"], TensorProto.INT64)]
    graph.outputs = [graph.value("logits", [1, 1, VOCABULARY])]
    for layer in range(LAYERS):
        prefix = f"decoder/layer_{layer}/self_attention"
        parts = graph.queries_keys_values(x, prefix)
        past, present = (
            [f"{when}.{layer}.{part}" for part in ("key", "value")] for when in ("past", "present")
        )
        y = add(
            "MultiHeadAttention",
            [*parts, "", "", "", *past],
            [f"{prefix}.attended", *present],
            ORT,
            num_heads=HEADS,
            unidirectional=1,
        )
        x = graph.project(x, y, prefix, "linear_1")
        prefix = f"decoder/layer_{layer}/attention"
        cross = [f"cross.{layer}.{part}" for part in ("key", "value")]
        normal = graph.normalise(x, f"{prefix}/layer_norm", f"{prefix}.normal")
        queries = graph.linear(normal, f"{prefix}/linear_0", WIDTH, WIDTH, f"{prefix}.q")
        y = add(
            "MultiHeadAttention", [queries, *cross], [f"{prefix}.attended"], ORT, num_heads=HEADS
        )
        x = graph.project(x, y, prefix, "linear_2")
        x = graph.feed_forward(x, f"decoder/layer_{layer}/ffn")
        size = WIDTH // HEADS
        graph.inputs += [graph.value(name, [1, HEADS, "past", size]) for name in past]
        graph.inputs += [graph.value(name, [1, HEADS, "context", size]) for name in cross]
        graph.outputs += [graph.value(name, [1, HEADS, "total", size]) for name in present]
    add("Slice", [x, "last", "end", "one"], ["last_state"])
    x = graph.normalise("last_state", "decoder/layer_norm", "last_normal")
    graph.linear(x, "decoder/embeddings", WIDTH, VOCABULARY, "logits", bias=False)
    return graph.save()


if __name__ == "__main__":
    layout = {
        "format": "CTranslate2 binary, version 6, WhisperSpec revision 3",
        "outputs": [encoder(), decoder()],
    }
    (GRAPHS / "whisper-layout.json").write_text(json.dumps(layout) + "\n")
