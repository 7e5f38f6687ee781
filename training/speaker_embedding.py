"""Makes the speaker embedding of the diarizer: CAM++ and a discriminant projection.

    python training/speaker_embedding.py PATH/TO/campplus_cn_en_common.pt

Windows of 1.6 s vary with what is said and with the line they come through. Linear discriminant
analysis (Fisher 1936) over windows of 100 readers, wide band, telephone and noise, keeps what tells
speakers apart. The readers of the evaluation are left out.
"""

import sys
from pathlib import Path

import numpy as np
import onnxruntime

from campplus_graph import FRAME, HOP, WINDOW_FRAMES, build
from recordings import add_background, read_audio, telephone_band
from speakers import evaluation_speakers, readers
from talker_count import trimmed
from torch_archive import tensor_places

SEED = 20261121
WINDOW, STEP = FRAME + HOP * (WINDOW_FRAMES - 1), 9_600
SIZE, SHRINKAGE = 99, 0.2
NOISE_SHARE, NOISE_DECIBELS = 0.4, (10, 30)
TARGET = Path(__file__).resolve().parent.parent / "models/graphs/campplus.onnx"


def load(model, weights):
    """A function from samples and window starts (samples) to embeddings."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    path = weights.parent / ".campplus-training.onnx"
    path.write_bytes(model.SerializeToString())
    session = onnxruntime.InferenceSession(str(path), options)
    path.unlink()

    def embed(samples, starts):
        padded = np.pad(samples, (0, max(0, max(starts) + WINDOW - len(samples))))
        gain = max(1.0, 10 ** (-30 / 20) / (np.sqrt((samples**2).mean()) + 1e-9))
        feeds = {
            "samples": (padded * gain)[None].astype("float32"),
            "starts": np.array(starts, "int64") // HOP,
        }
        return session.run(None, feeds)[0]

    return embed


def training_windows(embed, random):
    """Embeddings and the index of their speaker."""
    held_out = evaluation_speakers()
    speakers = [s for s in sorted(readers()) if s not in held_out]
    paths = readers()
    vectors, labels = [], []
    for label, speaker in enumerate(speakers):
        for path in paths[speaker]:
            samples = trimmed(read_audio(path))
            for line in (samples, telephone_band(samples)):
                noisy = random.random() < NOISE_SHARE
                heard = (
                    add_background(line, random, random.uniform(*NOISE_DECIBELS)) if noisy else line
                )
                starts = list(range(0, max(1, len(heard) - WINDOW + 1), STEP))
                vectors.append(embed(heard.astype("float32"), starts))
                labels += [label] * len(starts)
    return np.concatenate(vectors), np.array(labels)


def discriminants(vectors, labels):
    """Mean [192] and projection [192, SIZE] with unit within-speaker variance."""
    mean = vectors.mean(0)
    centred = vectors - mean
    means = np.stack([centred[labels == c].mean(0) for c in np.unique(labels)])
    residual = centred - means[labels]
    within = residual.T @ residual / len(residual)
    round_shape = np.trace(within) / len(within) * np.eye(len(within))
    within = (1 - SHRINKAGE) * within + SHRINKAGE * round_shape
    values, basis = np.linalg.eigh(within)
    whiten = basis / np.sqrt(values)
    _, directions = np.linalg.eigh(whiten.T @ (means.T @ means / len(means)) @ whiten)
    return mean, whiten @ directions[:, ::-1][:, :SIZE]


def main():
    weights = Path(sys.argv[1])
    places = tensor_places(weights)
    random = np.random.default_rng(SEED)
    vectors, labels = training_windows(load(build(places, weights.name), weights), random)
    model = build(places, weights.name, discriminants(vectors, labels))
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_bytes(model.SerializeToString())
    print(f"{len(labels)} windows of {labels.max() + 1} speakers; {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
