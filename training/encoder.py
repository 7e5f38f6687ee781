"""The frozen encoders of the recognisers, with the layers that heads read.

Tiny's is the published graph; the service computes the same states, within the rounding of 8 bits,
by graphs of its own (moonshine_encoder.py). Base's are those graphs.
"""

from dataclasses import dataclass

import numpy as np
import onnxruntime
from onnx import TensorProto, helper

from common_level import at_common_level
from ort_outputs import expose_outputs
from paths import GRAPHS, pulled

FRAME_SAMPLES = 384
# Frame i is centred on this many samples after 384 * i: half of the convolutions' receptive field.
FRAME_CENTRE_SAMPLES = 447
# A row of the first convolution's input.
BLOCK_SAMPLES = 64


@dataclass(frozen=True)
class Encoder:
    """The bundle of a recogniser, and the names of its encoder's states."""

    bundle: str
    # What precedes each layer, and the output.
    layers: tuple[str, ...]
    hidden: int

    def load(self, as_recorded=False):
        """A function from samples [n] at 16 kHz to the layers, each [frames, hidden].

        As in the service, what it reads is at the common level, or as recorded.
        """
        encode = load_published(self) if self is TINY else load_parts(self)
        return encode if as_recorded else lambda samples: encode(at_common_level(samples))

    def inputs(self, used):
        """Graph inputs of a head that reads these layers, named as the encoder names them."""
        shape = [1, "frames", self.hidden]
        return [
            helper.make_tensor_value_info(self.layers[i], TensorProto.FLOAT, shape) for i in used
        ]


TINY = Encoder(
    "moonshine-tiny-en",
    (
        "/Transpose_output_0",
        *(f"/layers.{i}/Add_1_output_0" for i in range(5)),
        "last_hidden_state",
    ),
    hidden=288,
)
BASE = Encoder(
    "moonshine-base-en", (*(f"states.{i}" for i in range(8)), "last_hidden_state"), hidden=416
)


def load_session(model, weights_folder=None):
    """A session of one thread, as in the service: the order of its sums is fixed.

    `weights_folder`: of the files that a graph refers to, when it is not beside them.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    if weights_folder is not None:
        key = "session.model_external_initializers_file_folder_path"
        options.add_session_config_entry(key, str(weights_folder))
    return onnxruntime.InferenceSession(model, options)


def load_published(encoder):
    model = pulled(encoder.bundle, "encoder_model.ort").read_bytes()
    session = load_session(expose_outputs(model, encoder.layers[:-1]))

    def encode(samples):
        batch = np.asarray(samples, "float32")[None]
        mask = np.ones(batch.shape, "int64")
        outputs = session.run(encoder.layers, {"input_values": batch, "attention_mask": mask})
        return [output[0] for output in outputs]

    return encode


def load_parts(encoder):
    """The service's graphs, one after the other."""
    folder = pulled(encoder.bundle, "")
    graphs = [GRAPHS / f"moonshine-base-encoder-{i + 1}.onnx" for i in range(len(encoder.layers))]
    sessions = [load_session(graph.read_bytes(), folder) for graph in graphs]

    def encode(samples):
        count = (len(samples) + 1) // BLOCK_SAMPLES
        blocks = np.zeros(count * BLOCK_SAMPLES, "float32")
        blocks[: len(samples)] = samples[: len(blocks)]
        values = {"blocks": blocks.reshape(count, BLOCK_SAMPLES)}
        for session in sessions:
            feeds = {value.name: values[value.name] for value in session.get_inputs()}
            names = [value.name for value in session.get_outputs()]
            values.update(zip(names, session.run(names, feeds), strict=True))
        return [values[name][0] for name in encoder.layers]

    return encode


def frame_centres(count):
    """The sample in the middle of each frame."""
    return np.arange(count) * FRAME_SAMPLES + FRAME_CENTRE_SAMPLES
