"""Distortions of a call: telephone band, codecs, room, noise, music on hold, level and speed."""

import io

import numpy as np
import soundfile
from scipy.signal import butter, fftconvolve, resample_poly, sosfilt

from recordings import SAMPLE_RATE

# Share of the backgrounds that are music on hold, and of the calls that have each condition.
MUSIC_SHARE = 0.2
ROOM_SHARE, BACKGROUND_SHARE, TELEPHONE_SHARE = 0.3, 0.6, 0.5
CALL_SNR_DECIBELS = (5, 30)
# How much slower and lower, or faster and higher, a person is made to speak.
SLOWER, FASTER, SLOWER_SHARE = (0.72, 0.92), (1.1, 1.45), 0.5
# Rate, and strength of the coding, of speech that was made small for a disc or a page.
SMALL_RATE, SMALL_CODING = 11_025, (0.6, 0.99)
# Format, coding and rate of what recordings and calls are stored and sent in.
CODECS = (("OGG", "OPUS", 16_000), ("MP3", "MPEG_LAYER_III", 16_000), ("WAV", "GSM610", 8_000))


def telephone_band(samples):
    """Limits samples to 300-3400 Hz at 8 kHz with 8-bit mu-law; returns them at 16 kHz."""
    narrow = resample_poly(samples, 1, 2)
    narrow = sosfilt(butter(4, [300, 3400], btype="band", fs=8_000, output="sos"), narrow)
    peak = np.abs(narrow).max() + 1e-9
    companded = np.sign(narrow) * np.log1p(255 * np.abs(narrow) / peak) / np.log(256)
    companded = np.round(companded * 127) / 127
    expanded = np.sign(companded) * np.expm1(np.abs(companded) * np.log(256)) / 255 * peak
    wide = resample_poly(expanded, 2, 1)[: len(samples)]
    return np.pad(wide, (0, len(samples) - len(wide))).astype("float32")


def coloured_noise(length, random):
    """Noise whose spectrum falls by 0 to 6 dB per octave, with unit power."""
    spectrum = np.fft.rfft(random.standard_normal(length))
    frequency = np.maximum(np.fft.rfftfreq(length), 1 / max(length, 2))
    noise = np.fft.irfft(spectrum * frequency ** -random.uniform(0, 1), n=length)
    return (noise / (noise.std() + 1e-9)).astype("float32")


def hold_music(length, random):
    """Decaying chords, with unit power."""
    time = np.arange(length) / SAMPLE_RATE
    beat = random.uniform(0.4, 0.9)
    root = random.uniform(150, 300) * 2 ** (random.integers(0, 12, 64) / 12)
    step = np.minimum((time / beat).astype(int), 63)
    music = sum(np.sin(2 * np.pi * root[step] * ratio * time) for ratio in (1, 1.26, 1.5))
    music = music * np.exp(-3 * (time % beat))
    return (music / (music.std() + 1e-9)).astype("float32")


def add_background(samples, random, snr_decibels):
    """Adds noise, or sometimes music on hold, at this signal-to-noise ratio."""
    make = hold_music if random.random() < MUSIC_SHARE else coloured_noise
    level = samples.std() * 10 ** (-snr_decibels / 20)
    return samples + level * make(len(samples), random)


def reverberate(samples, random):
    """Simulates a room of 0.15 to 0.5 s reverberation time by exponentially decaying noise."""
    length = int(random.uniform(0.15, 0.5) * SAMPLE_RATE)
    response = random.standard_normal(length) * np.exp(-6.9 * np.arange(length) / length)
    response = np.concatenate([[1.0], 0.25 * response / np.sqrt((response**2).sum())])
    return fftconvolve(samples, response)[: len(samples)].astype("float32")


def distort(samples, random):
    """A random combination of room, background, telephone band and level."""
    if random.random() < ROOM_SHARE:
        samples = reverberate(samples, random)
    if random.random() < BACKGROUND_SHARE:
        samples = add_background(samples, random, random.uniform(*CALL_SNR_DECIBELS))
    if random.random() < TELEPHONE_SHARE:
        samples = telephone_band(samples)
    return (samples * random.uniform(0.3, 1.0) / (np.abs(samples).max() + 1e-9)).astype("float32")


def through_codec(samples, random):
    """Coded and decoded by one of the codecs, at its rate."""
    container, coding, rate = CODECS[random.integers(len(CODECS))]
    return coded(samples, rate, format=container, subtype=coding)


def coded(samples, rate, **coding):
    """Coded at a rate as soundfile's options say, and decoded."""
    file = io.BytesIO()
    at_rate = resample_poly(samples, rate, SAMPLE_RATE)
    soundfile.write(file, np.clip(at_rate, -1, 1), rate, **coding)
    file.seek(0)
    decoded, _ = soundfile.read(file, dtype="float32")
    # Codecs delay and pad.
    decoded = resample_poly(decoded, SAMPLE_RATE, rate)[: len(samples)]
    return np.pad(decoded, (0, len(samples) - len(decoded))).astype("float32")


def at_another_speed(samples, random):
    """Slower and lower, or faster and higher: another throat."""
    speed = random.uniform(*(SLOWER if random.random() < SLOWER_SHARE else FASTER))
    return resample_poly(samples, round(1000 / speed), 1000).astype("float32")


def as_small_file(samples, random):
    """Coded as MP3 at 11 kHz and few bits, and decoded."""
    return coded(
        samples,
        SMALL_RATE,
        format="MP3",
        subtype="MPEG_LAYER_III",
        compression_level=random.uniform(*SMALL_CODING),
        bitrate_mode="CONSTANT",
    )
