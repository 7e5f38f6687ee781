"""The frozen recognition encoder with every layer as an output, as the heads read it.

It is the published graph. The service computes the same states, within the rounding of 8 bits, by
graphs of its own (moonshine_encoder.py).
"""

import numpy as np
import onnxruntime

from ort_outputs import expose_outputs
from paths import pulled

# Input of the first layer and outputs of layers 0 to 4; the model already outputs the last.
LAYERS = ["/Transpose_output_0"] + [f"/layers.{i}/Add_1_output_0" for i in range(5)]
LAYER_COUNT = len(LAYERS) + 1
HIDDEN_SIZE = 288
FRAME_SAMPLES = 384
# Frame i is centred on this many samples after 384 * i: half of the convolutions' receptive field.
FRAME_CENTRE_SAMPLES = 447


def load_session(model):
    """A session of one thread, as in the service: the order of its sums is fixed."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options)


def load_encoder():
    """A function from samples [n] at 16 kHz to seven arrays [frames, 288]."""
    model = pulled("moonshine-tiny-en", "encoder_model.ort").read_bytes()
    session = load_session(expose_outputs(model, LAYERS))
    names = [*LAYERS, "last_hidden_state"]

    def encode(samples):
        batch = np.asarray(samples, "float32")[None]
        mask = np.ones(batch.shape, "int64")
        outputs = session.run(names, {"input_values": batch, "attention_mask": mask})
        return [output[0] for output in outputs]

    return encode


def frame_centres(count):
    """The sample in the middle of each frame."""
    return np.arange(count) * FRAME_SAMPLES + FRAME_CENTRE_SAMPLES
