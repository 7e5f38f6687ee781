"""The speaker-count head: its graph against the JAX network that was trained."""

import numpy as np

import export_head
import speaker_count
from dilated_network import DILATIONS, network, train
from encoder import TINY
from export_dilated import save_dilated
from paths import WEIGHTS
from written_graphs import initializers, run_head, shape_of

NAME = "speaker-count"
# Both sum in single precision, in orders of their own.
TOLERANCE = 2e-4
LEAST_LEARNT = 0.8


def parameters():
    """What the network was trained to, out of the graph, in whose weights the normalisation is."""
    values = initializers(NAME)
    inputs = values["w_in"].shape[0]
    values |= {"mean": np.zeros(inputs, "float32"), "deviation": np.ones(inputs, "float32")}
    for number in range(len(DILATIONS)):
        around, add = f"w_around{number}", f"w_add{number}"
        values[around] = values[around].transpose(2, 1, 0)
        values[add] = values[add][:, :, 0].T
    values["w_out"] = values["w_out"][:, :, 0].T
    return values


def test_graph_gives_what_the_network_gives(speech):
    layers = TINY.load()(speech)
    states = np.concatenate([layers[index] for index in speaker_count.USED_LAYERS], axis=1)
    expected = np.asarray(network(parameters(), states[None]))
    found = run_head(WEIGHTS / f"{NAME}.onnx", layers, TINY)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, atol=TOLERANCE)
    np.testing.assert_allclose(np.exp(found).sum(-1), 1, atol=1e-5)


def test_exporter_writes_the_graph_of_the_tree(monkeypatch, tmp_path):
    monkeypatch.setattr(export_head, "WEIGHTS", tmp_path)
    inputs = TINY.inputs(speaker_count.USED_LAYERS)
    classes = len(speaker_count.CLASSES)
    save_dilated(NAME, parameters(), inputs, "log_probabilities", classes)
    assert shape_of(tmp_path / f"{NAME}.onnx") == shape_of(WEIGHTS / f"{NAME}.onnx")


def test_training_learns_what_only_the_surroundings_say():
    random = np.random.default_rng(1)
    found = parameters()
    inputs = found["w_in"].shape[0]
    recordings = []
    for _ in range(8):
        labels = np.repeat(random.integers(0, 3, 40), 10)
        # The class is only heard 16 frames before the frame that has it.
        states = np.zeros((len(labels), inputs), "float16")
        states[:-16, :3] = 4 * np.eye(3)[labels[16:]]
        recordings.append((states, np.eye(3, dtype="float32")[labels]))
    trained = train(found, recordings, np.ones(len(recordings)), 60, random)
    states, labels = recordings[0][0], recordings[0][1].argmax(1)
    said = np.asarray(network(trained, states[None]))[0, 20:-20].argmax(1)
    assert (said == labels[20:-20]).mean() > LEAST_LEARNT
