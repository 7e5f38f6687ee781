"""Graphs over the int8 weights of a published file, which the graphs name by offset."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

from onnx_graph import CONTRIBUTED, ORT
from paths import GRAPHS


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

    def weight(self, name, alias=None):
        """The published tensor, under another name where two products share its bytes."""
        tensor = self.published.initializer(name)
        tensor.name = alias or name
        self.constants[tensor.name] = tensor
        return tensor.name

    def columns(self, products):
        """Weights side by side as int8, with a scale and a zero point for each column.

        ONNX Runtime computes all of it once, when it loads the graph. w ^ 128 read as signed is
        w - 128.
        """
        weights, scales, zeros = [], [], []
        for weight, scale, zero, _ in products:
            rows, columns = self.published.shape(weight)
            turned = weight in self.published.transposed
            size = self.constant(f"{weight}.size", [rows if turned else columns])
            matrix = self.signed(self.weight(weight))
            weights.append(self.add("Transpose", [matrix]) if turned else matrix)
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

    def product(self, x, weight, scale, zero):
        """All of x is quantised with one scale."""
        return self.add("DynamicQuantizeMatMul", [x, weight, scale, zero])

    def normalise(self, x, name):
        gamma = self.weight(name)
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
