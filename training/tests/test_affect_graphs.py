"""The affect heads: the graphs against both experts of the layers in numpy."""

from types import SimpleNamespace

import numpy as np
import pytest

import export_head
from affect_head import VARIANTS
from affect_labels import CLASSES
from export_affect import save_encoder_logits
from paths import WEIGHTS
from written_graphs import initializers, pooled, run_head, shape_of, spans

# The graph takes a variance as a difference of squares, in single precision.
TOLERANCE = 5e-3


@pytest.mark.parametrize("name", VARIANTS)
def test_graph_gives_the_logits_of_the_pooled_layers(name, layers):
    weights, values = spans(len(layers[0])), initializers(name)
    features = pooled(layers, VARIANTS[name], weights)
    scaled = (features - values["mean"]) / values["deviation"]
    expected = scaled @ values["expert_weight"] + values["expert_bias"]
    found = run_head(WEIGHTS / f"{name}.onnx", layers, weights=weights)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, atol=TOLERANCE)


@pytest.mark.parametrize("name", VARIANTS)
def test_exporter_writes_the_graph_of_the_tree(name, monkeypatch, tmp_path):
    monkeypatch.setattr(export_head, "WEIGHTS", tmp_path)
    values, count = initializers(name), len(CLASSES)
    scale = SimpleNamespace(mean=values["mean"], deviation=values["deviation"])
    absolute, relative = (
        SimpleNamespace(weight=values["expert_weight"][:, part], bias=values["expert_bias"][part])
        for part in (slice(0, count), slice(count, None))
    )
    save_encoder_logits(name, list(VARIANTS[name]), scale, absolute, relative)
    assert shape_of(tmp_path / f"{name}.onnx") == shape_of(WEIGHTS / f"{name}.onnx")
