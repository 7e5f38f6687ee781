"""Writes the synthetic check: a graph from encoder layers to one logit."""

import numpy as np
from onnx import TensorProto, helper

from encoder import TINY
from export_affect import pooling, pooling_constants
from export_head import constant, save


def save_networks(name, used, scale, networks):
    """Graph of layers [1, frames, 288] and `weights` [spans, frames], rows that sum to one.

    Its `logits` [spans, 1] are those of small networks over the pooled layers. Their weights stand
    in half precision. `networks`: weights and bias of the hidden units, weights and bias of the
    logit.
    """
    hidden, hidden_bias, out, bias = networks
    node = helper.make_node
    inputs = TINY.inputs(used)
    initializers = [
        constant("mean", scale.mean),
        constant("deviation", scale.deviation),
        constant("half_hidden_weight", hidden, "float16"),
        constant("hidden_bias", hidden_bias),
        constant("weight", np.asarray(out)[:, None]),
        constant("bias", [bias]),
        *pooling_constants(),
        *motion_constants(),
    ]
    nodes = [
        *pooling(inputs, len(list(used)), motion(), ["motion"]),
        node("Cast", ["half_hidden_weight"], ["hidden_weight"], to=TensorProto.FLOAT),
        node("MatMul", ["scaled", "hidden_weight"], ["projected"]),
        node("Add", ["projected", "hidden_bias"], ["shifted"]),
        node("Relu", ["shifted"], ["active"]),
        node("MatMul", ["active", "weight"], ["product"]),
        node("Add", ["product", "bias"], ["logits"]),
    ]
    inputs.append(helper.make_tensor_value_info("weights", TensorProto.FLOAT, ["spans", "frames"]))
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["spans", 1])
    save(name, helper.make_graph(nodes, name.replace("-", "_"), inputs, [output], initializers))


def motion_constants():
    return [
        constant("first", [0], "int64"),
        constant("second_frame", [1], "int64"),
        constant("last", [-1], "int64"),
        constant("end", [np.iinfo("int64").max], "int64"),
        constant("frame_axis", [0], "int64"),
        constant("pair_axis", [1], "int64"),
    ]


def motion():
    """Nodes from `states` and `weights` to `motion`, as pooling.py's steps_between_frames has it.

    Pairs of frames count alike where both are in the span; a span of one frame has none.
    """
    node = helper.make_node
    return [
        node("Slice", ["states", "first", "last", "frame_axis"], ["earlier"]),
        node("Slice", ["states", "second_frame", "end", "frame_axis"], ["later"]),
        node("Sub", ["later", "earlier"], ["difference"]),
        node("Abs", ["difference"], ["step"]),
        node("Slice", ["weights", "first", "last", "pair_axis"], ["earlier_weights"]),
        node("Slice", ["weights", "second_frame", "end", "pair_axis"], ["later_weights"]),
        node("Min", ["earlier_weights", "later_weights"], ["pairs"]),
        node("ReduceSum", ["pairs", "pair_axis"], ["all_pairs"], keepdims=1),
        node("Max", ["all_pairs", "least"], ["some_pairs"]),
        node("Div", ["pairs", "some_pairs"], ["pair_weights"]),
        node("MatMul", ["pair_weights", "step"], ["motion"]),
    ]
