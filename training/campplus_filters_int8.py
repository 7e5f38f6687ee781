"""CAM++'s two-dimensional convolutions in int8, and what its dense blocks in int8 share with them.

What a convolution reads has been through a ReLU, so that unsigned steps from 0 to 255 lose nothing:
the normalisation before it is scaled into steps, and rounding to them cuts off what is negative.
The length of a step is fixed for each layer (campplus_steps.py), so that a window's
embedding does not depend on the windows beside it. ONNX Runtime computes the int8 weights from the
published ones when it loads the graph.
"""

import numpy as np
from onnx import TensorProto

from campplus_graph import MELS, WINDOW_FRAMES, Encoder
from onnx_graph import constant

LARGEST_WEIGHT, STEPS = 127, 255
# Channels of the filters. Bands and frames of one.
FILTERS, FILTER = 32, 3


class Int8Filters(Encoder):
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
        factor = self.add("Div", [weight, self.deviation(variance)])
        return factor, self.add("Sub", [bias, self.add("Mul", [mean, factor])])

    def deviation(self, variance):
        return self.add("Sqrt", [self.add("Add", [variance, "epsilon"])])

    def rounded(self, x):
        return self.add("QuantizeLinear", [x, "unit_step", "no_step"])

    def int8(self, weights, others, axis, count):
        """Weights with a step for each of `count` outputs; `others` are the other axes.

        Their zeros are their own: on processors that saturate, ONNX Runtime makes weights and
        zeros unsigned, product by product, and fails at zeros that it has made unsigned before.
        """
        largest = self.add("ReduceMax", [self.add("Abs", [weights])], axes=others, keepdims=0)
        step = self.add("Div", [largest, "largest_weight"])
        zero = self.value(f"{weights}.zeros", np.zeros(count), "int8")
        return self.add("QuantizeLinear", [weights, step, zero], axis=axis), step, zero

    def first_filters(self, x):
        """head.conv1, its normalisation and ReLU as one product in floats, [w, 1, MELS, frames] ->
        unsigned steps [w, FILTERS, MELS, frames].

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
        filters = self.add("Mul", [filters, in_steps])
        padded = self.add("Pad", [x, "around"])
        beside = []
        for tap in range(FILTER**2):
            row, column = divmod(tap, FILTER)
            start = self.value(f"tap.{tap}.from", [row, column], "int64")
            end = self.value(f"tap.{tap}.to", [row + MELS, column + WINDOW_FRAMES], "int64")
            beside.append(self.add("Slice", [padded, start, end, "in_window"]))
        ones = self.add("Expand", ["unit_step", self.add("Shape", [x])])
        planes = self.add("Reshape", [self.add("Concat", [*beside, ones], axis=1), "planes"])
        y = self.rounded(self.add("MatMul", [filters, planes]))
        y = self.add("Reshape", [y, "maps"])
        self.scales[y] = (step, "no_step")
        return y

    def head(self, x):
        x = self.first_filters(x)
        for layer in (1, 2):
            x = self.residual(x, f"head.layer{layer}.0", 2)
            x = self.residual(x, f"head.layer{layer}.1", 1)
        x = self.filtered(x, "head.conv2", "head.bn2", pads=[1, 1, 1, 1], strides=[2, 1])
        joined = self.add("Reshape", [x, "joined"])
        self.scales[joined] = self.scales[x]
        return joined

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
        scale = (self.step(norm, signed), "middle_step" if signed else "no_step")
        return self.convolved(x, filters, [1, 2, 3], FILTERS, summand, scale, **attributes)

    def convolved(self, x, filters, others, count, summand, scale, **attributes):
        """Bytes to bytes: `count` filters in floats, whose other axes are `others`."""
        weights, step, zeros = self.int8(filters, others, 0, count)
        product = self.add("Mul", [step, self.scales[x][0]])
        bias = self.add("Round", [self.add("Div", [summand, product])])
        bias = self.add("Cast", [bias], to=TensorProto.INT32)
        inputs = [x, *self.scales[x], weights, step, zeros, *scale, bias]
        y = self.add("QLinearConv", inputs, **attributes)
        self.scales[y] = scale
        return y

    def initializers(self):
        return [
            *self.constants.values(),
            constant("unit_step", np.float32(1)),
            constant("no_step", np.uint8(0)),
            constant("middle_step", np.uint8(128)),
            constant("largest_weight", np.float32(LARGEST_WEIGHT)),
            constant("of_filters", np.array([-1, 1, 1, 1])),
            constant("filter_rows", np.array([FILTERS, FILTER**2])),
            constant("planes", np.array([0, FILTER**2 + 1, MELS * WINDOW_FRAMES])),
            constant("maps", np.array([0, FILTERS, MELS, WINDOW_FRAMES])),
            constant("around", np.array([0, 0, 1, 1, 0, 0, 1, 1])),
            constant("in_window", np.array([2, 3])),
        ]
