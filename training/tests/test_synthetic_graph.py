"""The check for synthetic speech: the graph against the pooling and the networks in numpy."""

from types import SimpleNamespace

import numpy as np

import export_head
from encoder import TINY
from export_networks import save_networks
from paths import WEIGHTS
from pooling import steps_between_frames
from written_graphs import initializers, pooled, run_head, shape_of, spans

NAME = "synthetic-head"
GRAPH = WEIGHTS / f"{NAME}.onnx"
LAYERS = range(len(TINY.layers))
# The graph takes a variance as a difference of squares, in single precision.
TOLERANCE = 5e-3


def test_graph_gives_the_logit_of_the_pooled_layers(layers):
    weights = spans(len(layers[0]))
    values = initializers(NAME)
    moving = [
        np.concatenate([steps_between_frames(layers[i][row > 0]) for i in LAYERS])
        for row in weights
    ]
    read = np.concatenate([pooled(layers, LAYERS, weights), moving], 1)
    scaled = (read - values["mean"]) / values["deviation"]
    hidden = scaled @ values["half_hidden_weight"].astype("float64") + values["hidden_bias"]
    expected = np.maximum(hidden, 0) @ values["weight"] + values["bias"]
    found = run_head(GRAPH, layers, weights=weights)
    assert found.shape == (2, 1)
    np.testing.assert_allclose(found, expected, atol=TOLERANCE)


def test_a_span_of_one_frame_has_a_logit(layers):
    alone = np.zeros((1, len(layers[0])), "float32")
    alone[0, 5] = 1
    assert np.isfinite(run_head(GRAPH, layers, weights=alone)).all()
    assert np.isfinite(run_head(GRAPH, [x[:1] for x in layers], weights=alone[:, 5:6])).all()


def test_exporter_writes_the_graph_of_the_tree(monkeypatch, tmp_path):
    monkeypatch.setattr(export_head, "WEIGHTS", tmp_path)
    values = initializers(NAME)
    scale = SimpleNamespace(mean=values["mean"], deviation=values["deviation"])
    hidden, out = values["half_hidden_weight"], values["weight"][:, 0]
    networks = (hidden, values["hidden_bias"], out, values["bias"][0])
    save_networks(NAME, LAYERS, scale, networks)
    assert shape_of(tmp_path / GRAPH.name) == shape_of(GRAPH)
