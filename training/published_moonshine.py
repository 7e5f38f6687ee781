"""What Moonshine's published files multiply with: an ORT-format file, and ONNX ones.

Both say where a tensor's bytes stand in the file, and which weight, scale, zero point and bias make
a value of the graph.
"""

import numpy as np
from onnx import AttributeProto, TensorProto, load, numpy_helper
from onnxruntime.tools.ort_format_model.ort_flatbuffers_py.fbs.InferenceSession import (
    InferenceSession,
)

from onnx_graph import external


class OrtFile:
    """Encoder and decoder of the vendor's ORT-format bundle (Moonshine tiny)."""

    # How the layers' projections are called there, and weights whose rows are outputs.
    dense, wide, narrow = "o_proj", "fc1", "fc2"
    transposed = ()

    def __init__(self, path):
        self.file, self.data = path.name, path.read_bytes()
        self.tensors, self.products = {}, {}
        self.walk(InferenceSession.GetRootAs(self.data, 0).Model().Graph())

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

    def product(self, layer, part, projection, model="/model/decoder"):
        """Names of weight, scale, zero point and bias."""
        linear = "Add" if part == "mlp" else "MatMul"
        linear = f"{projection}/{linear}_output_0"
        return self.products[f"{model}/layers.{layer}/{part}/{linear}"]

    def shape(self, name):
        tensor = self.tensors[name]
        return [tensor.Dims(i) for i in range(tensor.DimsLength())]

    def is_float(self, name):
        return self.tensors[name].DataType() == TensorProto.FLOAT

    def offset(self, name):
        table = self.tensors[name]._tab
        return table.Vector(table.Offset(12))

    def values(self, name):
        """Floats, flat."""
        return np.frombuffer(
            self.data, "float32", int(np.prod(self.shape(name))), self.offset(name)
        )

    def initializer(self, name):
        kind = self.tensors[name].DataType()
        return external(name, self.offset(name), self.shape(name), self.file, kind)


class OnnxFile:
    """Encoder and decoder of the browser's bundle (Moonshine base)."""

    dense, wide, narrow = "dense", "up_proj", "down_proj"
    transposed = ("model.decoder.embed_tokens.weight_merged_0_quantized",)

    def __init__(self, path):
        self.file, self.data = path.name, path.read_bytes()
        self.tensors, self.products = {}, {}
        self.walk(load(path).graph)
        # Published as a product of floats with the table of tokens, which is of bytes.
        table = "model.decoder.embed_tokens.weight_merged_0"
        if f"{table}_quantized" in self.tensors:
            parts = [f"{table}_{part}" for part in ("quantized", "scale", "zero_point")]
            self.products["logits"] = [*parts, ""]

    def walk(self, graph):
        self.tensors.update((tensor.name, tensor) for tensor in graph.initializer)
        for node in graph.node:
            if node.op_type == "MatMulInteger":
                weight = node.input[1].removesuffix("_quantized")
                value = node.output[0].removesuffix("_output_quantized")
                names = [f"{weight}_{part}" for part in ("quantized", "scale", "zero_point")]
                self.products[value] = [*names, ""]
            for attribute in node.attribute:
                if attribute.type == AttributeProto.GRAPH:
                    self.walk(attribute.g)

    def product(self, layer, part, projection, model="/model/decoder"):
        """Names of weight, scale, zero point and bias."""
        value = f"{model}/layers.{layer}/{part}/{projection}/MatMul_output_0"
        bias = f"{model}/layers.{layer}/{part}/{projection}.bias".lstrip("/").replace("/", ".")
        named = [name for name in (bias, f"{bias}_merged_0") if name in self.tensors]
        return [*self.products[value][:3], *(named or [""])]

    def is_float(self, name):
        return self.tensors[name].data_type == TensorProto.FLOAT

    def shape(self, name):
        return list(self.tensors[name].dims)

    def initializer(self, name):
        """By the place of its bytes; scales and zero points, one number each, as they are."""
        tensor = self.tensors[name]
        if not tensor.raw_data:
            return numpy_helper.from_array(np.asarray(numpy_helper.to_array(tensor)), name)
        # Equal bytes elsewhere would be equal weights.
        offset = self.data.index(tensor.raw_data)
        return external(name, offset, self.shape(name), self.file, tensor.data_type)
