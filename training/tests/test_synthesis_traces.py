"""The traces of synthesis: the graph against a second implementation of the network, in JAX."""

import numpy as np
import onnx
import pytest

import synthesis_traces
from campplus_reference import FRAME, HOP, Campplus, log_mel
from common_level import at_common_level
from paths import GRAPHS, pulled
from synthesis_traces import FILE, LEAST_SAMPLES, SIZE, build
from torch_archive import read_tensors, tensor_places

# Sums of single precision in other orders, under a logarithm.
TOLERANCE = 5e-3
LEAST_SPREAD = 1e-2


@pytest.fixture(scope="module")
def traces():
    return synthesis_traces.load()


def expected(samples):
    leveled = at_common_level(samples)
    features = log_mel(leveled, 1 + (len(samples) - FRAME) // HOP)
    parts = []
    for layer in Campplus(read_tensors(pulled("campplus", FILE))).first_layers(features):
        moving = np.abs(np.diff(layer, axis=1)).mean(1)
        parts += [layer.mean(1), *np.log(np.stack([layer.std(1), moving]) + LEAST_SPREAD)]
    return np.concatenate(parts)


def test_graph_gives_the_moments_of_the_layers(traces, speech):
    part = speech[8_000:52_000]
    found = traces(part)
    assert found.shape == (SIZE,)
    np.testing.assert_allclose(found, expected(part), atol=TOLERANCE)


def test_the_level_does_not_matter(traces, speech):
    part = speech[8_000:40_000]
    np.testing.assert_allclose(traces(part), traces(0.25 * part), atol=1e-3)


def test_of_hardly_any_sound_they_are_finite(traces):
    for samples in (np.zeros(10), np.ones(LEAST_SAMPLES), 1e-5 * np.ones(3 * LEAST_SAMPLES)):
        assert np.isfinite(traces(samples.astype("float32"))).all()


def test_graph_of_the_tree_is_that_of_the_script():
    written = onnx.load(GRAPHS / "synthesis-traces.onnx", load_external_data=False)
    made = build(tensor_places(pulled("campplus", FILE)), FILE)
    assert written.SerializeToString() == made.SerializeToString()
