"""The ONNX graph of the CAM++ speaker encoder (Wang et al. 2023).

Its weights stay in the checkpoint. Kaldi's filter bank is part of the graph: removing a frame's
mean, pre-emphasis, the Povey window and the Fourier transform are one linear map of its samples.
"""

import numpy as np
from onnx import TensorProto, helper

from filter_banks import kaldi_filters
from frame_spectra import (
    N_FFT,
    RATE,
    fourier,
    frame_constants,
    hann,
    of_emphasised,
    powers_of,
)
from onnx_graph import Graph, constant, externals, floats, model_of

MELS = 80
WINDOW_FRAMES = 158
SIZE = 192
BLOCKS = ((12, 1), (24, 2), (16, 2))
FIRST = "xvector.tdnn.nonlinear.batchnorm"
NORM_EPSILON = 1e-5


def spectrum_basis():
    """From the samples of a frame to real, then imaginary parts: [2 * bins, FRAME]."""
    basis = of_emphasised(fourier() * hann() ** 0.85)
    return basis - basis.mean(1, keepdims=True)


class Encoder(Graph):
    """From log-mel windows [w, 1, MELS, WINDOW_FRAMES] to embeddings [w, SIZE]."""

    def __init__(self):
        super().__init__()
        # What normalisations, sums and dense layers make, after a ReLU if there is one: int8 needs
        # its size.
        self.observed = {}

    def norm_parts(self, name):
        return [f"{name}.{part}" for part in ("weight", "bias", "running_mean", "running_var")]

    def norm(self, x, name):
        inputs = [x, *self.norm_parts(name)]
        self.observed[name] = self.add("BatchNormalization", inputs, epsilon=NORM_EPSILON)
        return self.observed[name]

    def norm_relu(self, x, name):
        self.observed[name] = self.add("Relu", [self.norm(x, name)])
        return self.observed[name]

    def conv(self, x, name, **attributes):
        return self.add("Conv", [x, f"{name}.weight"], **attributes)

    def residual(self, x, name, stride):
        y = self.conv(x, f"{name}.conv1", pads=[1, 1, 1, 1], strides=[stride, 1])
        y = self.conv(self.norm_relu(y, f"{name}.bn1"), f"{name}.conv2", pads=[1, 1, 1, 1])
        y = self.norm(y, f"{name}.bn2")
        if stride > 1:
            x = self.conv(x, f"{name}.shortcut.0", strides=[stride, 1])
            x = self.norm(x, f"{name}.shortcut.1")
        self.observed[name] = self.add("Relu", [self.add("Add", [y, x])])
        return self.observed[name]

    def head(self, x):
        """[w, 1, MELS, frames] -> [w, 320, frames]"""
        x = self.norm_relu(self.conv(x, "head.conv1", pads=[1, 1, 1, 1]), "head.bn1")
        for layer in (1, 2):
            x = self.residual(x, f"head.layer{layer}.0", 2)
            x = self.residual(x, f"head.layer{layer}.1", 1)
        x = self.conv(x, "head.conv2", pads=[1, 1, 1, 1], strides=[2, 1])
        return self.add("Reshape", [self.norm_relu(x, "head.bn2"), "joined"])

    def context(self, x):
        """The mean of the window and that of segments of 100 frames: a window is one segment."""
        mean = self.add("ReduceMean", [x], axes=[2], keepdims=1)
        return self.add("Add", [mean, mean])

    def masked_layer(self, x, name, dilation):
        x = self.norm_relu(x, f"{name}.nonlinear1.batchnorm")
        x = self.norm_relu(self.conv(x, f"{name}.linear1"), f"{name}.nonlinear2.batchnorm")
        around = {"pads": [dilation] * 2, "dilations": [dilation]}
        local = self.conv(x, f"{name}.cam_layer.linear_local", **around)
        mask = self.context(x)
        for layer, shape in (("linear1", "Relu"), ("linear2", "Sigmoid")):
            weights = [f"{name}.cam_layer.{layer}.{part}" for part in ("weight", "bias")]
            mask = self.add(shape, [self.add("Conv", [mask, *weights])])
        self.observed[name] = self.add("Mul", [local, mask])
        return self.observed[name]

    def statistics(self, x):
        """[w, c, frames] -> mean and standard deviation [w, 2 c]"""
        mean = self.add("ReduceMean", [x], axes=[2], keepdims=1)
        squares = self.add("ReduceSumSquare", [self.add("Sub", [x, mean])], axes=[2], keepdims=0)
        variance = self.add("Div", [squares, "degrees_of_freedom"])
        parts = [self.add("Squeeze", [mean, "two"]), self.add("Sqrt", [variance])]
        return self.add("Concat", parts, axis=1)

    def blocks(self, x):
        """[w, 320, frames] -> [w, 512, frames / 2]"""
        x = self.conv(x, "xvector.tdnn.linear", pads=[2, 2], strides=[2])
        x = self.norm_relu(x, FIRST)
        for block, (layers, dilation) in enumerate(BLOCKS, 1):
            for layer in range(1, layers + 1):
                y = self.masked_layer(x, f"xvector.block{block}.tdnnd{layer}", dilation)
                x = self.add("Concat", [x, y], axis=1)
            x = self.norm_relu(x, f"xvector.transit{block}.nonlinear.batchnorm")
            name = f"xvector.transit{block}.linear"
            x = self.observed[name] = self.conv(x, name)
        return x

    def initializers(self):
        """Constants beyond those of `build`."""
        return []

    def encode(self, x):
        x = self.blocks(self.head(x))
        x = self.statistics(self.norm_relu(x, "xvector.out_nonlinear.batchnorm"))
        x = self.conv(self.add("Unsqueeze", [x, "two"]), "xvector.dense.linear")
        last = "xvector.dense.nonlinear.batchnorm"
        centred = self.add("Sub", [self.add("Squeeze", [x, "two"]), f"{last}.running_mean"])
        deviation = self.add("Sqrt", [self.add("Add", [f"{last}.running_var", "epsilon"])])
        return self.add("Div", [centred, deviation])

    def unit(self, x, output=None):
        length = self.add("Add", [self.add("ReduceL2", [x], axes=[1], keepdims=1), "tiny"])
        return self.add("Div", [x, length], output)


def features(graph):
    """Samples [1, n], starts [w] in hops -> log-mel less its mean [w, 1, MELS, WINDOW_FRAMES]."""
    mel = graph.add("MatMul", [powers_of(graph, "samples"), "mel_filters"])
    log_mel = graph.add("Log", [graph.add("Max", [mel, "floor"])])
    column = graph.add("Unsqueeze", ["starts", "one"])
    windows = graph.add("Gather", [log_mel, graph.add("Add", [column, "offsets"])], axis=0)
    centred = graph.add("Sub", [windows, graph.add("ReduceMean", [windows], axes=[1], keepdims=1)])
    turned = graph.add("Transpose", [centred], perm=[0, 2, 1])
    return graph.add("Unsqueeze", [turned, "one"])


def constants():
    halved = (WINDOW_FRAMES - 1) // 2 + 1
    return [
        *frame_constants(spectrum_basis()),
        constant("mel_filters", kaldi_filters(N_FFT, MELS, RATE).T.astype("float32")),
        constant("offsets", np.arange(WINDOW_FRAMES)[None]),
        constant("two", np.array([2])),
        constant("joined", np.array([0, 320, -1])),
        constant("floor", np.float32(np.finfo("float32").eps)),
        constant("degrees_of_freedom", np.float32(halved - 1)),
        constant("epsilon", np.float32(NORM_EPSILON)),
        constant("tiny", np.float32(1e-8)),
    ]


def build(places, location, projection=None, graph=None):
    """Model of samples [1, n] and window starts [w] in hops -> unit vectors [w, size].

    `projection` is (mean [SIZE], matrix [SIZE, size]) or None for the encoder's own embeddings;
    `graph` is an Encoder, by default a new one in single precision.
    """
    graph, size = graph or Encoder(), SIZE
    embeddings = graph.encode(features(graph))
    initializers = externals(places, location) + constants() + graph.initializers()
    if projection is None:
        graph.unit(embeddings, "embeddings")
    else:
        mean, matrix = projection
        size = matrix.shape[1]
        initializers += [
            constant("voice_mean", mean.astype("float32")),
            constant("projection", matrix.astype("float32")),
        ]
        centred = graph.add("Sub", [graph.unit(embeddings), "voice_mean"])
        graph.unit(graph.add("MatMul", [centred, "projection"]), "embeddings")
    starts = helper.make_tensor_value_info("starts", TensorProto.INT64, ["windows"])
    inputs, outputs = (
        [floats("samples", [1, "samples"]), starts],
        [floats("embeddings", ["windows", size])],
    )
    return model_of(graph.nodes, "campplus", inputs, outputs, initializers)
