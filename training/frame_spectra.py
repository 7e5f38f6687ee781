"""Spectra of frames of 25 ms, 10 ms apart, as nodes of a graph: a product with a Fourier basis."""

import numpy as np

from onnx_graph import constant

RATE, FRAME, HOP, N_FFT = 16_000, 400, 160, 512


def fourier():
    """From the samples of a frame to real, then imaginary parts: [2 * bins, FRAME]."""
    angle = 2 * np.pi * np.outer(np.arange(N_FFT // 2), np.arange(FRAME)) / N_FFT
    return np.concatenate([np.cos(angle), -np.sin(angle)])


def of_emphasised(basis):
    """The basis [n, FRAME] of frames whose samples are first lessened by 0.97 of the one before.

    The first sample is lessened by its own. Sums are in one order on every machine.
    """
    result = basis.copy()
    result[:, :-1] -= 0.97 * basis[:, 1:]
    result[:, 0] -= 0.97 * basis[:, 0]
    return result


def hann():
    return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME) / (FRAME - 1))


def powers_of(graph, samples):
    """Samples [1, n] -> powers of each frame, [frames, bins].

    A frame is two hops and half of a third: frames laid side by side make one product, which takes
    half of the time of a convolution of one channel.
    """
    padded = graph.add("Pad", [samples, "half_hop_behind"])
    length = graph.add("Shape", [padded], start=1, end=2)
    whole = graph.add("Mul", [graph.add("Div", [length, "hop"]), "hop"])
    hops = graph.add("Slice", [padded, "zero", whole, "one"])
    hops = graph.add("Reshape", [hops, "by_hop"])
    beside = [
        graph.add("Slice", [hops, "zero", "but_two", "zero"]),
        graph.add("Slice", [hops, "one", "but_one", "zero"]),
        graph.add("Slice", [hops, "third", "halfway", "both_axes"]),
    ]
    spectra = graph.add("MatMul", [graph.add("Concat", beside, axis=1), "basis"])
    squares = graph.add("Mul", [spectra, spectra])
    real = graph.add("Slice", [squares, "zero", "bins", "one"])
    imaginary = graph.add("Slice", [squares, "bins", "all_bins", "one"])
    return graph.add("Add", [real, imaginary])


def frame_constants(basis):
    """What `powers_of` reads. @param basis [2 * bins, FRAME]"""
    return [
        constant("basis", basis.T.astype("float32")),
        constant("half_hop_behind", np.array([0, 0, 0, FRAME % HOP])),
        constant("hop", np.array([HOP])),
        constant("by_hop", np.array([-1, HOP])),
        constant("but_one", np.array([-1])),
        constant("but_two", np.array([-2])),
        constant("third", np.array([2, 0])),
        constant("halfway", np.array([np.iinfo("int64").max, FRAME % HOP])),
        constant("both_axes", np.array([0, 1])),
        constant("zero", np.array([0])),
        constant("one", np.array([1])),
        constant("bins", np.array([N_FFT // 2])),
        constant("all_bins", np.array([N_FFT])),
    ]
