"""Writes a classifier of frames by what is around them (dilated_network.py) as an ONNX graph."""

from onnx import TensorProto, helper

from dilated_network import DILATIONS, TAPS
from export_head import constant, save


def save_dilated(name, parameters, inputs, output_name, classes):
    """Dilated convolutions over the frames: layers -> log-probabilities [1, frames, classes].

    `inputs`: of the graph, the layers that it reads.
    """
    nodes, initializers = first_product([i.name for i in inputs], parameters)
    for number, dilation in enumerate(DILATIONS):
        more_nodes, more_initializers = block(number, dilation, parameters)
        nodes += more_nodes
        initializers += more_initializers
    last_nodes, last_initializers = product(f"x{len(DILATIONS)}", "scores", "out", parameters)
    nodes += [
        *last_nodes,
        helper.make_node("Transpose", ["scores"], ["logits"], perm=[0, 2, 1]),
        helper.make_node("LogSoftmax", ["logits"], [output_name], axis=2),
    ]
    initializers += last_initializers
    output = helper.make_tensor_value_info(output_name, TensorProto.FLOAT, [1, "frames", classes])
    save(name, helper.make_graph(nodes, name.replace("-", "_"), inputs, [output], initializers))


def first_product(layers, parameters):
    """From the layers to `x0` [1, channels, frames]; the normalisation is in the weights."""
    weight = parameters["w_in"] / parameters["deviation"][:, None]
    bias = parameters["b_in"] - parameters["mean"] @ weight
    nodes = [
        helper.make_node("Concat", layers, ["states"], axis=2),
        helper.make_node("MatMul", ["states", "w_in"], ["projected"]),
        helper.make_node("Add", ["projected", "b_in"], ["shifted"]),
        helper.make_node("Relu", ["shifted"], ["rows"]),
        helper.make_node("Transpose", ["rows"], ["x0"], perm=[0, 2, 1]),
    ]
    return nodes, [constant("w_in", weight), constant("b_in", bias)]


def block(number, dilation, parameters):
    """From `x<number>` to `x<number + 1>`."""
    name = f"around{number}"
    # The network has [width, in, out], ONNX wants [out, in, width].
    weight = parameters[f"w_{name}"].transpose(2, 1, 0)
    reach = dilation * (TAPS // 2)
    convolution = helper.make_node(
        "Conv",
        [f"x{number}", f"w_{name}", f"b_{name}"],
        [name],
        dilations=[dilation],
        pads=[reach, reach],
    )
    added, initializers = product(f"heard{number}", f"more{number}", f"add{number}", parameters)
    nodes = [
        convolution,
        helper.make_node("Relu", [name], [f"heard{number}"]),
        *added,
        helper.make_node("Add", [f"x{number}", f"more{number}"], [f"x{number + 1}"]),
    ]
    weights = [constant(f"w_{name}", weight), constant(f"b_{name}", parameters[f"b_{name}"])]
    return nodes, weights + initializers


def product(source, result, name, parameters):
    """A product with each frame, as a convolution of one tap."""
    weight = parameters[f"w_{name}"].T[:, :, None]
    node = helper.make_node("Conv", [source, f"w_{name}", f"b_{name}"], [result])
    return [node], [constant(f"w_{name}", weight), constant(f"b_{name}", parameters[f"b_{name}"])]
