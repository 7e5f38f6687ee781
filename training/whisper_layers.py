"""The layers that Whisper's encoder and decoder share, as nodes of ONNX graphs.

The sizes are those of Whisper base (Radford et al. 2022). Weight matrices are int8 by row; their
values stay outside, where the layout of a graph says.
"""

from itertools import pairwise

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

from onnx_graph import external
from paths import GRAPHS

LAYERS, WIDTH, HEADS, FEED_FORWARD, VOCABULARY, POSITIONS = 6, 512, 8, 2048, 51_865, 448
HEAD_SIZE = WIDTH // HEADS
N_FFT, MELS, RATE, CONTEXT = 400, 80, 16_000, 1500
ALIGNMENT = 64
# Layer and head of the decoder whose attention follows the words (config.json of the bundle).
ALIGNMENT_HEADS = [(3, 1), (4, 2), (4, 3), (4, 7), (5, 1), (5, 2), (5, 4), (5, 6)]
# Operators of ONNX Runtime that the standard set lacks.
ORT = "com.microsoft"


class WhisperGraph:
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
