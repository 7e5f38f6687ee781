"""CAM++ with its convolutions and its dense blocks in int8.

Each of the dense layers reads what all before it made, and most of the time of such a network goes
into moving, normalising and rounding that. Here it is rounded once, by the layer that makes it, and
stays bytes, a row for each frame, [w, frames, channels], so that a convolution over one frame is a
matrix product. Each channel has a step and a zero of its own (`channel_steps`): bytes = x / step +
zero.

What a reader does first, a normalisation factor * x + summand and a ReLU, is then one comparison
of bytes. For a positive factor it is factor * (max(x, t) - t), with t = -summand / factor; factor
and step go into the rows of its matrix, and what t makes of them into its bias. (Channels with a
negative factor, five of 36,000, are left out.)
"""

import numpy as np
from onnx import TensorProto

from campplus_filters_int8 import Int8Filters
from campplus_graph import BLOCKS, FIRST
from onnx_graph import constant

TAPS, BOTTLENECK, GROWTH, HALVED_FRAMES = 3, 128, 32, 79


class Int8Encoder(Int8Filters):
    """`channels` has step [c] and zero [c] of what each of the dense layers makes, by its name."""

    def __init__(self, largest, channels):
        super().__init__(largest)
        self.channels = channels

    def scale_of(self, name):
        step, zero = self.channels[name]
        return self.value(f"{name}.steps", step), self.value(f"{name}.zeros", zero)

    def halved(self, x):
        """Bytes [w, 320, 2 * frames] -> rows of BOTTLENECK channels, normalised: their zeros are
        not above 0, so that rounding is also the ReLU."""
        step, zero = scale = self.scale_of(FIRST)
        factor, summand = (self.add("Div", [part, step]) for part in self.affine(FIRST))
        filters = self.add("Reshape", [factor, "of_frames"])
        filters = self.add("Mul", ["xvector.tdnn.linear.weight", filters])
        summand = self.add("Add", [summand, zero])
        steps = "unit_step", "no_step"
        halves = {"pads": [2, 2], "strides": [2]}
        y = self.convolved(x, filters, [1, 2], BOTTLENECK, summand, steps, **halves)
        return self.turned(y), scale

    def turned(self, x):
        return self.add("Transpose", [x], perm=[0, 2, 1])

    def matrix(self, name):
        """Of a convolution over one frame, [out, in, 1] -> [in, out]."""
        return self.add("Transpose", [self.add("Squeeze", [name, "two"])], perm=[1, 0])

    def mean_above(self, mean, deviation):
        """What a ReLU makes of normal values, on average."""
        ratio = self.add("Div", [mean, deviation])
        error = self.add("Erf", [self.add("Mul", [ratio, "root_of_half"])])
        below = self.add("Mul", [self.add("Add", [error, "unit_step"]), "half"])
        exponent = self.add("Mul", [self.add("Mul", [ratio, ratio]), "minus_half"])
        density = self.add("Mul", [self.add("Exp", [exponent]), "normal_density"])
        return self.add(
            "Add", [self.add("Mul", [mean, below]), self.add("Mul", [deviation, density])]
        )

    def times(self, row, matrix):
        row = self.add("Unsqueeze", [row, "zero"])
        return self.add("Squeeze", [self.add("MatMul", [row, matrix]), "zero"])

    def read(self, rows, scale, norm, matrix, columns, bias=None):
        """Normalised, through a ReLU and times a matrix [in, columns]: floats [w, frames, columns].

        Rounded weights and thresholds change the mean of each column. What batch normalisation
        knows of its input, mean and variance, says by how much (Nagel et al. 2019, Data-Free
        Quantization Through Weight Equalization and Bias Correction): the bias makes up for it.
        """
        (step, zero), (weight, summand, mean, variance) = scale, self.norm_parts(norm)
        deviation = self.deviation(variance)
        factor = self.add("Div", [weight, deviation])
        middle = self.add("Add", [self.add("Div", [mean, step]), zero])
        spread = self.add("Div", [deviation, step])
        above = self.add("Div", [self.add("Div", [summand, factor]), step])
        threshold = self.rounded(self.add("Sub", [middle, above]))
        positive = self.add("Mul", [self.add("Relu", [factor]), step])
        exact = self.add("Mul", [matrix, self.add("Unsqueeze", [positive, "one"])])
        weights, steps, _ = self.int8(exact, [0], 1, columns)
        kept = self.add("Mul", [self.add("Cast", [weights], to=TensorProto.FLOAT), steps])
        at = self.add("Cast", [threshold], to=TensorProto.FLOAT)
        read = self.mean_above(self.add("Sub", [middle, at]), spread)
        wanted = self.times(self.mean_above(above, spread), exact)
        found = self.times(self.add("Add", [at, read]), kept)
        makes_up = self.add("Sub", [wanted, found])
        bias = self.add("Add", [bias, makes_up]) if bias else makes_up
        rows = self.add("Max", [rows, threshold])
        return self.add("MatMulIntegerToFloat", [rows, weights, "unit_step", steps, "", "", bias])

    def masked_layer(self, rows, scale, name, dilation):
        """Rows of bytes and their scale -> those of GROWTH more channels."""
        first, second = (f"{name}.nonlinear{i}.batchnorm" for i in (1, 2))
        factor, summand = self.affine(second)
        in_steps = self.add("Div", [factor, self.step(second)])
        matrix = self.add("Mul", [self.matrix(f"{name}.linear1.weight"), in_steps])
        bias = self.add("Div", [summand, self.step(second)])
        hidden = self.rounded(self.read(rows, scale, first, matrix, BOTTLENECK, bias))
        made = self.scale_of(name)
        local = self.add("Transpose", [f"{name}.cam_layer.linear_local.weight"], perm=[2, 1, 0])
        local = self.add("Div", [self.add("Reshape", [local, "taps_joined"]), made[0]])
        weights, steps, _ = self.int8(local, [0], 1, GROWTH)
        inputs = [self.neighbours(hidden, dilation), weights, self.step(second), steps]
        y = self.add("MatMulIntegerToFloat", inputs)
        y = self.add("Mul", [y, self.mask(hidden, name, self.step(second))])
        return self.rounded(self.add("Add", [y, made[1]])), made

    def mask(self, hidden, name, step):
        """A factor for each channel of a window, [w, 1, GROWTH], of rows of steps."""
        inputs = ["a_frame_each", hidden, "per_frame", step]
        mean = self.add("MatMulIntegerToFloat", inputs)
        # A window is one segment, so that its mean counts twice, as in `context`.
        mask = self.add("Mul", [mean, "twice"])
        for layer, shape in (("linear1", "Relu"), ("linear2", "Sigmoid")):
            weights = f"{name}.cam_layer.{layer}"
            mask = self.add("MatMul", [mask, self.matrix(f"{weights}.weight")])
            mask = self.add(shape, [self.add("Add", [mask, f"{weights}.bias"])])
        return mask

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
        rows, scale = self.halved(x)
        channels = BOTTLENECK
        for block, (layers, dilation) in enumerate(BLOCKS, 1):
            for layer in range(1, layers + 1):
                name = f"xvector.block{block}.tdnnd{layer}"
                more, made = self.masked_layer(rows, scale, name, dilation)
                rows = self.add("Concat", [rows, more], axis=2)
                scale = [self.add("Concat", part, axis=0) for part in zip(scale, made, strict=True)]
            channels = (channels + GROWTH * layers) // 2
            norm = f"xvector.transit{block}.nonlinear.batchnorm"
            name = f"xvector.transit{block}.linear"
            matrix = self.matrix(f"{name}.weight")
            if block < len(BLOCKS):
                made = self.scale_of(name)
                matrix = self.add("Div", [matrix, made[0]])
                rows = self.rounded(self.read(rows, scale, norm, matrix, channels, made[1]))
                scale = made
        return self.turned(self.read(rows, scale, norm, matrix, channels))

    def initializers(self):
        return [
            *super().initializers(),
            constant("of_frames", np.array([-1, 1, 1])),
            constant("twice", np.float32(2)),
            constant("half", np.float32(0.5)),
            constant("minus_half", np.float32(-0.5)),
            constant("root_of_half", np.float32(0.5**0.5)),
            constant("normal_density", np.float32((2 * np.pi) ** -0.5)),
            constant("a_frame_each", np.ones((1, 1, HALVED_FRAMES), "uint8")),
            constant("per_frame", np.float32(1 / HALVED_FRAMES)),
            constant("taps_joined", np.array([TAPS * BOTTLENECK, GROWTH])),
        ]
