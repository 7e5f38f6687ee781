"""The check for synthetic speech: the graph against the pooling and the logit in numpy."""

import numpy as np

import export_head
from encoder import TINY
from export_affect import save_pooled_logit
from paths import WEIGHTS
from written_graphs import initializers, pooled, run_head, shape_of, spans

NAME = "synthetic-head"
GRAPH = WEIGHTS / f"{NAME}.onnx"
LAYER_COUNT = len(TINY.layers)
# The graph takes a variance as a difference of squares, in single precision.
TOLERANCE = 5e-3


def test_graph_gives_the_logit_of_the_pooled_layers(layers):
    weights = spans(len(layers[0]))
    values = initializers(NAME)
    scaled = (pooled(layers, range(LAYER_COUNT), weights) - values["mean"]) / values["deviation"]
    expected = scaled @ values["weight"] + values["bias"]
    found = run_head(GRAPH, layers, weights=weights)
    assert found.shape == (2, 1)
    np.testing.assert_allclose(found, expected, atol=TOLERANCE)


def test_exporter_writes_the_graph_of_the_tree(monkeypatch, tmp_path):
    monkeypatch.setattr(export_head, "WEIGHTS", tmp_path)
    values = initializers(NAME)
    weight, bias = values["weight"][:, 0], values["bias"][0]
    save_pooled_logit(NAME, range(LAYER_COUNT), values["mean"], values["deviation"], weight, bias)
    assert shape_of(tmp_path / GRAPH.name) == shape_of(GRAPH)
