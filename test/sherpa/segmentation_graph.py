"""pyannote's segmentation 3.0 (Plaquet and Bredin 2023) as ONNX: sherpa-onnx's first stage.

SincNet (Ravanelli and Bengio 2018), four bidirectional LSTM layers and a classifier over the
subsets of three voices of which at most two speak at once.
"""

import numpy as np

from onnx_graph import Graph, constant, externals, floats, model_of

KERNEL, STRIDE = 251, 10
LAYERS, HIDDEN, CLASSES = 4, 128, 7


class Segmentation(Graph):
    """From stretches of sound [w, 1, n] to log-probabilities of the subsets, frame by frame."""

    def sinc_filters(self):
        """Band-pass filters [80, 1, KERNEL] from their lower edges and band widths."""
        bank = "sincnet.conv1d.0.filterbank"
        low = self.add("Add", [self.add("Abs", [f"{bank}.low_hz_"]), "min_hertz"])
        band = self.add("Add", [self.add("Abs", [f"{bank}.band_hz_"]), "min_hertz"])
        high = self.add("Clip", [self.add("Add", [low, band]), "min_hertz", "nyquist"])
        width = self.add("Mul", [self.add("Sub", [high, low]), "two"])
        phases = [self.add("MatMul", [edge, f"{bank}.n_"]) for edge in (low, high)]
        scale = self.add("Div", [f"{bank}.window_", self.add("Mul", [f"{bank}.n_", "half"])])
        halves = []
        for kind, (less, more) in (("Sin", phases), ("Cos", phases[::-1])):
            difference = self.add("Sub", [self.add(kind, [more]), self.add(kind, [less])])
            left = self.add("Mul", [difference, scale])
            right = self.add("Gather", [left, "backwards"], axis=1)
            parts = [left, width, right]
            if kind == "Cos":
                parts = [left, self.add("Sub", [width, width]), self.add("Neg", [right])]
            halves.append(self.add("Div", [self.add("Concat", parts, axis=1), width]))
        return self.add("Unsqueeze", [self.add("Concat", halves, axis=0), "axis1"])

    def norm(self, x, name):
        weights = [f"{name}.weight", f"{name}.bias"]
        return self.add("InstanceNormalization", [x, *weights], epsilon=1e-5)

    def sinc_net(self, x):
        """[w, 1, n] -> [w, 60, frames]"""
        x = self.norm(x, "sincnet.wav_norm1d")
        x = self.add("Abs", [self.add("Conv", [x, self.sinc_filters()], strides=[STRIDE])])
        for layer in range(3):
            if layer > 0:
                weights = [f"sincnet.conv1d.{layer}.{part}" for part in ("weight", "bias")]
                x = self.add("Conv", [x, *weights])
            x = self.add("MaxPool", [x], kernel_shape=[3], strides=[3])
            x = self.add("LeakyRelu", [self.norm(x, f"sincnet.norm1d.{layer}")], alpha=0.01)
        return x

    def gates(self, name):
        """torch's gates are input, forget, cell, output; ONNX wants input, output, forget, cell."""
        parts = [self.add("Slice", [name, f"gate{i}", f"gate{i + 1}", "axis0"]) for i in range(4)]
        return self.add("Concat", [parts[i] for i in (0, 3, 1, 2)], axis=0)

    def recurrent(self, x, layer):
        """[frames, w, c] -> [frames, w, 2 * HIDDEN]"""
        both = {}
        for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            ways = [self.gates(f"lstm.{kind}_l{layer}{way}") for way in ("", "_reverse")]
            rows = [self.add("Unsqueeze", [way, "axis0"]) for way in ways]
            both[kind] = self.add("Concat", rows, axis=0)
        bias = self.add("Concat", [both["bias_ih"], both["bias_hh"]], axis=1)
        inputs = [x, both["weight_ih"], both["weight_hh"], bias]
        y = self.add("LSTM", inputs, hidden_size=HIDDEN, direction="bidirectional")
        return self.add("Reshape", [self.add("Transpose", [y], perm=[0, 2, 1, 3]), "joined"])

    def linear(self, x, name):
        turned = self.add("Transpose", [f"{name}.weight"], perm=[1, 0])
        return self.add("Add", [self.add("MatMul", [x, turned]), f"{name}.bias"])


def build(places, location):
    """Model of x [w, 1, samples] -> log-probabilities y [w, frames, CLASSES]."""
    graph = Segmentation()
    x = graph.add("Transpose", [graph.sinc_net("x")], perm=[2, 0, 1])
    for layer in range(LAYERS):
        x = graph.recurrent(x, layer)
    for layer in range(2):
        x = graph.add("LeakyRelu", [graph.linear(x, f"linear.{layer}")], alpha=0.01)
    x = graph.add("Transpose", [graph.linear(x, "classifier")], perm=[1, 0, 2])
    graph.add("LogSoftmax", [x], "y", axis=2)
    initializers = externals(places, location)
    initializers += [constant(f"gate{i}", np.array([i * HIDDEN])) for i in range(5)]
    initializers += [
        constant("axis0", np.array([0])),
        constant("axis1", np.array([1])),
        constant("min_hertz", np.float32(50)),
        constant("nyquist", np.float32(8_000)),
        constant("half", np.float32(0.5)),
        constant("two", np.float32(2)),
        constant("backwards", np.arange(KERNEL // 2)[::-1].copy()),
        constant("joined", np.array([0, 0, 2 * HIDDEN])),
    ]
    inputs = [floats("x", ["windows", 1, "samples"])]
    outputs = [floats("y", ["windows", "frames", CLASSES])]
    return model_of(graph.nodes, "segmentation", inputs, outputs, initializers)
