"""Channels between a mouth and a recording: rooms, noise, microphones, bands, codecs and levels.

Human and synthetic speech pass through the same ones, so that a head that tells them apart cannot
learn the channel.
"""

import io
from functools import partial

import numpy as np
import soundfile
from scipy.signal import butter, lfilter, resample_poly, sosfilt

from distortions import add_background, reverberate
from recordings import SAMPLE_RATE

ROOM_SHARE, BACKGROUND_SHARE, SPEED_SHARE, NARROW_SHARE = 0.3, 0.6, 0.25, 0.4
SNR_DECIBELS = (8, 40)
# Resampling ratios: speed and pitch change together.
SPEEDS = ((10, 11), (11, 10), (20, 21), (21, 20), (15, 16), (16, 15))
TELEPHONE_RATE = 8_000
# A microphone's slope: the coefficient of a first-order filter, from dull to bright.
SLOPE = (-0.6, 0.6)
PEAK = (0.02, 1.0)


def coded(samples, rate, container, subtype, quality=None):
    """Encodes and decodes; `quality` is the codec's compression from 0 (best) to 1."""
    file = io.BytesIO()
    settings = {} if quality is None else {"compression_level": quality}
    signal = np.clip(samples, -1, 1)
    with soundfile.SoundFile(
        file, "w", rate, 1, subtype=subtype, format=container, **settings
    ) as writer:
        writer.write(signal)
    file.seek(0)
    decoded, found = soundfile.read(file, dtype="float32")
    if found != rate:
        decoded = resample_poly(decoded, rate, found)
    return matched(decoded, len(samples))


def matched(samples, length):
    return np.pad(samples[:length], (0, max(0, length - len(samples)))).astype("float32")


# Codecs of calls (at 8 kHz) and of files and web calls, each with its range of qualities.
CALL_CODECS = (
    partial(coded, container="WAV", subtype="ULAW"),
    partial(coded, container="WAV", subtype="ALAW"),
    partial(coded, container="WAV", subtype="GSM610"),
    partial(coded, container="AU", subtype="G721_32"),
)
FILE_CODECS = (("OGG", "OPUS"), ("MP3", "MPEG_LAYER_III"), ("OGG", "VORBIS"))
OPUS, CODEC_SHARE = ("OGG", "OPUS"), 0.6


def speech_codec(samples, rate, random):
    """A codec of files and web calls at a random quality."""
    container, subtype = FILE_CODECS[random.choice(len(FILE_CODECS), p=(0.5, 0.3, 0.2))]
    return coded(samples, rate, container, subtype, random.uniform(0.3, 1.0))


def telephone(samples, random):
    """8 kHz, often limited to 300-3400 Hz, often with a codec of calls."""
    narrow = resample_poly(samples, 1, SAMPLE_RATE // TELEPHONE_RATE)
    if random.random() < 0.5:
        low, high = random.uniform(100, 320), random.uniform(3_200, 3_800)
        edges = butter(4, [low, high], btype="band", fs=TELEPHONE_RATE, output="sos")
        narrow = sosfilt(edges, narrow)
    if random.random() < CODEC_SHARE:
        narrow = CALL_CODECS[random.integers(len(CALL_CODECS))](narrow, TELEPHONE_RATE)
    elif random.random() < 0.4:
        narrow = speech_codec(narrow, TELEPHONE_RATE, random)
    return matched(resample_poly(narrow, SAMPLE_RATE // TELEPHONE_RATE, 1), len(samples))


def leveled(samples, random):
    """A peak drawn evenly in decibels."""
    peak = np.exp(random.uniform(*np.log(PEAK)))
    return (samples * (peak / (np.abs(samples).max() + 1e-9))).astype("float32")


def carry(samples, random):
    """Samples [n] at 16 kHz through a random channel; their number changes with the speed."""
    samples = samples * (0.7 / (np.abs(samples).max() + 1e-9))
    if random.random() < SPEED_SHARE:
        samples = resample_poly(samples, *SPEEDS[random.integers(len(SPEEDS))])
    if random.random() < ROOM_SHARE:
        samples = reverberate(samples, random)
    samples = lfilter([1, random.uniform(*SLOPE)], [1], samples)
    if random.random() < BACKGROUND_SHARE:
        samples = add_background(samples, random, random.uniform(*SNR_DECIBELS))
    samples = samples * (random.uniform(0.1, 0.9) / (np.abs(samples).max() + 1e-9))
    if random.random() < NARROW_SHARE:
        samples = telephone(samples, random)
    elif random.random() < CODEC_SHARE:
        samples = speech_codec(samples, SAMPLE_RATE, random)
    return leveled(samples, random)
