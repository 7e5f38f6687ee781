"""Trains the talker-count head: nobody, one voice or several, frame by frame on the frozen encoder.

    python training/talker_count.py

It tells the diarizer where turns begin and end and where voices overlap. Mixtures of
second-language readers (speakers held out for the evaluation are not used) and acted emotion, with
rooms, noise, music on hold and telephone lines, and the ten training clips of meetings.
"""

import sys

import numpy as np

from bundle import write_manifest
from encoder import FRAME_CENTRE_SAMPLES, load_encoder
from export_head import save_convolutions
from frame_network import evaluate_frames, fresh_parameters, train
from recordings import (
    SAMPLE_RATE,
    add_background,
    data_directory,
    distort,
    hold_music,
    read_audio,
    reverberate,
)
from speakers import evaluation_speakers, readers

SEED = 20261121
USED_LAYERS = (1, 3, 5)
MIXTURES = 1_500
MIXTURE_SECONDS = 12
HIDDEN, WIDTHS = 96, (1, 9, 9)
CLASSES = ("none", "one", "several")
# Shares of the mixtures whose voices overlap, of the overlapping turns in them, of those in a room,
# and of the stretches without a voice that are music.
OVERLAPPING_MIXTURES, OVERLAPPING_TURNS, ROOM_SHARE, MUSIC_SHARE = 0.6, 0.6, 0.4, 0.5
# From the end of a turn to the start of the next; an interruption begins at least so much later
# than the turn before it.
PAUSE_SECONDS, INTERRUPTION_SECONDS = (0.1, 1.8), (-2.5, 0.5)
LEAST_LEAD_SAMPLES = 4_000


def trimmed(samples):
    """Without the silence at both ends: 10 ms frames more than 35 dB below the loudest."""
    frames = len(samples) // 160
    level = 20 * np.log10(samples[: frames * 160].reshape(frames, 160).std(1) + 1e-6)
    loud = np.flatnonzero(level > level.max() - 35)
    return samples[loud[0] * 160 : (loud[-1] + 1) * 160]


def mixture(voices, random):
    """Samples of one stretch and how many speak at each sample."""
    length = MIXTURE_SECONDS * SAMPLE_RATE
    sound, count = np.zeros(length, "float32"), np.zeros(length, "int8")
    names = random.choice(len(voices), random.integers(1, 4), replace=False)
    at = int(random.uniform(0, 2) * SAMPLE_RATE)
    overlapping = random.random() < OVERLAPPING_MIXTURES
    while at < length - SAMPLE_RATE // 2:
        paths = voices[random.choice(names)]
        clip = trimmed(read_audio(paths[random.integers(len(paths))]))
        clip = clip / (np.abs(clip).max() + 1e-9) * random.uniform(0.15, 0.7)
        end = min(length, at + len(clip))
        sound[at:end] += clip[: end - at]
        count[at:end] += 1
        interrupted = overlapping and random.random() < OVERLAPPING_TURNS
        gap = random.uniform(*(INTERRUPTION_SECONDS if interrupted else PAUSE_SECONDS))
        after = end + int(gap * SAMPLE_RATE)
        at = after if gap > 0 else max(at + LEAST_LEAD_SAMPLES, after)
    if random.random() < ROOM_SHARE:
        sound = reverberate(sound, random)
    floor = 10 ** random.uniform(-4.5, -2.5) * random.standard_normal(length)
    return distort((sound + floor).astype("float32"), random), count


def background_only(random):
    """Noise or music without any voice."""
    length = MIXTURE_SECONDS * SAMPLE_RATE
    sound = hold_music(length, random) if random.random() < MUSIC_SHARE else np.zeros(length)
    sound = add_background(
        0.1 * sound + 1e-3 * random.standard_normal(length), random, random.uniform(-5, 20)
    )
    return (sound * random.uniform(0.05, 2)).astype("float32"), np.zeros(length, "int8")


def meetings(split):
    """Clips of one split with the number of voices at each sample."""
    folder = data_directory() / "diarization"
    turns = {}
    for line in (folder / f"debug.{split}.rttm").read_text().splitlines():
        _, name, _, start, seconds, *_ = line.split()
        turns.setdefault(name, []).append((float(start), float(start) + float(seconds)))
    for name, spans in turns.items():
        samples = read_audio(folder / f"{name}.flac")
        count = np.zeros(len(samples), "int8")
        for start, end in spans:
            count[int(start * SAMPLE_RATE) : int(end * SAMPLE_RATE)] += 1
        yield samples, count


def frames_of(encode, samples, count):
    """States of the used layers and the class at each frame's centre."""
    layers = encode(samples)
    states = np.concatenate([layers[i] for i in USED_LAYERS], axis=1).astype("float16")
    centres = np.minimum(np.arange(len(states)) * 384 + FRAME_CENTRE_SAMPLES, len(count) - 1)
    return states, np.minimum(count[centres], 2)


def pieces(samples, count):
    for at in range(0, len(samples) - SAMPLE_RATE, MIXTURE_SECONDS * SAMPLE_RATE):
        part = slice(at, at + MIXTURE_SECONDS * SAMPLE_RATE)
        yield samples[part], count[part]


def training_set(encode, random):
    held_out = evaluation_speakers()
    voices = [paths for speaker, paths in readers().items() if speaker not in held_out]
    acted = {}
    for path in (data_directory() / "emodb").glob("*.flac"):
        acted.setdefault(path.name[:2], []).append(path)
    voices += [sorted(paths) for _, paths in sorted(acted.items())]
    for _ in range(MIXTURES):
        yield frames_of(encode, *mixture(voices, random))
    for _ in range(MIXTURES // 10):
        yield frames_of(encode, *background_only(random))
    for samples, count in meetings("train"):
        for version in range(6):
            changed = (
                samples if version == 0 else add_background(samples, random, random.uniform(8, 30))
            )
            for part, labels in pieces(changed.astype("float32"), count):
                yield frames_of(encode, part * random.uniform(0.5, 4), labels)


def main():
    random = np.random.default_rng(SEED)
    encode = load_encoder()
    pairs = list(training_set(encode, random))
    states = np.concatenate([s for s, _ in pairs])
    labels = np.concatenate([found for _, found in pairs])
    print(f"{len(labels)} frames; shares {np.bincount(labels) / len(labels)}", flush=True)
    parameters = fresh_parameters(states, HIDDEN, WIDTHS, len(CLASSES), random)
    parameters = train(parameters, states, labels, 3_000, random)
    for split in ("development", "test"):
        pairs = [frames_of(encode, *piece) for clip in meetings(split) for piece in pieces(*clip)]
        print(split, evaluate_frames(parameters, pairs), flush=True)
    save_convolutions("talker-count", parameters, USED_LAYERS, "log_probabilities", len(CLASSES))
    write_manifest(
        "talker-count", "talker-count", ["talker-count.onnx"], {"model": "talker-count.onnx"}
    )


if __name__ == "__main__":
    sys.exit(main())
