"""Trains the speaker-count head: no, one or several voices per frame, on the frozen encoder.

The diarizer uses it to find where turns begin and end and where voices overlap. Mixtures of
second-language readers (speakers held out for the evaluation are not used) and acted emotion, with
rooms, noise, music on hold, other sounds, telephone lines and codecs, those sounds alone, and the
ten training clips of meetings.

A teacher that reads three layers by few neighbours is trained first. The head reads two layers and
what is around, and learns from the labels and from what the teacher says (distillation, Hinton et
al. 2015): labels alone make it forget far-field voices, of which there are six minutes.
"""

import multiprocessing
from functools import cache

import numpy as np

import dilated_network
import frame_network
from bundle import write_manifest
from encoder import TINY, frame_centres
from export_dilated import save_dilated
from figures import save_figures
from speaker_mixtures import MAKERS, meeting_pieces, training_voices

SEED = 20261125
USED_LAYERS, TEACHER_LAYERS = (1, 2), (1, 3, 5)
KEPT_LAYERS = (1, 2, 3, 5)
CLASSES = ("none", "one", "several")
# Recordings of each kind; of the meetings, versions of each piece.
COUNTS = {"mixture": 4_500, "background": 250, "sound": 400, "over_sound": 400}
MEETING_VERSIONS = 12
# How often a piece of a meeting is chosen, beside the others.
MEETING_WEIGHT = 4
STEPS = 5_000
# The teacher learns from one recording in this many; the shares of what it says and of even odds in
# what the head learns.
TEACHER_STRIDE, TEACHER_STEPS = 3, 3_000
TEACHER_HIDDEN, TEACHER_WIDTHS = 96, (1, 9, 9)
TEACHER_SHARE, SMOOTHING = 0.5, 0.05


@cache
def resources():
    """What a process needs, loaded once: the encoder, the voices and the pieces of meetings."""
    return TINY.load(as_recorded=True), training_voices(), meeting_pieces("train")


def frames_of(encode, samples, count):
    """States of the kept layers [frames, layers, hidden] and the class at each frame's centre."""
    layers = encode(samples)
    states = np.stack([layers[i] for i in KEPT_LAYERS], axis=1).astype("float16")
    centres = np.minimum(frame_centres(len(states)), len(count) - 1)
    return states, np.minimum(count[centres], len(CLASSES) - 1)


def recording(job):
    """States and classes of one recording; its random numbers depend on the job alone."""
    encode, voices, meeting = resources()
    kind, index = job
    random = np.random.default_rng([SEED, *kind.encode(), index])
    material = meeting[index % len(meeting)] if kind == "meeting" else voices
    samples, count = MAKERS[kind](material, random)
    return frames_of(encode, samples, count)


def training_set():
    """All recordings, made by as many processes as there are cores, and how often each counts."""
    jobs = [(kind, index) for kind, count in COUNTS.items() for index in range(count)]
    versions = MEETING_VERSIONS * len(meeting_pieces("train"))
    jobs += [("meeting", index) for index in range(versions)]
    weights = np.array([MEETING_WEIGHT if kind == "meeting" else 1.0 for kind, _ in jobs])
    # A process that has started JAX must not be forked.
    with multiprocessing.get_context("spawn").Pool() as pool:
        return pool.map(recording, jobs, chunksize=20), weights


def read_by(states, used):
    """The states [frames, input] of these layers."""
    rows = states[:, [KEPT_LAYERS.index(layer) for layer in used]]
    return rows.reshape(len(rows), -1)


def teacher_of(recordings, random):
    """The parameters of a teacher of some of the recordings."""
    taught = recordings[::TEACHER_STRIDE]
    states = np.concatenate([read_by(own, TEACHER_LAYERS) for own, _ in taught])
    labels = np.concatenate([own for _, own in taught])
    sizes = (TEACHER_HIDDEN, TEACHER_WIDTHS, len(CLASSES))
    fresh = frame_network.fresh_parameters(states, *sizes, random)
    return frame_network.train(fresh, states, labels, TEACHER_STEPS, random)


def target_of(teacher, states, labels):
    """What the head learns [frames, classes]: the labels, less sure, and what the teacher says."""
    said = np.exp(frame_network.log_probabilities(teacher, read_by(states, TEACHER_LAYERS)))
    even = SMOOTHING / len(CLASSES)
    true = (1 - SMOOTHING) * np.eye(len(CLASSES), dtype="float32")[labels] + even
    return (TEACHER_SHARE * said + (1 - TEACHER_SHARE) * true).astype("float16")


def recalls(parameters, encode, split):
    """Recall of each class on the meeting clips of a split."""
    recordings = [frames_of(encode, *piece) for piece in meeting_pieces(split)]
    heard = [(read_by(states, USED_LAYERS), labels) for states, labels in recordings]
    found = dilated_network.evaluate_frames(parameters, heard)
    return {CLASSES[index]: share for index, share in found.items()}


def main():
    random = np.random.default_rng(SEED)
    recordings, weights = training_set()
    labels = np.concatenate([own for _, own in recordings])
    print(f"{len(labels)} frames; shares {np.bincount(labels) / len(labels)}", flush=True)
    teacher = teacher_of(recordings, random)
    taught = [
        (read_by(states, USED_LAYERS), target_of(teacher, states, labels))
        for states, labels in recordings
    ]
    del recordings
    parameters = dilated_network.fresh_parameters(taught, len(CLASSES), random)
    parameters = dilated_network.train(parameters, taught, weights, STEPS, random)
    inputs = TINY.inputs(USED_LAYERS)
    save_dilated("speaker-count", parameters, inputs, "log_probabilities", len(CLASSES))
    write_manifest(
        "speaker-count", "speaker-count", ["speaker-count.onnx"], {"model": "speaker-count.onnx"}
    )
    encode = TINY.load(as_recorded=True)
    measured = {split: recalls(parameters, encode, split) for split in ("development", "test")}
    save_figures("speaker-count", measured)


if __name__ == "__main__":
    main()
