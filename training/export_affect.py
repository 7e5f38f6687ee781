"""Writes an affect head: a graph from encoder layers to logits, and its classifier's weights."""

import json

import numpy as np
from onnx import TensorProto, helper

from encoder import TINY
from export_head import constant, save
from paths import WEIGHTS

# Significant digits of the classifier's weights: more than a score shows.
DIGITS = 6


def save_encoder_logits(name, used, scale, absolute, relative):
    """Graph of layers [1, frames, 288] and `weights` [spans, frames], rows that sum to one.

    Its `logits` [spans, 14] are those of the absolute expert and those of the relative one, whose
    bias and mean over the recording the classifier adds and subtracts.
    """
    node = helper.make_node
    initializers = [
        constant("mean", scale.mean),
        constant("deviation", scale.deviation),
        constant("expert_weight", np.concatenate([absolute.weight, relative.weight], 1)),
        constant("expert_bias", np.concatenate([absolute.bias, np.zeros_like(relative.bias)])),
        *pooling_constants(),
    ]
    inputs = TINY.inputs(used)
    nodes = [
        *pooling(inputs, len(used)),
        node("MatMul", ["scaled", "expert_weight"], ["product"]),
        node("Add", ["product", "expert_bias"], ["logits"]),
    ]
    inputs.append(helper.make_tensor_value_info("weights", TensorProto.FLOAT, ["spans", "frames"]))
    size = 2 * len(absolute.bias)
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["spans", size])
    save(name, helper.make_graph(nodes, "affect_head", inputs, [output], initializers))


def save_classifier(name, weights):
    """`models/weights/<name>.json`, as models/bundles/manifest.ts reads it."""

    def plain(value):
        if isinstance(value, dict):
            return {key: plain(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple | np.ndarray):
            return [plain(inner) for inner in value]
        return value if isinstance(value, str | int) else float(f"{value:.{DIGITS}g}")

    (WEIGHTS / f"{name}.json").write_text(json.dumps(plain(weights)) + "\n")


def pooling_constants():
    return [constant("zero", [0], "int64"), constant("least", 1e-6)]


def pooling(inputs, count, more_nodes=(), more=()):
    """Nodes from layers and `weights` to `scaled`: mean and deviation of each layer, normalised.

    `more_nodes`: from `states` and `weights` to statistics of the names `more`, which follow them.
    """
    node = helper.make_node
    moments = [f"{k}{i}" for i in range(count) for k in "ms"]
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
        *more_nodes,
        node("Concat", [*moments, *more], ["pooled"], axis=1),
        node("Sub", ["pooled", "mean"], ["centred"]),
        node("Div", ["centred", "deviation"], ["scaled"]),
    ]
