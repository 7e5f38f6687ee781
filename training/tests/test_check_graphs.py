"""The synthetic check and the speech check: the graphs against pooling and heads in numpy."""

from types import SimpleNamespace

import numpy as np
import pytest

import export_head
from encoder import TINY
from export_networks import save_networks, save_regression
from paths import WEIGHTS
from pooling import logarithm, steps_between_frames
from synthesis_traces import SIZE
from written_graphs import initializers, pooled, run_head, shape_of, spans

NETWORKS, REGRESSION = "synthetic-head", "speech-check"
LAYERS = range(len(TINY.layers))
# The graph takes a variance as a difference of squares, in single precision.
TOLERANCE = 5e-3


TRACES = np.random.default_rng(5).standard_normal((2, SIZE)).astype("float32")


def read_by(values, layers, weights, beside=None):
    """Means, then logarithms of the deviations, layer by layer, and of the motion; normalised."""
    moments = pooled(layers, LAYERS, weights).reshape(len(weights), len(LAYERS), 2, TINY.hidden)
    moments[:, :, 1] = logarithm(moments[:, :, 1])
    moving = [
        np.concatenate([logarithm(steps_between_frames(layers[i][row > 0])) for i in LAYERS])
        for row in weights
    ]
    read = np.concatenate([moments.reshape(len(weights), -1), moving], 1)
    read = read if beside is None else np.concatenate([read, beside], 1)
    return (read - values["mean"]) / values["deviation"]


def test_networks_give_the_logit_of_the_pooled_layers(layers):
    weights = spans(len(layers[0]))
    values = initializers(NETWORKS)
    scaled = read_by(values, layers, weights, TRACES)
    hidden = scaled @ values["half_hidden_weight"].astype("float64") + values["hidden_bias"]
    expected = np.maximum(hidden, 0) @ values["weight"] + values["bias"]
    found = run_head(WEIGHTS / f"{NETWORKS}.onnx", layers, weights=weights, traces=TRACES)
    assert found.shape == (2, 1)
    np.testing.assert_allclose(found, expected, atol=TOLERANCE)


def test_regression_gives_the_logit_of_the_pooled_layers(layers):
    weights = spans(len(layers[0]))
    values = initializers(REGRESSION)
    expected = read_by(values, layers, weights) @ values["weight"] + values["bias"]
    found = run_head(WEIGHTS / f"{REGRESSION}.onnx", layers, weights=weights)
    assert found.shape == (2, 1)
    np.testing.assert_allclose(found, expected, atol=TOLERANCE)


@pytest.mark.parametrize("name", [NETWORKS, REGRESSION])
def test_a_span_of_one_frame_has_a_logit(name, layers):
    graph = WEIGHTS / f"{name}.onnx"
    alone = np.zeros((1, len(layers[0])), "float32")
    alone[0, 5] = 1
    beside = {"traces": TRACES[:1]} if name == NETWORKS else {}
    assert np.isfinite(run_head(graph, layers, weights=alone, **beside)).all()
    first = [x[:1] for x in layers]
    assert np.isfinite(run_head(graph, first, weights=alone[:, 5:6], **beside)).all()


@pytest.mark.parametrize("name", [NETWORKS, REGRESSION])
def test_exporter_writes_the_graph_of_the_tree(name, monkeypatch, tmp_path):
    monkeypatch.setattr(export_head, "WEIGHTS", tmp_path)
    values = initializers(name)
    scale = SimpleNamespace(mean=values["mean"], deviation=values["deviation"])
    out, bias = values["weight"][:, 0], values["bias"][0]
    if name == REGRESSION:
        save_regression(name, LAYERS, scale, out, bias)
    else:
        hidden = values["half_hidden_weight"], values["hidden_bias"]
        save_networks(name, LAYERS, scale, (*hidden, out, bias))
    assert shape_of(tmp_path / f"{name}.onnx") == shape_of(WEIGHTS / f"{name}.onnx")
