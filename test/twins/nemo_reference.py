"""Tokens and frames that onnx-asr decodes from a token-and-duration transducer.

    python nemo_reference.py MODEL_FOLDER FILE ...

The files are 16 kHz WAV; the [token, frame] of each are written to standard output as JSON.
"""

import json
import sys

import onnx_asr

FRAME_SECONDS = 0.08


def main(folder, files):
    model = onnx_asr.load_model("nemo-conformer-tdt", folder).with_timestamps()
    found = []
    for file in files:
        result = model.recognize(file)
        # The twins' pieces are named after their ids.
        ids = [int(piece.strip().removeprefix("p")) for piece in result.tokens]
        frames = [round(seconds / FRAME_SECONDS) for seconds in result.timestamps]
        found.append(list(zip(ids, frames, strict=True)))
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
