"""Building ONNX graphs whose weights stay in a published checkpoint."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

OPSET = 17
ORT = "com.microsoft"
CONTRIBUTED = {
    "BiasGelu",
    "DynamicQuantizeMatMul",
    "MatMulIntegerToFloat",
    "MultiHeadAttention",
    "QLinearAdd",
    "QuickGelu",
    "RotaryEmbedding",
}


class Graph:
    """Nodes in order, each named after its only output."""

    def __init__(self):
        self.nodes = []

    def add(self, kind, inputs, output=None, **attributes):
        name = output or f"v{len(self.nodes)}"
        domain = ORT if kind in CONTRIBUTED else ""
        self.nodes.append(helper.make_node(kind, inputs, [name], domain=domain, **attributes))
        return name


def external(name, offset, shape, location, data_type=TensorProto.FLOAT):
    """An initializer whose values begin at the byte `offset` of the file `location`."""
    tensor = TensorProto(
        name=name, data_type=data_type, dims=shape, data_location=TensorProto.EXTERNAL
    )
    length = int(np.prod(shape)) * helper.tensor_dtype_to_np_dtype(data_type).itemsize
    for key, value in (("location", location), ("offset", offset), ("length", length)):
        tensor.external_data.add(key=key, value=str(value))
    return tensor


def externals(places, location):
    """Initializers for all of `tensor_places` of training/torch_archive.py."""
    return [external(name, offset, shape, location) for name, (offset, shape) in places.items()]


def constant(name, values):
    return numpy_helper.from_array(np.asarray(values), name)


def floats(name, shape):
    """An input or output of the graph."""
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def model_of(nodes, name, inputs, outputs, initializers):
    used = {source for node in nodes for source in node.input}
    kept = [tensor for tensor in initializers if tensor.name in used]
    graph = helper.make_graph(nodes, name, inputs, outputs, kept)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(ORT, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)
