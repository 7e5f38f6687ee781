"""The affect heads: the graphs against their classes, places and prosody in numpy."""

import numpy as np
import pytest

import export_head
from affect_head import VARIANTS
from affect_labels import CLASSES, EMOTIONS, PLACED, RECORDED, STYLES
from export_affect import save_affect_head
from places import WEIGHTS
from written_graphs import initializers, pooled, run_head, shape_of, spans

PARAMETERS = (
    *("mean", "deviation", "class_weight", "class_bias", "prosody_weight", "prosody_bias"),
    *("class_places", "placed_weight", "placed_bias"),
)
# The graph takes a variance as a difference of squares, in single precision.
TOLERANCE = 5e-3


def expected_logits(values, features):
    """Logits in the order of emotions and styles, from pooled features [spans, n]."""
    scaled = (features - values["mean"]) / values["deviation"]
    classes = scaled @ values["class_weight"] + values["class_bias"]
    shares = np.exp(classes - classes.max(1, keepdims=True))
    shares /= shares.sum(1, keepdims=True)
    logits = {}
    for letter, label in RECORDED.items():
        own = shares[:, CLASSES.index(letter)]
        logits[label] = np.log(own) - np.log1p(-own)
    places = shares @ values["class_places"]
    prosody = scaled @ values["prosody_weight"] + values["prosody_bias"]
    inputs = np.concatenate([places, (places**2).sum(1, keepdims=True), prosody], axis=1)
    placed = inputs @ values["placed_weight"] + values["placed_bias"]
    logits |= dict(zip(PLACED, placed.T, strict=True))
    return np.stack([logits[label] for label in (*EMOTIONS, *STYLES)], axis=1)


@pytest.mark.parametrize("name", VARIANTS)
def test_graph_gives_the_scores_of_the_pooled_layers(name, layers):
    weights = spans(len(layers[0]))
    expected = expected_logits(initializers(name), pooled(layers, VARIANTS[name], weights))
    found = run_head(WEIGHTS / f"{name}.onnx", layers, weights=weights)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, atol=TOLERANCE)


@pytest.mark.parametrize("name", VARIANTS)
def test_exporter_writes_the_graph_of_the_tree(name, monkeypatch, tmp_path):
    monkeypatch.setattr(export_head, "WEIGHTS", tmp_path)
    values = initializers(name)
    save_affect_head(name, list(VARIANTS[name]), {key: values[key] for key in PARAMETERS})
    assert shape_of(tmp_path / f"{name}.onnx") == shape_of(WEIGHTS / f"{name}.onnx")
