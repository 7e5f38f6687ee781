"""Writes an affect head: encoder layers and pooling weights in, 31 logits out."""

import numpy as np
from onnx import TensorProto, helper

from affect_labels import CLASSES, EMOTIONS, PLACED, RECORDED, STYLES
from export_head import constant, layer_inputs, save


def save_affect_head(name, used, parameters):
    """Graph inputs: layers [1, frames, 288] and `weights` [spans, frames], rows that sum to one."""
    node = helper.make_node
    recorded = [CLASSES.index(letter) for letter in RECORDED]
    # For each recorded class the others: log-odds are its logit less the others' log-sum-exp.
    others = np.zeros((1, len(recorded), len(CLASSES)))
    for row, index in enumerate(recorded):
        others[0, row, index] = -1e9
    produced = [*RECORDED.values(), *PLACED]
    order = [produced.index(label) for label in (*EMOTIONS, *STYLES)]
    initializers = [constant(key, value) for key, value in parameters.items()]
    initializers += [
        constant("others", others),
        constant("recorded", recorded, "int64"),
        constant("order", order, "int64"),
        constant("one", [1], "int64"),
        *pooling_constants(),
    ]
    inputs = layer_inputs(used)
    nodes = [
        *pooling(inputs, len(used)),
        node("MatMul", ["scaled", "class_weight"], ["class_product"]),
        node("Add", ["class_product", "class_bias"], ["classes"]),
        node("Gather", ["classes", "recorded"], ["own"], axis=1),
        node("Unsqueeze", ["classes", "one"], ["class_rows"]),
        node("Add", ["class_rows", "others"], ["rivals"]),
        node("ReduceLogSumExp", ["rivals"], ["rival_sum"], axes=[2], keepdims=0),
        node("Sub", ["own", "rival_sum"], ["recorded_logits"]),
        node("Softmax", ["classes"], ["posteriors"], axis=1),
        node("MatMul", ["posteriors", "class_places"], ["places"]),
        node("Mul", ["places", "places"], ["places2"]),
        node("ReduceSum", ["places2", "one"], ["distance"], keepdims=1),
        node("MatMul", ["scaled", "prosody_weight"], ["prosody_product"]),
        node("Add", ["prosody_product", "prosody_bias"], ["prosody"]),
        node("Concat", ["places", "distance", "prosody"], ["dimensions"], axis=1),
        node("MatMul", ["dimensions", "placed_weight"], ["placed_product"]),
        node("Add", ["placed_product", "placed_bias"], ["placed_logits"]),
        node("Concat", ["recorded_logits", "placed_logits"], ["produced"], axis=1),
        node("Gather", ["produced", "order"], ["logits"], axis=1),
    ]
    inputs.append(helper.make_tensor_value_info("weights", TensorProto.FLOAT, ["spans", "frames"]))
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["spans", len(order)])
    save(name, helper.make_graph(nodes, "affect_head", inputs, [output], initializers))


def pooling_constants():
    return [constant("zero", [0], "int64"), constant("least", 1e-6)]


def pooling(inputs, count):
    """Nodes from layers and `weights` to `scaled`: mean and deviation of each layer, normalised."""
    node = helper.make_node
    return [
        node("Concat", [i.name for i in inputs], ["layers"], axis=2),
        node("Squeeze", ["layers", "zero"], ["states"]),
        node("MatMul", ["weights", "states"], ["average"]),
        node("Mul", ["states", "states"], ["squares"]),
        node("MatMul", ["weights", "squares"], ["second"]),
        node("Mul", ["average", "average"], ["average2"]),
        node("Sub", ["second", "average2"], ["raw_variance"]),
        node("Max", ["raw_variance", "least"], ["variance"]),
        node("Sqrt", ["variance"], ["spread"]),
        # Layer by layer: mean, then deviation.
        node("Split", ["average"], [f"m{i}" for i in range(count)], axis=1),
        node("Split", ["spread"], [f"s{i}" for i in range(count)], axis=1),
        node("Concat", [f"{k}{i}" for i in range(count) for k in "ms"], ["pooled"], axis=1),
        node("Sub", ["pooled", "mean"], ["centred"]),
        node("Div", ["centred", "deviation"], ["scaled"]),
    ]


def save_pooled_logit(name, used, mean, deviation, weight, bias):
    """One logit [spans, 1] of the pooled layers."""
    node = helper.make_node
    inputs = layer_inputs(used)
    initializers = [
        constant("mean", mean),
        constant("deviation", deviation),
        constant("weight", weight[:, None]),
        constant("bias", [bias]),
        *pooling_constants(),
    ]
    nodes = [
        *pooling(inputs, len(list(used))),
        node("MatMul", ["scaled", "weight"], ["product"]),
        node("Add", ["product", "bias"], ["logits"]),
    ]
    inputs.append(helper.make_tensor_value_info("weights", TensorProto.FLOAT, ["spans", "frames"]))
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["spans", 1])
    save(name, helper.make_graph(nodes, name.replace("-", "_"), inputs, [output], initializers))
