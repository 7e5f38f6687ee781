"""Trains the speaker-count head: no, one or several voices per frame, on the frozen encoder.

The diarizer uses it to find where turns begin and end and where voices overlap. Mixtures of
second-language readers (speakers held out for the evaluation are not used) and acted emotion, with
rooms, noise, music on hold and telephone lines, and the ten training clips of meetings.
"""

import numpy as np

from bundle import write_manifest
from distortions import add_background
from encoder import TINY, frame_centres
from export_frames import save_convolutions
from figures import save_figures
from frame_network import evaluate_frames, fresh_parameters, train
from speaker_mixtures import background_only, meetings, mixture, pieces, training_voices

SEED = 20261121
USED_LAYERS = (1, 3, 5)
MIXTURES = 1_500
BACKGROUNDS = MIXTURES // 10
# Versions of each meeting: one clean, the others with a background.
MEETING_VERSIONS, MEETING_SNR_DECIBELS, MEETING_GAIN = 6, (8, 30), (0.5, 4)
HIDDEN, WIDTHS = 96, (1, 9, 9)
STEPS = 3_000
CLASSES = ("none", "one", "several")


def frames_of(encode, samples, count):
    """States of the used layers and the class at each frame's centre."""
    layers = encode(samples)
    states = np.concatenate([layers[i] for i in USED_LAYERS], axis=1).astype("float16")
    centres = np.minimum(frame_centres(len(states)), len(count) - 1)
    return states, np.minimum(count[centres], len(CLASSES) - 1)


def training_set(encode, random):
    voices = training_voices()
    for _ in range(MIXTURES):
        yield frames_of(encode, *mixture(voices, random))
    for _ in range(BACKGROUNDS):
        yield frames_of(encode, *background_only(random))
    for samples, count in meetings("train"):
        for version in range(MEETING_VERSIONS):
            mixed = samples
            if version > 0:
                mixed = add_background(samples, random, random.uniform(*MEETING_SNR_DECIBELS))
            for part, labels in pieces(mixed.astype("float32"), count):
                yield frames_of(encode, part * random.uniform(*MEETING_GAIN), labels)


def recalls(parameters, encode, split):
    """Recall of each class on the meeting clips of a split."""
    pairs = [frames_of(encode, *piece) for clip in meetings(split) for piece in pieces(*clip)]
    found = evaluate_frames(parameters, pairs)
    return {CLASSES[index]: share for index, share in found.items()}


def main():
    random = np.random.default_rng(SEED)
    encode = TINY.load()
    pairs = list(training_set(encode, random))
    states = np.concatenate([found for found, _ in pairs])
    labels = np.concatenate([found for _, found in pairs])
    print(f"{len(labels)} frames; shares {np.bincount(labels) / len(labels)}", flush=True)
    parameters = fresh_parameters(states, HIDDEN, WIDTHS, len(CLASSES), random)
    parameters = train(parameters, states, labels, STEPS, random)
    inputs = TINY.inputs(USED_LAYERS)
    save_convolutions("speaker-count", parameters, inputs, "log_probabilities", len(CLASSES))
    write_manifest(
        "speaker-count", "speaker-count", ["speaker-count.onnx"], {"model": "speaker-count.onnx"}
    )
    measured = {split: recalls(parameters, encode, split) for split in ("development", "test")}
    save_figures("speaker-count", measured)


if __name__ == "__main__":
    main()
