"""The speaker embedding: the graph of the tree against a second implementation."""

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from campplus_graph import build
from campplus_reference import FRAME, HOP, RATE, WINDOW_FRAMES, Campplus, log_mel
from paths import GRAPHS, pulled
from speaker_embedding import load
from torch_archive import read_tensors, tensor_places

WEIGHTS = pulled("campplus", "campplus_cn_en_common.pt")
GRAPH = GRAPHS / "campplus.onnx"
STARTS = [0, RATE, 2 * RATE + 480]
# Unit vectors; both networks sum in single precision, in orders of their own.
TOLERANCE = 1e-3
# Cosine of what int8 makes of a window with what single precision does: half of a window in
# silence has the least.
INT8_COSINE, INT8_MEAN_COSINE = 0.9, 0.97
# A last digit of the filter bank may put a value on the next step.
INT8_TOLERANCE = 0.01


def unit(vector):
    return vector / np.linalg.norm(vector)


@pytest.fixture(scope="module")
def network():
    return Campplus(read_tensors(WEIGHTS))


def embeddings(network, speech):
    """Of the windows that begin at STARTS, as published."""
    length = FRAME + HOP * (WINDOW_FRAMES - 1)
    return np.stack([unit(network(log_mel(speech[at : at + length]))) for at in STARTS])


def projection():
    graph = onnx.load(GRAPH, load_external_data=False).graph
    held = {t.name: t for t in graph.initializer if t.name in ("voice_mean", "projection")}
    return [numpy_helper.to_array(held[name]) for name in ("voice_mean", "projection")]


def test_graph_of_the_checkpoint_gives_its_embeddings(network, speech):
    loud = speech / np.abs(speech).max()
    model = build(tensor_places(WEIGHTS), WEIGHTS.name)
    found = load(model, WEIGHTS)(loud, STARTS)
    np.testing.assert_allclose(found, embeddings(network, loud), atol=TOLERANCE)


def test_graph_of_the_tree_projects_them(network, speech):
    loud = speech / np.abs(speech).max()
    mean, matrix = projection()
    expected = [unit((vector - mean) @ matrix) for vector in embeddings(network, loud)]
    found = load(onnx.load(GRAPH, load_external_data=False), WEIGHTS)(loud, STARTS)
    cosines = np.sum(found * expected, axis=1)
    assert cosines.min() > INT8_COSINE
    assert cosines.mean() > INT8_MEAN_COSINE


def test_windows_of_the_tree_do_not_touch_each_other(speech):
    embed = load(onnx.load(GRAPH, load_external_data=False), WEIGHTS)
    alone = np.concatenate([embed(speech, [start]) for start in STARTS])
    np.testing.assert_allclose(embed(speech, STARTS), alone, atol=INT8_TOLERANCE)
