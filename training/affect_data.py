"""Speech for the affect heads: clips under conditions of a call, as features and encoder states.

A condition is a line, a room, an equaliser, a speed: the same for all clips of a simulated
recording, so that a clip can be measured relative to the rest of its recording.
"""

import numpy as np
from scipy.signal import lfilter, resample_poly

from distortions import reverberate, telephone_band
from pooling import Pooler, among_silence
from recordings import SAMPLE_RATE, data_directory, read_audio, trimmed
from speakers import evaluation_speakers, readers
from speech_features import features
from studio_prompts import prompt_paths

# Layers of the encoder that the heads read: the middle ones carry most about emotion.
USED_LAYERS = (2, 3, 4)
CONDITIONS = ("clean", "telephone", "mixed1", "mixed2", "mixed3")
# Resampling changes pitch and formants with the speed, so that speakers sound like others.
SPEEDS = {"mixed1": 0.87, "mixed2": 1.0, "mixed3": 1.15}
# Around a clip, which is trimmed to its speech: what the encoder hears, as the service pads it;
# how much of it is at most taken for speech at each end; what functionals are of.
SILENCE_SECONDS, SPOKEN_SILENCE_SECONDS = (0.4, 0.6), 0.2
FUNCTIONALS_SILENCE_SECONDS = (0.1, 0.4)
MAX_SECONDS = 5


def equalised(samples, random):
    """A random tilt and two random bells of up to 8 dB."""
    samples = lfilter([1, random.uniform(-0.5, 0.5)], [1], samples)
    for _ in range(2):
        angle = 2 * np.pi * random.uniform(200, 3_500) / SAMPLE_RATE
        width = np.sin(angle) / (2 * np.exp(random.uniform(-1, 1)))
        gain = 10 ** (random.uniform(-8, 8) / 40)
        above = np.array([1 + width * gain, -2 * np.cos(angle), 1 - width * gain])
        below = np.array([1 + width / gain, -2 * np.cos(angle), 1 - width / gain])
        samples = lfilter(above / below[0], below / below[0], samples)
    return samples


def apply_condition(samples, condition, random):
    """The clip under a condition; the random parameters of a `mixed` one are fixed."""
    if condition == "clean":
        return samples
    if condition == "telephone":
        return telephone_band(samples)
    fixed = np.random.default_rng(int(condition[-1]))
    speed = SPEEDS[condition]
    if speed != 1:
        samples = resample_poly(samples, 100, round(100 * speed))
    samples = equalised(samples, fixed)
    if condition == "mixed2":
        samples = reverberate(samples, fixed)
    noise = samples.std() * 10 ** (-fixed.uniform(14, 30) / 20)
    samples = samples + noise * random.standard_normal(len(samples))
    return telephone_band(samples) if condition == "mixed3" else samples.astype("float32")


def spoken_part(samples):
    """The clip without silence at both ends, at most `MAX_SECONDS`, with a peak of 0.7."""
    samples = trimmed(samples)[: MAX_SECONDS * SAMPLE_RATE]
    return (samples / (np.abs(samples).max() + 1e-9) * 0.7).astype("float32")


class FeatureExtractor:
    """Maps a clip to functionals [130] and pooled layers [layers * 576]."""

    def __init__(self, random):
        self.pool = Pooler(USED_LAYERS, SILENCE_SECONDS, random, edge=SPOKEN_SILENCE_SECONDS)
        self.random = random

    def __call__(self, samples):
        before, after = (
            int(self.random.uniform(*FUNCTIONALS_SILENCE_SECONDS) * SAMPLE_RATE) for _ in range(2)
        )
        around = among_silence(samples, before, after, self.random)
        return features(around), self.pool(samples)

    def all(self, clips):
        """Clips are (samples, condition); arrays [clips, 130] and [clips, layers * 576]."""
        rows = [
            self(apply_condition(samples, condition, self.random)) for samples, condition in clips
        ]
        return tuple(np.stack(part) for part in zip(*rows, strict=True))


def emodb():
    """Yields (samples, letter of the emotion, speaker), without the zeros that pad them to 2 s."""
    for path in sorted((data_directory() / "emodb").glob("*.flac")):
        yield spoken_part(read_audio(path)), path.stem[5], path.stem[:2]


def read_sentences(held_out, count, random):
    """Yields (samples, speaker) of second-language readers: speech without emotion."""
    kept = evaluation_speakers()
    for speaker, paths in sorted(readers().items()):
        if (speaker in kept) == held_out:
            for path in random.permutation(sorted(paths))[:count]:
                yield spoken_part(read_audio(path)), speaker


def studio_prompts(count, random):
    """Yields (samples, voice) of telephone prompts: speech without emotion."""
    for path, voice in prompt_paths(count, random):
        yield spoken_part(read_audio(path)), voice


def meeting_clips():
    """Yields (samples, recording): 3 s of every 6 s of the training recordings of meetings."""
    for path in sorted((data_directory() / "diarization").glob("trn*.flac")):
        samples = read_audio(path)
        for at in range(0, len(samples) - 3 * SAMPLE_RATE, 6 * SAMPLE_RATE):
            yield spoken_part(samples[at : at + 3 * SAMPLE_RATE]), path.stem
