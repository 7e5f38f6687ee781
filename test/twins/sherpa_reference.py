"""Tokens and frames that sherpa-onnx decodes from token-and-duration transducers.

    python sherpa_reference.py SETTINGS_JSON [FOLDER FILE] ...

The settings are the metadata that sherpa-onnx reads from an encoder and the number of mel bands; a
folder is one of a twin whose encoder has heard the 16 kHz WAV file. The [token, frame] of each are
written to standard output as JSON.
"""

import json
import sys
from pathlib import Path

import onnx
import sherpa_onnx
import soundfile

FRAME_SECONDS = 0.08


def decode(folder, file, settings):
    model = onnx.load(folder / "encoder.onnx")
    onnx.helper.set_model_props(model, settings["metadata"])
    onnx.save(model, folder / "encoder.onnx")
    recognizer = sherpa_onnx.OfflineRecognizer.from_transducer(
        encoder=str(folder / "encoder.onnx"),
        decoder=str(folder / "decoder.onnx"),
        joiner=str(folder / "joiner.onnx"),
        tokens=str(folder / "tokens.txt"),
        feature_dim=settings["mels"],
        model_type="nemo_transducer",
    )
    samples, rate = soundfile.read(file, dtype="float32")
    stream = recognizer.create_stream()
    stream.accept_waveform(rate, samples)
    recognizer.decode_stream(stream)
    # The twins' pieces are named after their ids.
    ids = [int(piece.strip().removeprefix("▁").removeprefix("p")) for piece in stream.result.tokens]
    frames = [round(seconds / FRAME_SECONDS) for seconds in stream.result.timestamps]
    return list(zip(ids, frames, strict=True))


def main(settings, *paths):
    pairs = zip(paths[::2], paths[1::2], strict=True)
    print(json.dumps([decode(Path(folder), file, json.loads(settings)) for folder, file in pairs]))


if __name__ == "__main__":
    main(*sys.argv[1:])
