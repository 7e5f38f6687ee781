"""Writes an affect head: a graph from encoder layers to logits, and its classifier's weights."""

import json

import numpy as np
from onnx import TensorProto, helper

from export_head import constant, save
from export_pooling import head_inputs, pooling, pooling_constants
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
        *pooling_constants(scale),
        constant("expert_weight", np.concatenate([absolute.weight, relative.weight], 1)),
        constant("expert_bias", np.concatenate([absolute.bias, np.zeros_like(relative.bias)])),
    ]
    nodes = [
        *pooling(used),
        node("MatMul", ["scaled", "expert_weight"], ["product"]),
        node("Add", ["product", "expert_bias"], ["logits"]),
    ]
    size = 2 * len(absolute.bias)
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["spans", size])
    save(
        name,
        helper.make_graph(nodes, "affect_head", head_inputs(used), [output], initializers),
    )


def save_classifier(name, weights):
    """`models/weights/<name>.json`, as models/bundles/manifest.ts reads it."""

    def plain(value):
        if isinstance(value, dict):
            return {key: plain(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple | np.ndarray):
            return [plain(inner) for inner in value]
        return value if isinstance(value, str | int) else float(f"{value:.{DIGITS}g}")

    (WEIGHTS / f"{name}.json").write_text(json.dumps(plain(weights)) + "\n")
