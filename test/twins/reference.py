"""Tokens that CTranslate2 decodes greedily from a Whisper model, in single precision.

    python reference.py MODEL_FOLDER JOB.json

The job has `mels`, `prompt`, `suppress` and `files` (16 kHz WAV); the tokens of each file are
written to standard output as JSON. Features are faster-whisper's, followed by zeros to 30 s.
"""

import json
import sys
import wave
from pathlib import Path

import ctranslate2
import numpy as np
from faster_whisper.feature_extractor import FeatureExtractor

HOP, FRAMES, MAX_LENGTH = 160, 3000, 48


def features_of(path, extract):
    with wave.open(path) as recording:
        pcm = np.frombuffer(recording.readframes(recording.getnframes()), np.int16)
    features = extract(pcm.astype(np.float32) / 32_768)[:, : -(-len(pcm) // HOP)]
    padded = np.pad(features, ((0, 0), (0, FRAMES - features.shape[1])))
    return ctranslate2.StorageView.from_array(np.ascontiguousarray(padded[None], np.float32))


def main(folder, job_file):
    job = json.loads(Path(job_file).read_text())
    model = ctranslate2.models.Whisper(folder, device="cpu", compute_type="float32")
    extract = FeatureExtractor(feature_size=job["mels"])
    tokens = []
    for path in job["files"]:
        [result] = model.generate(
            features_of(path, extract),
            [job["prompt"]],
            beam_size=1,
            suppress_tokens=job["suppress"],
            max_length=MAX_LENGTH,
        )
        tokens.append(result.sequences_ids[0])
    print(json.dumps(tokens))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
