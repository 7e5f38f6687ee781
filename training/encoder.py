"""The frozen recognition encoder with every layer as an output, as the heads read it."""

import os
from pathlib import Path

import numpy as np
import onnxruntime

from ort_outputs import expose_outputs

# Input of the first layer and outputs of layers 0 to 4; the last comes out of the model as it is.
LAYERS = ["/Transpose_output_0"] + [f"/layers.{i}/Add_1_output_0" for i in range(5)]
HIDDEN_SIZE = 288
FRAMES_PER_SECOND = 16_000 / 384
# Frame i is centred on this many samples after 384 * i: half of the convolutions' receptive field.
FRAME_CENTRE_SAMPLES = 447


def load_encoder():
    """A function from samples [n] at 16 kHz to seven arrays [frames, 288]."""
    directory = os.environ.get("SVC_MODELS_DIR")
    if not directory:
        directory = Path.home() / ".cache/svc-speech/models"
    model = (Path(directory) / "moonshine-tiny-en/encoder_model.ort").read_bytes()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(expose_outputs(model, LAYERS), options)
    names = [*LAYERS, "last_hidden_state"]

    def encode(samples):
        # Short clips stand in the middle of a second of silence, as the service pads them.
        batch = np.asarray(samples, "float32")[None]
        mask = np.ones(batch.shape, "int64")
        outputs = session.run(names, {"input_values": batch, "attention_mask": mask})
        return [output[0] for output in outputs]

    return encode
