"""The classifiers of frames: the graphs against the JAX network that was trained."""

import numpy as np
import pytest

import export_head
import phone_aligner
import phone_aligner_base
from export_frames import save_convolutions
from frame_network import CONVOLUTIONS, network
from paths import WEIGHTS
from written_graphs import initializers, run_head, shape_of

# The encoder, the layers that are read, and the name of the output.
HEADS = {
    aligner.name: (aligner.encoder, aligner.used_layers, "log_posteriors")
    for aligner in (phone_aligner.ALIGNER, phone_aligner_base.ALIGNER)
}
# Both sum in single precision, in orders of their own.
TOLERANCE = 2e-4


def parameters_of(name):
    """What the network was trained to, out of the graph: [width, in, out] again."""
    values = initializers(name)
    for number in range(1, CONVOLUTIONS + 1):
        values[f"w{number}"] = values[f"w{number}"].transpose(2, 1, 0)
    return values


@pytest.mark.parametrize("name", HEADS)
def test_graph_gives_what_the_network_gives(name, speech):
    encoder, used, _ = HEADS[name]
    layers = encoder.load()(speech)
    states = np.concatenate([layers[index] for index in used], axis=1)
    expected = np.asarray(network(parameters_of(name), states[None]))
    found = run_head(WEIGHTS / f"{name}.onnx", layers, encoder)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, atol=TOLERANCE)
    np.testing.assert_allclose(np.exp(found).sum(-1), 1, atol=1e-5)


@pytest.mark.parametrize("name", HEADS)
def test_exporter_writes_the_graph_of_the_tree(name, monkeypatch, tmp_path):
    monkeypatch.setattr(export_head, "WEIGHTS", tmp_path)
    encoder, used, output = HEADS[name]
    parameters = parameters_of(name)
    classes = len(parameters[f"b{CONVOLUTIONS}"])
    save_convolutions(name, parameters, encoder.inputs(used), output, classes)
    assert shape_of(tmp_path / f"{name}.onnx") == shape_of(WEIGHTS / f"{name}.onnx")
