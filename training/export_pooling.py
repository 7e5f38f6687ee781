"""Nodes that pool the encoder's layers as pooling.py does, at the start of a head's graph."""

import numpy as np
from onnx import TensorProto, helper

from encoder import TINY
from export_head import constant
from pooling import LEAST_SPREAD, MIN_VARIANCE


def head_inputs(used):
    """Layers [1, frames, 288], and `weights` [spans, frames], rows that sum to one."""
    weights = helper.make_tensor_value_info("weights", TensorProto.FLOAT, ["spans", "frames"])
    return [*TINY.inputs(used), weights]


def pooling_constants(scale):
    return [
        constant("mean", scale.mean),
        constant("deviation", scale.deviation),
        constant("zero", [0], "int64"),
        constant("least", MIN_VARIANCE),
    ]


def pooling(used):
    """Nodes from the inputs to `scaled`: mean and deviation of each layer, normalised."""
    return [*moments(used, "spread"), *normalised(names_of(used))]


def moving_constants(scale):
    return [
        *pooling_constants(scale),
        constant("first", [0], "int64"),
        constant("second_frame", [1], "int64"),
        constant("last", [-1], "int64"),
        constant("end", [np.iinfo("int64").max], "int64"),
        constant("frame_axis", [0], "int64"),
        constant("pair_axis", [1], "int64"),
        constant("least_spread", LEAST_SPREAD),
    ]


def moving_pooling(used, beside=()):
    """The same with the motion of all layers behind them; it and deviations as logarithms.

    `beside`: names of inputs [spans, n] that stand behind.
    """
    return [
        *moments(used, "log_spread", logarithm("spread", "log_spread")),
        *motion(),
        *logarithm("motion", "log_motion"),
        *normalised([*names_of(used), "log_motion", *beside]),
    ]


def names_of(used):
    """Layer by layer: mean, then deviation."""
    return [f"{kind}{i}" for i in range(len(list(used))) for kind in "ms"]


def moments(used, spread, more=()):
    """Nodes to the names of the layers' moments; `more`: from `spread` to what is split instead."""
    node = helper.make_node
    layers = [value.name for value in TINY.inputs(used)]
    count = len(layers)
    return [
        node("Concat", layers, ["layers"], axis=2),
        node("Squeeze", ["layers", "zero"], ["states"]),
        node("MatMul", ["weights", "states"], ["average"]),
        node("Mul", ["states", "states"], ["squares"]),
        node("MatMul", ["weights", "squares"], ["second"]),
        node("Mul", ["average", "average"], ["average2"]),
        node("Sub", ["second", "average2"], ["raw_variance"]),
        node("Max", ["raw_variance", "least"], ["variance"]),
        node("Sqrt", ["variance"], ["spread"]),
        *more,
        node("Split", ["average"], [f"m{i}" for i in range(count)], axis=1),
        node("Split", [spread], [f"s{i}" for i in range(count)], axis=1),
    ]


def logarithm(spread, result):
    node = helper.make_node
    return [
        node("Add", [spread, "least_spread"], [f"some_{spread}"]),
        node("Log", [f"some_{spread}"], [result]),
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


def normalised(names):
    node = helper.make_node
    return [
        node("Concat", names, ["pooled"], axis=1),
        node("Sub", ["pooled", "mean"], ["centred"]),
        node("Div", ["centred", "deviation"], ["scaled"]),
    ]
