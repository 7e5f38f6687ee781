"""The ONNX graph of inaSpeechSegmenter's network of speech, music and noise (Doukhan et al. 2018).

    python sound_classes_graph.py

Writes models/graphs/sound-classes.onnx. Its weights stay in the published file. Sidekit's filter
bank is part of the graph. The network reads windows of 0.7 s less their mean, over their deviation.
Where the published program leaves digital silence out, bands far below the loudest one are raised.
"""

import json

import h5py
import numpy as np
from onnx import TensorProto, helper, save

from filter_banks import sidekit_filters
from frame_spectra import N_FFT, RATE, fourier, frame_constants, hann, of_emphasised, powers_of
from onnx_graph import Graph, constant, external, floats, model_of
from paths import GRAPHS, pulled

BUNDLE, FILE = "sound-classes", "keras_speech_music_noise_cnn.hdf5"
# Of the bank's bands the network reads those below 5.8 kHz.
BANK_BANDS, BANDS, WINDOW_FRAMES = 24, 21, 68
# Natural logarithms of power: 52 dB.
RANGE = 12
# Added to a window's deviation: digital silence has none, but rounding errors of 4e-6.
EPSILON = 1e-4
PARTS = {
    "Conv2D": ("kernel", "bias"),
    "Dense": ("kernel", "bias"),
    "BatchNormalization": ("gamma", "beta", "moving_mean", "moving_variance"),
}


class Network(Graph):
    """The layers of a sequential network of Keras, in their order."""

    def __init__(self, file):
        super().__init__()
        self.file, self.tensors = file, {}

    def weight(self, layer, part):
        name = f"{layer}/{part}"
        values = self.file[f"model_weights/{layer}/{layer}/{part}:0"]
        self.tensors[name] = external(name, values.id.get_offset(), list(values.shape), FILE)
        return name

    def layer(self, x, kind, settings):
        name = settings["name"]
        weights = [self.weight(name, part) for part in PARTS.get(kind, ())]
        match kind:
            case "Conv2D":
                kernel = self.add("Transpose", [weights[0]], perm=[3, 2, 0, 1])
                x = self.add("Conv", [x, kernel, weights[1]])
            case "BatchNormalization":
                x = self.add("BatchNormalization", [x, *weights], epsilon=settings["epsilon"])
            case "Activation":
                x = self.add("Relu", [x])
            case "MaxPooling2D":
                pad = "SAME_UPPER" if settings["padding"] == "same" else "VALID"
                size = {"kernel_shape": settings["pool_size"], "strides": settings["strides"]}
                x = self.add("MaxPool", [x], auto_pad=pad, **size)
            case "Flatten":
                x = self.add("Flatten", [self.add("Transpose", [x], perm=[0, 2, 3, 1])])
            case "Dense":
                x = self.add("Gemm", [x, *weights])
        # Reshape adds the axis of channels, which is there; Dropout is for training.
        return x

    def logits(self, x):
        """Windows [w, 1, frames, bands] -> [w, classes]"""
        layers = json.loads(self.file.attrs["model_config"])["config"]["layers"]
        for layer in layers:
            x = self.layer(x, layer["class_name"], layer["config"])
        return x


def windows_of(graph):
    """Samples [1, n], starts [w] in hops -> windows as the network reads them."""
    bands = graph.add("MatMul", [powers_of(graph, "samples"), "filters"])
    column = graph.add("Unsqueeze", ["starts", "one"])
    powers = graph.add("Gather", [bands, graph.add("Add", [column, "offsets"])], axis=0)
    both = {"axes": [1, 2], "keepdims": 1}
    loudest = graph.add("ReduceMax", [powers], **both)
    least = graph.add("Add", [graph.add("Mul", [loudest, "range"]), "tiny"])
    log_mel = graph.add("Log", [graph.add("Max", [powers, least])])
    centred = graph.add("Sub", [log_mel, graph.add("ReduceMean", [log_mel], **both)])
    square = graph.add("ReduceMean", [graph.add("Mul", [centred, centred])], **both)
    deviation = graph.add("Add", [graph.add("Sqrt", [square]), "epsilon"])
    return graph.add("Unsqueeze", [graph.add("Div", [centred, deviation]), "one"])


def constants():
    filters = sidekit_filters(N_FFT, BANK_BANDS, RATE)[:BANDS]
    return [
        *frame_constants(of_emphasised(fourier() * hann())),
        constant("filters", filters.T.astype("float32")),
        constant("offsets", np.arange(WINDOW_FRAMES)[None]),
        constant("range", np.float32(np.exp(-RANGE))),
        constant("tiny", np.float32(1e-20)),
        constant("epsilon", np.float32(EPSILON)),
        # Of speech, music and noise.
        constant("others", np.array([1, 2])),
    ]


def build(file):
    """Model of samples [1, n] and window starts [w] in hops -> log-odds of speech [w]."""
    network = Network(file)
    logits = network.logits(windows_of(network))
    speech = network.add("Gather", [logits, "zero"], axis=1)
    rest = network.add("Gather", [logits, "others"], axis=1)
    rest = network.add("ReduceLogSumExp", [rest], axes=[1], keepdims=1)
    odds = network.add("Sub", [speech, rest])
    network.add("Squeeze", [odds, "one"], "speech")
    starts = helper.make_tensor_value_info("starts", TensorProto.INT64, ["windows"])
    inputs = [floats("samples", [1, "samples"]), starts]
    initializers = [*network.tensors.values(), *constants()]
    return model_of(network.nodes, BUNDLE, inputs, [floats("speech", ["windows"])], initializers)


def main():
    with h5py.File(pulled(BUNDLE, FILE)) as file:
        save(build(file), GRAPHS / f"{BUNDLE}.onnx")


if __name__ == "__main__":
    main()
