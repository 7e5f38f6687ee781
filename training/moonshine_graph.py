"""The ONNX graphs of Moonshine's decoder for several clips at once, over the published weights.

    python moonshine_graph.py

Writes models/graphs/moonshine-decoder-{cross,step}.onnx and product-probe.onnx. Every weight stays
in the published file: the graphs name its bytes by offset. Sizes are those of Moonshine tiny
(Jeffries et al. 2024).

Cross: the encoder's states of one clip to keys and values of the cross-attention. Step: one token
of each of several clips, and caches, to each one's next. A clip's numbers do not depend on those
beside it: activations are quantised by row, and frames that are padded are masked
(docs/adr/0027).
"""

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save
from onnxruntime.tools.ort_format_model.ort_flatbuffers_py.fbs.InferenceSession import (
    InferenceSession,
)

from onnx_graph import external
from places import GRAPHS, pulled

LAYERS, WIDTH, HEADS, ROTATED, VOCABULARY, POSITIONS = 6, 288, 8, 32, 32_768, 256
HEAD = WIDTH // HEADS
ORT = "com.microsoft"
CONTRIBUTED = {
    "DynamicQuantizeMatMul",
    "MatMulIntegerToFloat",
    "MultiHeadAttention",
    "QuickGelu",
    "RotaryEmbedding",
}


class Published:
    """What the published decoder multiplies with, found by the value that each product makes."""

    def __init__(self, path):
        self.file = path.name
        self.tensors, self.products = {}, {}
        self.walk(InferenceSession.GetRootAs(path.read_bytes(), 0).Model().Graph())

    def walk(self, graph):
        for i in range(graph.InitializersLength()):
            tensor = graph.Initializers(i)
            self.tensors[tensor.Name().decode()] = tensor
        for i in range(graph.NodesLength()):
            node = graph.Nodes(i)
            inputs = [node.Inputs(j).decode() for j in range(node.InputsLength())]
            places = {"MatMulIntegerToFloat": (1, 3, 5, 6), "DynamicQuantizeMatMul": (1, 2, 3, 4)}
            if wanted := places.get(node.OpType().decode()):
                names = [inputs[place] if place < len(inputs) else "" for place in wanted]
                self.products.setdefault(node.Outputs(0).decode(), names)
            for j in range(node.AttributesLength()):
                if subgraph := node.Attributes(j).G():
                    self.walk(subgraph)

    def product(self, layer, part, projection):
        """Names of weight, scale, zero point and bias."""
        linear = "Add" if part == "mlp" else "MatMul"
        linear = f"{projection}/{linear}_output_0"
        return self.products[f"/model/decoder/layers.{layer}/{part}/{linear}"]

    def initializer(self, name):
        tensor = self.tensors[name]
        table = tensor._tab
        offset = table.Vector(table.Offset(12))
        shape = [tensor.Dims(i) for i in range(tensor.DimsLength())]
        return external(name, offset, shape, self.file, tensor.DataType())


class Graph:
    """Collects nodes and constants; weights stay in the published file."""

    def __init__(self, name, published):
        self.name, self.published = name, published
        self.nodes, self.constants, self.inputs, self.outputs = [], {}, [], []

    def add(self, op, inputs, outputs=1, **attributes):
        """Names of the outputs: given, or as many as asked for."""
        if isinstance(outputs, int):
            outputs = [f"{op}.{len(self.nodes)}.{i}" for i in range(outputs)]
        domain = ORT if op in CONTRIBUTED else ""
        self.nodes.append(helper.make_node(op, inputs, outputs, domain=domain, **attributes))
        return outputs[0] if len(outputs) == 1 else outputs

    def constant(self, name, values):
        self.constants[name] = numpy_helper.from_array(np.asarray(values), name)
        return name

    def weight(self, name):
        self.constants[name] = self.published.initializer(name)
        return name

    def columns(self, products):
        """Weights side by side as int8, with a scale and a zero point for each column.

        ONNX Runtime computes all of it once, when it loads the graph. w ^ 128 read as signed is
        w - 128.
        """
        weights, scales, zeros = [], [], []
        for weight, scale, zero, _ in products:
            size = self.constant(f"{weight}.size", [self.published.tensors[weight].Dims(1)])
            weights.append(self.signed(self.weight(weight)))
            scales.append(self.add("Expand", [self.weight(scale), size]))
            zeros.append(self.add("Expand", [self.weight(zero), size]))
        if len(products) == 1:
            return weights[0], scales[0], self.signed(zeros[0])
        joined = self.add("Concat", zeros, axis=0)
        return (
            self.add("Concat", weights, axis=1),
            self.add("Concat", scales, axis=0),
            self.signed(joined),
        )

    def signed(self, name):
        top = self.constant("top_bit", np.uint8(128))
        return self.add("Cast", [self.add("BitwiseXor", [name, top])], to=TensorProto.INT8)

    def linear(self, x, products):
        """Each row of x is quantised with a scale of its own: rows do not touch each other."""
        largest = self.add("ReduceMax", [self.add("Abs", [x]), "last_axis"], keepdims=1)
        scale = self.add("Max", [largest, "tiny"])
        step, zero = self.constant("step", np.float32(1 / 127)), "top_bit"
        weight, scales, zeros = self.columns(products)
        rows = self.add("QuantizeLinear", [self.add("Div", [x, scale]), step, zero])
        y = self.add("MatMulIntegerToFloat", [rows, weight, step, scales, zero, zeros])
        y = self.add("Mul", [y, scale])
        bias = products[0][3]
        return self.add("Add", [y, self.weight(bias)]) if bias else y

    def normalise(self, x, name):
        gamma = self.weight(f"model.decoder.{name}.weight_merged_0")
        return self.add("LayerNormalization", [x, gamma], epsilon=1e-5)

    def value(self, name, shape, dtype=TensorProto.FLOAT):
        return helper.make_tensor_value_info(name, dtype, shape)

    def save(self):
        constants = list(self.constants.values())
        graph = helper.make_graph(self.nodes, self.name, self.inputs, self.outputs, constants)
        opsets = [helper.make_opsetid("", 18), helper.make_opsetid(ORT, 1)]
        save(
            helper.make_model(graph, opset_imports=opsets, ir_version=9),
            GRAPHS / f"{self.name}.onnx",
        )


def cross(published):
    graph = Graph("moonshine-decoder-cross", published)
    names = [f"cross.{layer}.{part}" for layer in range(LAYERS) for part in ("key", "value")]
    products = [
        published.product(layer, "encoder_attn", f"{part}_proj")
        for layer in range(LAYERS)
        for part in "kv"
    ]
    # The states of one clip have one scale, as in the published decoder.
    joined = graph.add("DynamicQuantizeMatMul", ["states", *graph.columns(products)])
    shape = graph.constant("shape", [1, -1, len(names), HEADS, HEAD])
    parts = graph.add(
        "Split",
        [graph.add("Reshape", [joined, shape])],
        len(names),
        axis=2,
        num_outputs=len(names),
    )
    axis, root = graph.constant("axis", [2]), graph.constant("root", np.float32(HEAD**-0.5))
    for name, part in zip(names, parts, strict=True):
        y = graph.add("Squeeze", [part, axis])
        if name.endswith("key"):
            # Transposed and divided here, once, not in each step.
            y = graph.add("Mul", [y, root])
            graph.add("Transpose", [y], [name], perm=[0, 2, 3, 1])
            graph.outputs.append(graph.value(name, [1, HEADS, HEAD, "frames"]))
        else:
            graph.add("Transpose", [y], [name], perm=[0, 2, 1, 3])
            graph.outputs.append(graph.value(name, [1, HEADS, "frames", HEAD]))
    graph.inputs = [graph.value("states", [1, "frames", WIDTH])]
    graph.save()


def self_attention(graph, x, layer):
    product = graph.published.product
    normal = graph.normalise(x, f"layers.{layer}.input_layernorm")
    products = [product(layer, "self_attn", f"{part}_proj") for part in "qkv"]
    widths = graph.constant("three_widths", [WIDTH] * 3)
    q, k, v = graph.add("Split", [graph.linear(normal, products), widths], 3, axis=2)
    turn = {"interleaved": 1, "num_heads": HEADS, "rotary_embedding_dim": ROTATED}
    q, k = (graph.add("RotaryEmbedding", [y, "position", "cos", "sin"], **turn) for y in (q, k))
    past, present = (
        [f"{when}.{layer}.{part}" for part in ("key", "value")] for when in ("past", "present")
    )
    outputs = [f"attended.{layer}", *present]
    y = graph.add("MultiHeadAttention", [q, k, v, "", "", "", *past], outputs, num_heads=HEADS)[0]
    graph.inputs += [graph.value(name, ["clips", HEADS, "past", HEAD]) for name in past]
    graph.outputs += [graph.value(name, ["clips", HEADS, "total", HEAD]) for name in present]
    return graph.add("Add", [x, graph.linear(y, [product(layer, "self_attn", "o_proj")])])


def cross_attention(graph, x, layer):
    product = graph.published.product
    key, value = f"cross.{layer}.key", f"cross.{layer}.value"
    normal = graph.normalise(x, f"layers.{layer}.post_attention_layernorm")
    q = graph.linear(normal, [product(layer, "encoder_attn", "q_proj")])
    q = graph.add("Transpose", [graph.add("Reshape", [q, "by_head"])], perm=[0, 2, 1, 3])
    # Not MultiHeadAttention, which would transpose the keys in each step.
    scores = graph.add("Add", [graph.add("MatMul", [q, key]), "mask"])
    y = graph.add("MatMul", [graph.add("Softmax", [scores], axis=-1), value])
    y = graph.add("Reshape", [graph.add("Transpose", [y], perm=[0, 2, 1, 3]), "by_clip"])
    graph.inputs += [
        graph.value(key, ["clips", HEADS, HEAD, "frames"]),
        graph.value(value, ["clips", HEADS, "frames", HEAD]),
    ]
    return graph.add("Add", [x, graph.linear(y, [product(layer, "encoder_attn", "o_proj")])])


def feed_forward(graph, x, layer):
    product = graph.published.product
    normal = graph.normalise(x, f"layers.{layer}.final_layernorm")
    wide = graph.linear(normal, [product(layer, "mlp", "fc1")])
    y, gate = graph.add("Split", [wide], 2, axis=2, num_outputs=2)
    y = graph.add("Mul", [graph.add("QuickGelu", [gate], alpha=1.0), y])
    return graph.add("Add", [x, graph.linear(y, [product(layer, "mlp", "fc2")])])


def step(published):
    graph = Graph("moonshine-decoder-step", published)
    graph.constant("last_axis", [-1])
    graph.constant("tiny", np.float32(1e-6))
    graph.constant("by_head", [0, 1, HEADS, HEAD])
    graph.constant("by_clip", [0, 1, WIDTH])
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
    for layer in range(LAYERS):
        x = self_attention(graph, x, layer)
        x = cross_attention(graph, x, layer)
        x = feed_forward(graph, x, layer)
    logits = graph.linear(graph.normalise(x, "norm"), [published.products["logits"]])
    flat = graph.add("Reshape", [logits, graph.constant("flat", [-1, VOCABULARY])])
    graph.add("ArgMax", [flat], ["next"], axis=-1, keepdims=1)
    graph.add("ReduceMax", [graph.add("Softmax", [flat], axis=-1), "last_axis"], ["probability"])
    graph.save()


def product_probe():
    """A product whose sums of two terms do not fit into 16 bits (models/onnx/exact-products.ts)."""
    graph = Graph("product-probe", None)
    weight = graph.constant("weight", np.full((64, 16), 127, "int8"))
    scale = graph.constant("scale", np.float32(1))
    graph.add("DynamicQuantizeMatMul", ["bytes", weight, scale], ["product"])
    graph.inputs = [graph.value("bytes", [1, 64])]
    graph.outputs = [graph.value("product", [1, 16])]
    graph.save()


def main():
    weights = Published(pulled("moonshine-tiny-en", "decoder_model_merged.ort"))
    cross(weights)
    step(weights)
    product_probe()


if __name__ == "__main__":
    main()
