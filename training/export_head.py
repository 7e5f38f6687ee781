"""Writes the trained heads as ONNX graphs with their weights inside."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from encoder import HIDDEN_SIZE, LAYERS

WEIGHTS = Path(__file__).resolve().parent.parent / "models/weights"
OPSET = 17
# Layers of the network of training/frame_network.py.
CONVOLUTIONS = 3


def layer_inputs(used):
    """Graph inputs of the encoder's layers, named as the encoder names them."""
    names = [*LAYERS, "last_hidden_state"]
    shape = [1, "frames", HIDDEN_SIZE]
    return [helper.make_tensor_value_info(names[i], TensorProto.FLOAT, shape) for i in used]


def constant(name, values, kind="float32"):
    return numpy_helper.from_array(np.asarray(values, kind), name)


def save(name, graph):
    """Checks and writes `models/weights/<name>.onnx`."""
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    onnx.checker.check_model(model, full_check=True)
    WEIGHTS.mkdir(parents=True, exist_ok=True)
    path = WEIGHTS / f"{name}.onnx"
    path.write_bytes(model.SerializeToString())
    print(f"{path.name}: {path.stat().st_size} bytes")


def save_convolutions(name, parameters, used, output_name, classes):
    """Three convolutions over the frames: layers -> log-probabilities [1, frames, classes]."""
    inputs = layer_inputs(used)
    nodes = [
        helper.make_node("Concat", [i.name for i in inputs], ["states"], axis=2),
        helper.make_node("Sub", ["states", "mean"], ["centred"]),
        helper.make_node("Div", ["centred", "deviation"], ["scaled"]),
        helper.make_node("Transpose", ["scaled"], ["x0"], perm=[0, 2, 1]),
    ]
    initializers = [
        constant("mean", parameters["mean"]),
        constant("deviation", parameters["deviation"]),
    ]
    for number in range(1, CONVOLUTIONS + 1):
        weight = parameters[f"w{number}"].transpose(2, 1, 0)
        initializers += [
            constant(f"w{number}", weight),
            constant(f"b{number}", parameters[f"b{number}"]),
        ]
        pad = (weight.shape[2] - 1) // 2
        out = f"c{number}"
        nodes.append(
            helper.make_node(
                "Conv", [f"x{number - 1}", f"w{number}", f"b{number}"], [out], pads=[pad, pad]
            )
        )
        if number < CONVOLUTIONS:
            nodes.append(helper.make_node("Relu", [out], [f"x{number}"]))
    nodes += [
        helper.make_node("Transpose", [f"c{CONVOLUTIONS}"], ["logits"], perm=[0, 2, 1]),
        helper.make_node("LogSoftmax", ["logits"], [output_name], axis=2),
    ]
    output = helper.make_tensor_value_info(output_name, TensorProto.FLOAT, [1, "frames", classes])
    save(name, helper.make_graph(nodes, name.replace("-", "_"), inputs, [output], initializers))
