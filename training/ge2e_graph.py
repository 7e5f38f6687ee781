"""The ONNX graph of the GE2E speaker encoder; its weights stay in the published file.

The file is torch's old format: pickles, then per storage a count and the raw values. The graph's
initializers point into that file, so nothing is converted or copied. Waveform to mel spectrogram
(Resemblyzer: 25 ms windows, 10 ms hops, 40 mel bands of power, no logarithm) is part of the graph,
as a convolution with the Fourier basis.
"""
import pickle
import struct
from collections import OrderedDict

import numpy as np
from onnx import TensorProto, helper, numpy_helper

N_FFT, HOP, MELS, RATE = 400, 160, 40, 16_000
WINDOW_FRAMES = 160
DATA_FILE = "pretrained.pt"

class _Tensors(pickle.Unpickler):
    """Reads tensors as (storage key, first value, shape) without torch."""

    def persistent_load(self, saved):
        return saved[2]

    def find_class(self, module, name):
        if name == "OrderedDict":
            return OrderedDict
        if name.startswith("_rebuild_tensor"):
            return lambda storage, offset, shape, *rest: (storage, offset, shape)
        return type(name, (), {})

def tensor_places(path):
    """Name -> (byte offset, shape) of every tensor of the model."""
    with open(path, "rb") as file:
        for _ in range(3):
            pickle.load(file)
        state = _Tensors(file).load()["model_state"]
        starts = {}
        for key in pickle.load(file):
            count = struct.unpack("<Q", file.read(8))[0]
            starts[key] = file.tell()
            file.seek(4 * count, 1)
    return {name: (starts[key] + 4 * first, shape) for name, (key, first, shape) in state.items()}

def mel_filters_of(n_fft, mels, rate):
    """Slaney's mel scale with unit area per band, as librosa's default: [mels, n_fft / 2 + 1]."""
    def to_mel(hertz):
        hertz = np.asarray(hertz, float)
        return np.where(hertz < 1000, hertz * 3 / 200, 15 + np.log(np.maximum(hertz, 1e-9) / 1000) / (np.log(6.4) / 27))

    def to_hertz(mel):
        mel = np.asarray(mel, float)
        return np.where(mel < 15, mel * 200 / 3, 1000 * np.exp((np.log(6.4) / 27) * (mel - 15)))

    edges = to_hertz(np.linspace(to_mel(0), to_mel(rate / 2), mels + 2))
    bins = np.linspace(0, rate / 2, n_fft // 2 + 1)
    rising = (bins[None] - edges[:-2, None]) / np.diff(edges)[:-1, None]
    falling = (edges[2:, None] - bins[None]) / np.diff(edges)[1:, None]
    return np.maximum(0, np.minimum(rising, falling)) * (2 / (edges[2:] - edges[:-2]))[:, None]

def fourier_basis():
    """Hann-windowed cosines, then sines: [2 * bins, 1, N_FFT]."""
    time = np.arange(N_FFT)
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * time / N_FFT)
    angle = 2 * np.pi * np.outer(np.arange(N_FFT // 2 + 1), time) / N_FFT
    return (np.concatenate([np.cos(angle), np.sin(angle)]) * hann)[:, None, :]

def external(name, offset, shape):
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape,
                         data_location=TensorProto.EXTERNAL)
    length = 4 * int(np.prod(shape))
    for key, value in (("location", DATA_FILE), ("offset", offset), ("length", length)):
        tensor.external_data.add(key=key, value=str(value))
    return tensor

def constant(name, values):
    return numpy_helper.from_array(np.asarray(values), name)

def build(places, projection=None):
    """Model of samples [1, n] and window starts [w] in hops -> unit vectors [w, size].

    `projection` is (mean [256], matrix [256, size]) or None for GE2E's own embeddings.
    """
    bins = N_FFT // 2 + 1
    initializers = [external(name, *place) for name, place in places.items()
                    if name.startswith(("lstm", "linear"))]
    initializers += [
        constant("basis", fourier_basis().astype("float32")),
        constant("mel_filters", mel_filters_of(N_FFT, MELS, RATE).T.astype("float32")),
        constant("window_offsets", np.arange(WINDOW_FRAMES, dtype="int64")[None]),
        constant("zero", np.array([0], "int64")), constant("one", np.array([1], "int64")),
        constant("half", np.array([bins], "int64")), constant("all", np.array([2 * bins], "int64")),

        constant("pads", np.array([0, 0, N_FFT // 2, 0, 0, N_FFT // 2], "int64")),
        constant("gates", np.array([256, 256, 256, 256], "int64")),
        constant("tiny", np.float32(1e-8)),
    ]
    node = helper.make_node
    nodes = [
        # [1, samples] -> power spectrum [1, bins, frames] -> mel [frames, MELS]
        node("Unsqueeze", ["samples", "one"], ["channel"]),
        node("Pad", ["channel", "pads"], ["padded"], mode="reflect"),
        node("Conv", ["padded", "basis"], ["spectrum"], strides=[HOP]),
        node("Mul", ["spectrum", "spectrum"], ["squares"]),
        node("Slice", ["squares", "zero", "half", "one"], ["real"]),
        node("Slice", ["squares", "half", "all", "one"], ["imaginary"]),
        node("Add", ["real", "imaginary"], ["power"]),
        node("Squeeze", ["power", "zero"], ["power_frames"]),
        node("Transpose", ["power_frames"], ["frames_first"], perm=[1, 0]),
        node("MatMul", ["frames_first", "mel_filters"], ["mel"]),
        # first frame of each window [windows] -> [WINDOW_FRAMES, windows, MELS]
        node("Unsqueeze", ["starts", "one"], ["start_column"]),
        node("Add", ["start_column", "window_offsets"], ["indices"]),
        node("Gather", ["mel", "indices"], ["windows"], axis=0),
        node("Transpose", ["windows"], ["h0"], perm=[1, 0, 2]),
    ]
    for layer in range(3):
        parts = []
        # torch's gates are input, forget, cell, output; ONNX wants input, output, forget, cell.
        for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            name = f"{kind}_l{layer}"
            gates = [f"{name}_{gate}" for gate in "ifco"]
            nodes.append(node("Split", [f"lstm.{name}", "gates"], gates, axis=0))
            nodes.append(node("Concat", [f"{name}_{gate}" for gate in "iofc"], [f"{name}_iofc"], axis=0))
            parts.append(f"{name}_iofc")
        nodes += [
            node("Concat", parts[2:], [f"bias{layer}"], axis=0),
            node("Unsqueeze", [f"bias{layer}", "zero"], [f"B{layer}"]),
            node("Unsqueeze", [parts[0], "zero"], [f"W{layer}"]),
            node("Unsqueeze", [parts[1], "zero"], [f"R{layer}"]),
            node("LSTM", [f"h{layer}", f"W{layer}", f"R{layer}", f"B{layer}"],
                 [f"y{layer}", f"last{layer}"], hidden_size=256),
            node("Squeeze", [f"y{layer}", "one"], [f"h{layer + 1}"]),
        ]
    nodes += [
        node("Squeeze", ["last2", "zero"], ["last"]),
        node("Gemm", ["last", "linear.weight", "linear.bias"], ["projected"], transB=1),
        node("Relu", ["projected"], ["positive"]),
        node("ReduceL2", ["positive"], ["norm"], axes=[1], keepdims=1),
        node("Add", ["norm", "tiny"], ["safe_norm"]),
        node("Div", ["positive", "safe_norm"], ["voices"]),
    ]
    size = 256
    if projection is None:
        nodes.append(node("Identity", ["voices"], ["embeddings"]))
    else:
        mean, matrix = projection
        size = matrix.shape[1]
        initializers += [constant("voice_mean", mean.astype("float32")),
                         constant("projection", matrix.astype("float32"))]
        nodes += [
            node("Sub", ["voices", "voice_mean"], ["centred_voices"]),
            node("MatMul", ["centred_voices", "projection"], ["projected_voices"]),
            node("ReduceL2", ["projected_voices"], ["length"], axes=[1], keepdims=1),
            node("Add", ["length", "tiny"], ["safe_length"]),
            node("Div", ["projected_voices", "safe_length"], ["embeddings"]),
        ]
    inputs = [helper.make_tensor_value_info("samples", TensorProto.FLOAT, [1, "samples"]),
              helper.make_tensor_value_info("starts", TensorProto.INT64, ["windows"])]
    outputs = [helper.make_tensor_value_info("embeddings", TensorProto.FLOAT, ["windows", size])]
    graph = helper.make_graph(nodes, "ge2e", inputs, outputs, initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
