"""Traces of synthesis: what the first layers of the speaker encoder tell about a voice.

The recogniser's encoder was trained to hear words, and this one voices: what a synthesiser leaves
in the spectrum shows in it. CAM++ (Wang et al. 2023) is read to the end of its first dense block,
over all frames of a stretch at once, so that a short one needs no padding. Of each layer the mean,
the deviation and the motion are kept, the last two as logarithms, as pooling.py has them.
"""

import shutil
import tempfile
from pathlib import Path

import numpy as np

from campplus_graph import BLOCKS, Encoder, constants
from common_level import at_common_level
from encoder import load_session
from frame_spectra import powers_of
from onnx_graph import constant, externals, floats, model_of
from paths import GRAPHS, pulled
from pooling import LEAST_SPREAD
from torch_archive import tensor_places

FILE = "campplus_cn_en_common.pt"
# Channels of the layers that are read: 32 maps of 10 bands, and two of the dense part.
LAYERS = (320, 128, 512)
SIZE = 3 * sum(LAYERS)
# A shorter stretch is padded with zeros: its frames would be too few for a difference.
LEAST_SAMPLES = 4_000


class TracesEncoder(Encoder):
    """From log-mel frames [1, 1, MELS, frames] to traces [1, SIZE]."""

    def traces(self, x):
        maps = self.head(x)
        x = self.conv(maps, "xvector.tdnn.linear", pads=[2, 2], strides=[2])
        first = self.norm_relu(x, "xvector.tdnn.nonlinear.batchnorm")
        layers, dilation = BLOCKS[0]
        x = first
        for layer in range(1, layers + 1):
            y = self.masked_layer(x, f"xvector.block1.tdnnd{layer}", dilation)
            x = self.add("Concat", [x, y], axis=1)
        dense = self.norm_relu(x, "xvector.transit1.nonlinear.batchnorm")
        return self.add("Concat", [self.pooled(y) for y in (maps, first, dense)], "traces", axis=1)

    def pooled(self, x):
        """[1, c, frames] -> mean, deviation and motion [1, 3 c]"""
        mean = self.add("ReduceMean", [x], axes=[2], keepdims=1)
        centred = self.add("Sub", [x, mean])
        squares = self.add("Mul", [centred, centred])
        variance = self.add("ReduceMean", [squares], axes=[2], keepdims=0)
        earlier = self.add("Slice", [x, "zero", "but_one", "two"])
        later = self.add("Slice", [x, "one", "end", "two"])
        step = self.add("Abs", [self.add("Sub", [later, earlier])])
        motion = self.add("ReduceMean", [step], axes=[2], keepdims=0)
        logarithms = [
            self.add("Log", [self.add("Add", [spread, "least_spread"])])
            for spread in (self.add("Sqrt", [variance]), motion)
        ]
        return self.add("Concat", [self.add("Squeeze", [mean, "two"]), *logarithms], axis=1)


def build(places, location):
    """Model of samples [1, n] at the common level -> traces [1, SIZE]."""
    graph = TracesEncoder()
    mel = graph.add("MatMul", [powers_of(graph, "samples"), "mel_filters"])
    log_mel = graph.add("Log", [graph.add("Max", [mel, "floor"])])
    centred = graph.add("Sub", [log_mel, graph.add("ReduceMean", [log_mel], axes=[0], keepdims=1)])
    turned = graph.add("Transpose", [centred], perm=[1, 0])
    graph.traces(graph.add("Unsqueeze", [turned, "first_axes"]))
    initializers = [
        *externals(places, location),
        *constants(),
        constant("first_axes", np.array([0, 1])),
        constant("end", np.array([np.iinfo("int64").max])),
        constant("least_spread", np.float32(LEAST_SPREAD)),
    ]
    inputs, outputs = [floats("samples", [1, "samples"])], [floats("traces", [1, SIZE])]
    return model_of(graph.nodes, "synthesis_traces", inputs, outputs, initializers)


def load():
    """A function from the samples of a stretch to its traces [SIZE]."""
    weights = pulled("campplus", FILE)
    with tempfile.TemporaryDirectory() as directory:
        # A graph finds its weights beside it.
        shutil.copy(weights, directory)
        path = Path(directory) / "traces.onnx"
        path.write_bytes(build(tensor_places(weights), FILE).SerializeToString())
        session = load_session(str(path))

    def traces(samples):
        padded = np.pad(samples, (0, max(0, LEAST_SAMPLES - len(samples))))
        feeds = {"samples": at_common_level(padded).astype("float32")[None]}
        return session.run(["traces"], feeds)[0][0]

    return traces


def main():
    weights = pulled("campplus", FILE)
    model = build(tensor_places(weights), FILE)
    (GRAPHS / "synthesis-traces.onnx").write_bytes(model.SerializeToString())


if __name__ == "__main__":
    main()
