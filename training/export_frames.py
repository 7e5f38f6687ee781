"""Writes a classifier of frames (frame_network.py) as an ONNX graph."""

from onnx import TensorProto, helper

from export_head import constant, save
from frame_network import CONVOLUTIONS


def save_convolutions(name, parameters, inputs, output_name, classes):
    """Convolutions over the frames: layers -> log-probabilities [1, frames, classes].

    `inputs`: of the graph, the layers that it reads.
    """
    nodes, initializers = normalised([i.name for i in inputs], parameters)
    for number in range(1, CONVOLUTIONS + 1):
        more_nodes, more_initializers = convolution(number, parameters)
        nodes += more_nodes
        initializers += more_initializers
    nodes += [
        helper.make_node("Transpose", [f"c{CONVOLUTIONS}"], ["logits"], perm=[0, 2, 1]),
        helper.make_node("LogSoftmax", ["logits"], [output_name], axis=2),
    ]
    output = helper.make_tensor_value_info(output_name, TensorProto.FLOAT, [1, "frames", classes])
    save(name, helper.make_graph(nodes, name.replace("-", "_"), inputs, [output], initializers))


def normalised(layers, parameters):
    """From the layers to `x0` [1, channels, frames], each channel as the network learnt on it."""
    nodes = [
        helper.make_node("Concat", layers, ["states"], axis=2),
        helper.make_node("Sub", ["states", "mean"], ["centred"]),
        helper.make_node("Div", ["centred", "deviation"], ["scaled"]),
        helper.make_node("Transpose", ["scaled"], ["x0"], perm=[0, 2, 1]),
    ]
    return nodes, [constant(name, parameters[name]) for name in ("mean", "deviation")]


def convolution(number, parameters):
    """From `x<number - 1>` to `c<number>`, and to `x<number>` where another convolution follows."""
    # The network has [width, in, out], ONNX wants [out, in, width].
    weight = parameters[f"w{number}"].transpose(2, 1, 0)
    pad = (weight.shape[2] - 1) // 2
    inputs = [f"x{number - 1}", f"w{number}", f"b{number}"]
    nodes = [helper.make_node("Conv", inputs, [f"c{number}"], pads=[pad, pad])]
    if number < CONVOLUTIONS:
        nodes.append(helper.make_node("Relu", [f"c{number}"], [f"x{number}"]))
    weights = [constant(f"w{number}", weight), constant(f"b{number}", parameters[f"b{number}"])]
    return nodes, weights
