"""The graphs that stand in the tree: their values, and running them."""

import os

import numpy as np
import onnx
from onnx import numpy_helper

from encoder import TINY, load_session
from paths import GRAPHS, WEIGHTS, pulled


def initializers(name):
    """Values of `models/weights/<name>.onnx`, by their names."""
    graph = onnx.load(WEIGHTS / f"{name}.onnx").graph
    return {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}


def shape_of(path):
    """All of a graph but the order of its initializers: nodes, sides, and values by name."""
    graph = onnx.load(path).graph
    values = {tensor.name: tensor.SerializeToString() for tensor in graph.initializer}
    return list(graph.node), list(graph.input), list(graph.output), values


def bundle_session(bundle, part):
    """A graph whose weights stand in the folder of the pulled bundle."""
    beside = pulled(bundle, "") / f".test-{os.getpid()}-{part}"
    beside.write_bytes((GRAPHS / part).read_bytes())
    try:
        return load_session(str(beside))
    finally:
        beside.unlink()


def run_head(path, layers, encoder=TINY, **inputs):
    """The only output of a head on the layers of its encoder that it reads."""
    session = load_session(str(path))
    named = dict(zip(encoder.layers, layers, strict=True))
    wanted = {value.name for value in session.get_inputs()}
    feeds = {name: layer[None] for name, layer in named.items() if name in wanted}
    return session.run(None, {**feeds, **inputs})[0]


def spans(frames):
    """Rows of weights over the frames that sum to one: the whole, and its first half."""
    rows = np.ones((2, frames), "float32")
    rows[1, frames // 2 :] = 0
    return rows / rows.sum(1, keepdims=True)


def pooled(layers, used, weights):
    """Mean, then deviation, of each used layer under each row of weights, in float64."""
    parts = []
    for index in used:
        states = layers[index].astype("float64")
        mean = weights @ states
        variance = weights @ states**2 - mean**2
        parts += [mean, np.sqrt(np.maximum(variance, 1e-6))]
    return np.concatenate(parts, axis=1)
