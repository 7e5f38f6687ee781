"""Makes the speaker embedding of the diarizer: CAM++ and a discriminant projection.

Windows of 1.6 s vary with what is said and with the line they come through. Linear discriminant
analysis (Fisher 1936) over windows of 100 readers, wide band, telephone and noise, keeps what tells
speakers apart. The readers of the evaluation are left out, and tell what it gains. Then the network
is put into int8 (campplus_dense_int8.py), with steps from the recordings of some of these readers.
"""

import shutil
import tempfile
from pathlib import Path

import numpy as np

from campplus_dense_int8 import Int8Encoder
from campplus_graph import WINDOW_FRAMES, Encoder, build
from campplus_steps import channel_steps, largest_of, seen, with_observed
from distortions import add_background, telephone_band
from encoder import load_session
from figures import equal_error_rate, save_figures
from frame_spectra import FRAME, HOP
from paths import GRAPHS, pulled
from recordings import read_audio, trimmed
from speakers import evaluation_speakers, readers
from torch_archive import read_tensors, tensor_places

SEED = 20261121
WINDOW, STEP = FRAME + HOP * (WINDOW_FRAMES - 1), 9_600
SIZE, SHRINKAGE = 99, 0.2
NOISE_SHARE, NOISE_DECIBELS = 0.4, (10, 30)
# Quiet recordings are raised to this level of the whole, as models/diarization does it.
MIN_LEVEL_DECIBELS = -30
# Windows of each held-out reader that are compared with all others.
COMPARED_WINDOWS = 20
# Of the readers, those whose recordings give the steps of int8, and how many of each.
STEP_READERS, STEP_RECORDINGS = slice(None, None, 4), 2


def session_of(model, weights):
    # The graph finds its weights beside it.
    with tempfile.TemporaryDirectory() as directory:
        shutil.copy(weights, directory)
        path = Path(directory) / "campplus.onnx"
        path.write_bytes(model.SerializeToString())
        return load_session(str(path))


def inputs_of(samples, starts):
    padded = np.pad(samples, (0, max(0, max(starts) + WINDOW - len(samples))))
    level = np.sqrt((samples**2).mean()) + 1e-9
    gain = max(1.0, 10 ** (MIN_LEVEL_DECIBELS / 20) / level)
    return {
        "samples": (padded * gain)[None].astype("float32"),
        "starts": np.array(starts, "int64") // HOP,
    }


def load(model, weights):
    """A function from samples and window starts (samples) to embeddings."""
    session = session_of(model, weights)
    return lambda samples, starts: session.run(["embeddings"], inputs_of(samples, starts))[0]


def step_inputs():
    """Recordings of readers in both bands, whose values give the steps of int8."""
    paths, held_out = readers(), evaluation_speakers()
    trained = [speaker for speaker in sorted(paths) if speaker not in held_out]
    for speaker in trained[STEP_READERS]:
        for number, path in enumerate(paths[speaker][:STEP_RECORDINGS]):
            samples = trimmed(read_audio(path))
            line = telephone_band(samples) if number % 2 else samples
            yield inputs_of(line.astype("float32"), window_starts(line))


def int8_encoder(places, weights):
    """With steps from what single precision makes of `step_inputs`."""
    graph = Encoder()
    session = session_of(with_observed(build(places, weights.name, None, graph), graph), weights)
    found = seen(session, graph.observed, step_inputs())
    return Int8Encoder(largest_of(found), channel_steps(found, read_tensors(weights)))


def window_starts(samples):
    return list(range(0, max(1, len(samples) - WINDOW + 1), STEP))


def training_windows(embed, random):
    """Embeddings and the index of their speaker."""
    held_out, paths = evaluation_speakers(), readers()
    speakers = [speaker for speaker in sorted(paths) if speaker not in held_out]
    vectors, labels = [], []
    for label, speaker in enumerate(speakers):
        for path in paths[speaker]:
            samples = trimmed(read_audio(path))
            for line in (samples, telephone_band(samples)):
                noisy = sometimes_noisy(line, random).astype("float32")
                vectors.append(embed(noisy, window_starts(noisy)))
                labels += [label] * len(vectors[-1])
    return np.concatenate(vectors), np.array(labels)


def sometimes_noisy(samples, random):
    if random.random() >= NOISE_SHARE:
        return samples
    return add_background(samples, random, random.uniform(*NOISE_DECIBELS))


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


def held_out_error(embed):
    """Equal error rate over pairs of telephone windows of readers that were left out."""
    paths = readers()
    vectors, labels = [], []
    for speaker in sorted(evaluation_speakers()):
        found = []
        for path in paths[speaker]:
            if len(found) >= COMPARED_WINDOWS:
                break
            samples = telephone_band(trimmed(read_audio(path)))
            found.extend(embed(samples, window_starts(samples)))
        vectors += found[:COMPARED_WINDOWS]
        labels += [speaker] * len(found[:COMPARED_WINDOWS])
    likeness = np.stack(vectors) @ np.stack(vectors).T
    alike = np.equal.outer(labels, labels)
    pair = np.triu(np.ones(alike.shape, bool), 1)
    return round(equal_error_rate(likeness[pair & ~alike], likeness[pair & alike]), 4)


def main():
    weights = pulled("campplus", "campplus_cn_en_common.pt")
    places = tensor_places(weights)
    random = np.random.default_rng(SEED)
    published = load(build(places, weights.name), weights)
    vectors, labels = training_windows(published, random)
    rounded = int8_encoder(places, weights)
    model = build(places, weights.name, discriminants(vectors, labels), rounded)
    (GRAPHS / "campplus.onnx").write_bytes(model.SerializeToString())
    print(f"{len(labels)} windows of {labels.max() + 1} speakers", flush=True)
    projected = load(model, weights)
    save_figures(
        "campplus",
        {
            "equal error rate, as published": held_out_error(published),
            "equal error rate, projected": held_out_error(projected),
        },
    )


if __name__ == "__main__":
    main()
