"""Writes the synthetic check and the speech check: graphs from encoder layers to one logit."""

import numpy as np
from onnx import TensorProto, helper

from export_head import constant, save
from export_pooling import head_inputs, moving_constants, moving_pooling
from onnx_graph import floats
from synthesis_traces import SIZE


def save_networks(name, used, scale, networks):
    """Graph of layers [1, frames, 288] and `weights` [spans, frames], rows that sum to one.

    It reads `traces` [spans, SIZE] of synthesis as well. Its `logits` [spans, 1] are those of small
    networks over the pooled layers and the traces. Their weights stand in half precision.
    `networks`: weights and bias of the hidden units, weights and bias of the logit.
    """
    hidden, hidden_bias, out, bias = networks
    node = helper.make_node
    initializers = [
        *moving_constants(scale),
        constant("half_hidden_weight", hidden, "float16"),
        constant("hidden_bias", hidden_bias),
        constant("weight", np.asarray(out)[:, None]),
        constant("bias", [bias]),
    ]
    nodes = [
        *moving_pooling(used, ["traces"]),
        node("Cast", ["half_hidden_weight"], ["hidden_weight"], to=TensorProto.FLOAT),
        node("MatMul", ["scaled", "hidden_weight"], ["projected"]),
        node("Add", ["projected", "hidden_bias"], ["shifted"]),
        node("Relu", ["shifted"], ["active"]),
        node("MatMul", ["active", "weight"], ["product"]),
        node("Add", ["product", "bias"], ["logits"]),
    ]
    save_logit(name, [*head_inputs(used), floats("traces", ["spans", SIZE])], nodes, initializers)


def save_regression(name, used, scale, weight, bias):
    """The same with one weight for each pooled value."""
    initializers = [
        *moving_constants(scale),
        constant("weight", np.asarray(weight)[:, None]),
        constant("bias", [bias]),
    ]
    nodes = [
        *moving_pooling(used),
        helper.make_node("MatMul", ["scaled", "weight"], ["product"]),
        helper.make_node("Add", ["product", "bias"], ["logits"]),
    ]
    save_logit(name, head_inputs(used), nodes, initializers)


def save_logit(name, inputs, nodes, initializers):
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["spans", 1])
    title = name.replace("-", "_")
    save(name, helper.make_graph(nodes, title, inputs, [output], initializers))
