"""The ONNX graphs of Silero's voice activity detection (v6, 2024) over its published file.

    python silero_graph.py

Writes models/graphs/silero-{front,recurrent}.onnx. The published graph slides its filters over each
hop by itself, in convolutions of one to four frames, which is slow. Here the four frames of a hop
lie side by side, so that each layer is one product of all hops. Its weights stay in the file.
"""

from paths import pulled
from published_moonshine import OnnxFile
from quantised_graph import Graph

# Samples of a frame; of a hop these start each 128 samples.
FRAME, FRAMES = 256, 4
BINS = FRAME // 2 + 1
# Of each convolution the outputs, and by how many frames it goes on. All have three taps.
WIDTHS, STRIDES = (128, 64, 64, 128), (1, 2, 2, 1)
TAPS = 3
STATE = 128


def side_by_side(graph, number, frames):
    """A convolution's weights as a matrix [frames * channels, outputs * later frames].

    Its columns are the kernel, moved by a stride each; where it looks beyond a hop it is cut off.
    """
    name, stride = f"encoder.{number}.weight", STRIDES[number]
    graph.weight(name)
    taps = graph.add("Transpose", [name], perm=[2, 1, 0])
    channels = graph.published.shape(name)[1]
    columns = []
    for first in range(-1, frames - 1, stride):
        last = min(first + TAPS, frames)
        cut = [graph.constant(f"tap.{tap}", [tap]) for tap in (max(0, -first), last - first)]
        kernel = graph.add("Slice", [taps, *cut, "first_axis"])
        pads = [max(0, first), 0, 0, frames - last, 0, 0]
        kernel = graph.add("Pad", [kernel, graph.constant(f"pads.{pads}", pads)])
        shape = graph.constant(f"matrix.{number}", [frames * channels, WIDTHS[number]])
        columns.append(graph.add("Reshape", [kernel, shape]))
    return graph.add("Concat", columns, axis=1), len(columns)


def front(published):
    """Frames of samples [4 * hops, 256] to features [hops, 128]: no hop needs another one."""
    graph = Graph("silero-front", published)
    graph.constant("first_axis", [0])
    basis = graph.weight("stft.forward_basis_buffer")
    basis = graph.add("Squeeze", [basis, graph.constant("second_axis", [1])])
    waves = graph.add("MatMul", ["frames", graph.add("Transpose", [basis], perm=[1, 0])])
    halves = graph.add("Split", [graph.add("Mul", [waves, waves])], 2, axis=1, num_outputs=2)
    x = graph.add("Sqrt", [graph.add("Add", halves)])
    frames = FRAMES
    x = graph.add("Reshape", [x, graph.constant("by_hop", [-1, FRAMES * BINS])])
    for number in range(len(WIDTHS)):
        matrix, frames = side_by_side(graph, number, frames)
        bias = graph.add("Concat", [graph.weight(f"encoder.{number}.bias")] * frames, axis=0)
        x = graph.add("Relu", [graph.add("Add", [graph.add("MatMul", [x, matrix]), bias])])
    graph.add("Identity", [x], ["features"])
    graph.inputs = [graph.value("frames", ["frames", FRAME])]
    graph.outputs = [graph.value("features", ["hops", STATE])]
    graph.save()


def recurrent(published):
    """Features [hops, 128] to a probability of speech for each hop, from a state to the last."""
    graph = Graph("silero-recurrent", published)
    first, second = (graph.constant(name, [axis]) for name, axis in (("first", 0), ("second", 1)))
    x = graph.add("Unsqueeze", ["features", second])
    gates = [graph.weight(f"onnx::LSTM_{number}") for number in (209, 210, 211)]
    outputs = ["all", "last_hidden", "last_cell"]
    graph.add("LSTM", [x, *gates, "", "hidden", "cell"], outputs, hidden_size=STATE)
    x = graph.add("Squeeze", ["all", graph.constant("middle", [1, 2])])
    weight = graph.add("Squeeze", [graph.weight("output.weight"), first])
    x = graph.add("MatMul", [graph.add("Relu", [x]), weight])
    x = graph.add("Sigmoid", [graph.add("Add", [x, graph.weight("output.bias")])])
    graph.add("Squeeze", [x, second], ["probabilities"])
    state = [1, 1, STATE]
    before = [graph.value(name, state) for name in ("hidden", "cell")]
    graph.inputs = [graph.value("features", ["hops", STATE]), *before]
    last = [graph.value(name, state) for name in outputs[1:]]
    graph.outputs = [graph.value("probabilities", ["hops"]), *last]
    graph.save()


def main():
    published = OnnxFile(pulled("silero-vad", "silero_vad_16k_sequence.onnx"))
    front(published)
    recurrent(published)


if __name__ == "__main__":
    main()
