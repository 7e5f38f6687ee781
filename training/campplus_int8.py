"""CAM++ with its convolutions in int8.

What a convolution reads has been through a ReLU, so that unsigned steps from 0 to 255 lose nothing:
the normalisation before it is scaled into steps, and rounding to them cuts off what is negative.
The length of a step is fixed for each layer (`calibrated` of speaker_embedding.py), so that a
window's embedding does not depend on the windows beside it. ONNX Runtime computes the int8 weights
from the published ones when it loads the graph.

In the dense blocks frames are turned into rows, [w, frames, channels], so that a convolution over
one frame is a matrix product; they are turned as bytes, and what layers add to, [w, channels,
frames], stays as it is.
"""

import numpy as np
from onnx import TensorProto

from campplus_graph import BLOCKS, MELS, WINDOW_FRAMES, Encoder
from onnx_graph import constant

LARGEST_WEIGHT, STEPS = 127, 255
TAPS, BOTTLENECK, GROWTH, HALVED_FRAMES = 3, 128, 32, 79
# Bands and frames of a filter.
FILTER = 3


class Int8Encoder(Encoder):
    """`largest` has the largest magnitude of each tensor that Encoder observes, by its name."""

    def __init__(self, largest):
        super().__init__()
        self.largest, self.constants = largest, {}
        # Step and zero of the tensors of bytes.
        self.scales = {}

    def value(self, name, values, kind="float32"):
        self.constants[name] = constant(name, np.asarray(values, kind))
        return name

    def step(self, name, signed=False):
        """The step of what `name` makes; signed ones are around 128."""
        steps = LARGEST_WEIGHT if signed else STEPS
        return self.value(f"{name}.step", self.largest[name] / steps)

    def affine(self, name):
        """Factor and summand of each channel, of batch normalisation."""
        weight, bias, mean, variance = self.norm_parts(name)
        deviation = self.add("Sqrt", [self.add("Add", [variance, "epsilon"])])
        factor = self.add("Div", [weight, deviation])
        return factor, self.add("Sub", [bias, self.add("Mul", [mean, factor])])

    def rounded(self, x):
        return self.add("QuantizeLinear", [x, "unit_step", "no_step"])

    def turned(self, x):
        return self.add("Transpose", [x], perm=[0, 2, 1])

    def int8(self, weights, others, axis, count):
        """Weights with a step for each of `count` outputs; `others` are the other axes.

        Their zeros are their own: on processors that saturate, ONNX Runtime makes weights and
        zeros unsigned, product by product, and fails at zeros that it has made unsigned before.
        """
        largest = self.add("ReduceMax", [self.add("Abs", [weights])], axes=others, keepdims=0)
        step = self.add("Div", [largest, "largest_weight"])
        zero = self.value(f"{weights}.zeros", np.zeros(count), "int8")
        return self.add("QuantizeLinear", [weights, step, zero], axis=axis), step, zero

    # The two-dimensional convolutions.

    def first_filters(self, x):
        """head.conv1, its normalisation and ReLU as one product in floats, [w, 1, MELS, frames] ->
        unsigned steps [w, GROWTH, MELS, frames].

        As a convolution of one channel ONNX Runtime computes it in blocks of channels, and puts
        them back in order afterwards, which takes longer than the filters.
        """
        factor, summand = self.affine("head.bn1")
        step = self.step("head.bn1")
        filters = self.add("Reshape", ["head.conv1.weight", "filter_rows"])
        # The summand is the last column, times a plane of ones: a sum of its own would read and
        # write all of it once more.
        summand = self.add("Div", [summand, factor])
        filters = self.add("Concat", [filters, self.add("Unsqueeze", [summand, "one"])], axis=1)
        in_steps = self.add("Unsqueeze", [self.add("Div", [factor, step]), "one"])
        filters = self.add("Transpose", [self.add("Mul", [filters, in_steps])], perm=[1, 0])
        plane = self.add("Reshape", [x, "places"])
        padded = self.add("Pad", [plane, "around"])
        beside = []
        for tap in range(FILTER**2):
            row, column = divmod(tap, FILTER)
            start = self.value(f"tap.{tap}.from", [row, column], "int64")
            end = self.value(f"tap.{tap}.to", [row + MELS, column + WINDOW_FRAMES], "int64")
            beside.append(self.add("Slice", [padded, start, end, "in_window"]))
        ones = self.add("Expand", ["unit_step", self.add("Shape", [plane])])
        y = self.add("MatMul", [self.add("Concat", [*beside, ones], axis=3), filters])
        y = self.add("Transpose", [self.rounded(y)], perm=[0, 3, 1, 2])
        self.scales[y] = (step, "no_step")
        return y

    def head(self, x):
        x = self.first_filters(x)
        for layer in (1, 2):
            x = self.residual(x, f"head.layer{layer}.0", 2)
            x = self.residual(x, f"head.layer{layer}.1", 1)
        x = self.filtered(x, "head.conv2", "head.bn2", pads=[1, 1, 1, 1], strides=[2, 1])
        x = self.add("DequantizeLinear", [x, *self.scales[x]])
        return self.add("Reshape", [x, "joined"])

    def residual(self, x, name, stride):
        around = {"pads": [1, 1, 1, 1]}
        y = self.filtered(x, f"{name}.conv1", f"{name}.bn1", strides=[stride, 1], **around)
        y = self.filtered(y, f"{name}.conv2", f"{name}.bn2", signed=True, **around)
        if stride > 1:
            names = f"{name}.shortcut.0", f"{name}.shortcut.1"
            x = self.filtered(x, *names, signed=True, strides=[stride, 1])
        scale = (self.step(name), "no_step")
        inputs = [y, *self.scales[y], x, *self.scales[x], *scale]
        total = self.add("QLinearAdd", inputs)
        self.scales[total] = scale
        return total

    def filtered(self, x, name, norm, signed=False, **attributes):
        """Convolution, normalisation and, unless it is signed, a ReLU."""
        factor, summand = self.affine(norm)
        filters = self.add("Mul", [f"{name}.weight", self.add("Reshape", [factor, "of_filters"])])
        weights, step, zeros = self.int8(filters, [1, 2, 3], 0, GROWTH)
        product = self.add("Mul", [step, self.scales[x][0]])
        bias = self.add("Round", [self.add("Div", [summand, product])])
        bias = self.add("Cast", [bias], to=TensorProto.INT32)
        scale = (self.step(norm, signed), "middle_step" if signed else "no_step")
        inputs = [x, *self.scales[x], weights, step, zeros, *scale, bias]
        y = self.add("QLinearConv", inputs, **attributes)
        self.scales[y] = scale
        return y

    # The dense blocks.

    def in_steps(self, x, norm):
        """Normalised, cut off at zero and rounded: unsigned steps, a row for each frame."""
        weight, bias, mean, variance = self.norm_parts(norm)
        scaled = [self.add("Div", [part, self.step(norm)]) for part in (weight, bias)]
        steps = self.add("BatchNormalization", [x, *scaled, mean, variance], epsilon=1e-5)
        return self.turned(self.rounded(steps))

    def matrix(self, name):
        """Of a convolution over one frame, [out, in, 1] -> [in, out]."""
        return self.add("Transpose", [self.add("Squeeze", [name, "two"])], perm=[1, 0])

    def product(self, rows, matrix, columns, step, bias=()):
        weights, steps, _ = self.int8(matrix, [0], 1, columns)
        zeros = ["", ""] if bias else []
        inputs = [rows, weights, step, steps, *zeros, *bias]
        return self.add("MatMulIntegerToFloat", inputs)

    def masked_layer(self, x, name, dilation):
        first, second = (f"{name}.nonlinear{i}.batchnorm" for i in (1, 2))
        rows = self.in_steps(x, first)
        factor, summand = self.affine(second)
        in_steps = self.add("Div", [factor, self.step(second)])
        matrix = self.add("Mul", [self.matrix(f"{name}.linear1.weight"), in_steps])
        bias = self.add("Div", [summand, self.step(second)])
        hidden = self.product(rows, matrix, BOTTLENECK, self.step(first), [bias])
        local = f"{name}.cam_layer.linear_local.weight"
        y = self.product(
            self.neighbours(self.rounded(hidden), dilation),
            self.add("Reshape", [self.add("Transpose", [local], perm=[2, 1, 0]), "taps_joined"]),
            GROWTH,
            self.step(second),
        )
        mean = self.add("ReduceMean", [self.add("Relu", [hidden])], axes=[1], keepdims=1)
        # A window is one segment, so that its mean counts twice, as in `context`.
        mask = self.add("Mul", [mean, self.add("Mul", [self.step(second), "twice"])])
        for layer, shape in (("linear1", "Relu"), ("linear2", "Sigmoid")):
            weights = f"{name}.cam_layer.{layer}"
            mask = self.add("MatMul", [mask, self.matrix(f"{weights}.weight")])
            mask = self.add(shape, [self.add("Add", [mask, f"{weights}.bias"])])
        return self.turned(self.add("Mul", [y, mask]))

    def neighbours(self, rows, dilation):
        """The rows before, at and after each frame, side by side: [w, frames, TAPS * channels]."""
        pads = self.value(f"pads.{dilation}", [0, dilation, 0, 0, dilation, 0], "int64")
        padded = self.add("Pad", [rows, pads, "no_step"])
        beside = []
        for first in range(0, TAPS * dilation, dilation):
            start = self.value(f"from.{first}", [first], "int64")
            end = self.value(f"to.{first}", [first + HALVED_FRAMES], "int64")
            beside.append(self.add("Slice", [padded, start, end, "one"]))
        return self.add("Concat", beside, axis=2)

    def blocks(self, x):
        channels = BOTTLENECK
        for block, (layers, dilation) in enumerate(BLOCKS, 1):
            for layer in range(1, layers + 1):
                y = self.masked_layer(x, f"xvector.block{block}.tdnnd{layer}", dilation)
                x = self.add("Concat", [x, y], axis=1)
            channels = (channels + GROWTH * layers) // 2
            norm = f"xvector.transit{block}.nonlinear.batchnorm"
            matrix = self.matrix(f"xvector.transit{block}.linear.weight")
            x = self.turned(self.product(self.in_steps(x, norm), matrix, channels, self.step(norm)))
        return x

    def initializers(self):
        return [
            *self.constants.values(),
            constant("unit_step", np.float32(1)),
            constant("no_step", np.uint8(0)),
            constant("middle_step", np.uint8(128)),
            constant("twice", np.float32(2)),
            constant("largest_weight", np.float32(LARGEST_WEIGHT)),
            constant("of_filters", np.array([-1, 1, 1, 1])),
            constant("filter_rows", np.array([GROWTH, FILTER**2])),
            constant("places", np.array([0, MELS, WINDOW_FRAMES, 1])),
            constant("around", np.array([0, 1, 1, 0, 0, 1, 1, 0])),
            constant("in_window", np.array([1, 2])),
            constant("taps_joined", np.array([TAPS * BOTTLENECK, GROWTH])),
        ]
