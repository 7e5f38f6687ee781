"""The steps of CAM++ in int8, from what single precision makes of recordings.

Filters and what a dense layer makes for itself have one step. What dense layers make for those
behind them has a step and a zero for each channel, which all its readers share.
"""

import numpy as np
from onnx import TensorProto, helper

from campplus_filters_int8 import STEPS
from campplus_graph import BLOCKS, FIRST, NORM_EPSILON

# Larger magnitudes are cut off: one value in 10,000 of a recording may be.
LARGEST_QUANTILE = 0.9999
# Channels reach further than in the recordings, by this part of their range on either side.
MARGIN = 0.1
# A channel whose readers make little of its range has longer steps than that asks for, this part of
# those of its median reader: a reader's weights are rounded to the largest factor of its channels.
# Best of 0 to 1.5 on held-out readers, where it also keeps what lies beyond the range.
SHARE_OF_LAYER = 0.6
LEAST_RANGE = 1e-6


class Seen:
    """Largest magnitude, and lowest and highest value of each channel (axis 1), of one tensor."""

    def __init__(self):
        self.largest, self.lowest, self.highest = 0.0, np.inf, -np.inf

    def add(self, values):
        self.largest = max(self.largest, float(np.quantile(np.abs(values), LARGEST_QUANTILE)))
        others = tuple(axis for axis in range(values.ndim) if axis != 1)
        self.lowest = np.minimum(self.lowest, values.min(others))
        self.highest = np.maximum(self.highest, values.max(others))


def with_observed(model, graph):
    """The model with what its Encoder observes as further outputs."""
    for tensor in dict.fromkeys(graph.observed.values()):
        model.graph.output.append(helper.make_tensor_value_info(tensor, TensorProto.FLOAT, None))
    return model


def seen(session, observed, inputs):
    """Name of what an Encoder observes -> Seen, over `inputs` of the graph."""
    found = {name: Seen() for name in observed}
    for feeds in inputs:
        outputs = session.run(list(observed.values()), feeds)
        for one, values in zip(found.values(), outputs, strict=True):
            one.add(values)
    return found


def largest_of(found):
    return {name: one.largest for name, one in found.items()}


def channel_steps(found, tensors):
    """Name of what a dense layer makes -> step [c] and zero [c]; `tensors` are the checkpoint's."""
    steps = {}
    for makers, readers in dense_blocks():
        for place, maker in enumerate(makers):
            behind = [reader_of(found, tensors, makers, maker, name) for name in readers[place:]]
            steps[maker] = step_and_zero(found[maker], behind, 0 if maker == FIRST else -np.inf)
    return steps


def step_and_zero(made, behind, floor):
    """Of the channels of one maker: `made` is what was seen, `behind` its readers, and nothing is
    below `floor`.

    No channel begins below the least of its readers' thresholds: none of them tells values there
    apart. A reader whose factor is negative reads nothing.
    """
    factors, thresholds, steps = (np.array(part) for part in zip(*behind, strict=True))
    read = factors > 0
    margin = MARGIN * (made.highest - made.lowest)
    least = np.where(read, thresholds, np.inf).min(0)
    low = np.maximum(np.maximum(made.lowest - margin, least), floor)
    high = np.maximum(made.highest + margin, low + LEAST_RANGE)
    own = np.where(read, steps[:, None] / np.where(read, factors, 1), np.nan)
    step = np.maximum((high - low) / STEPS, SHARE_OF_LAYER * np.nanmedian(own, axis=0))
    return step, -low / step


def dense_blocks():
    """Of each block the layers that make channels, in order, and the normalisations that read
    them: number n reads the makers up to n."""
    for block, (layers, _) in enumerate(BLOCKS, 1):
        first = FIRST if block == 1 else f"xvector.transit{block - 1}.linear"
        names = [f"xvector.block{block}.tdnnd{layer}" for layer in range(1, layers + 1)]
        readers = [f"{name}.nonlinear1.batchnorm" for name in names]
        yield [first, *names], [*readers, f"xvector.transit{block}.nonlinear.batchnorm"]


def reader_of(found, tensors, makers, maker, reader):
    """Factor and threshold of each of a maker's channels, and the step of the whole reader."""
    sizes = [len(found[name].lowest) for name in makers]
    start = sum(sizes[: makers.index(maker)])
    channels = slice(start, start + sizes[makers.index(maker)])
    weight, bias, mean, variance = (
        tensors[f"{reader}.{part}"][channels]
        for part in ("weight", "bias", "running_mean", "running_var")
    )
    factor = weight / np.sqrt(variance + NORM_EPSILON)
    return factor, mean - bias / factor, found[reader].largest / STEPS
