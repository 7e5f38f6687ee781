"""Synthesises sounds that are not speech: tones, lines, machines, breath, music.

Each maker takes (random, seconds) and gives samples at 16 kHz of any level. The kinds that the test
holds out (test/support/sounds.ts) are not among them.
"""

import numpy as np
from scipy.signal import butter, lfilter, sosfilt

from distortions import coloured_noise
from recordings import SAMPLE_RATE

MAX_HERTZ = 7_600
KEYS = ((697, 770, 852, 941), (1_209, 1_336, 1_477, 1_633))
MAJOR, MINOR = (0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10)


def _times(seconds):
    return np.arange(int(seconds * SAMPLE_RATE)) / SAMPLE_RATE


def _band(samples, low, high):
    edges = butter(2, [low, high], btype="band", fs=SAMPLE_RATE, output="sos")
    return sosfilt(edges, samples)


def _partials(hertz, amplitudes):
    """Harmonics of a frequency that may change from sample to sample."""
    phase = 2 * np.pi * np.cumsum(hertz) / SAMPLE_RATE
    return sum(a * np.sin(k * phase) * (k * hertz < MAX_HERTZ) for k, a in enumerate(amplitudes, 1))


def _wander(random, seconds, low, high, per_second):
    """A frequency that glides between random points, on a logarithmic scale."""
    points = int(seconds * per_second) + 2
    path = random.uniform(np.log(low), np.log(high), points)
    place = np.linspace(0, points - 1, int(seconds * SAMPLE_RATE))
    return np.exp(np.interp(place, np.arange(points), path))


def _tones(seconds, *hertz):
    return sum(np.sin(2 * np.pi * f * _times(seconds)) for f in hertz)


def _cadence(samples, on, off, random):
    period = on + off
    time = np.arange(len(samples)) / SAMPLE_RATE + random.uniform(0, period)
    return samples * (time % period < on)


def tones(random, seconds):
    return _tones(
        seconds, *np.exp(random.uniform(np.log(60), np.log(7_000), random.integers(1, 4)))
    )


def beeps(random, seconds):
    tone = _tones(seconds, np.exp(random.uniform(np.log(200), np.log(3_000))))
    return _cadence(tone, random.uniform(0.05, 1), random.uniform(0.05, 1), random)


def touch_tones(random, seconds):
    parts = []
    while sum(map(len, parts)) < seconds * SAMPLE_RATE:
        key = [random.choice(row) for row in KEYS]
        parts += [
            _tones(random.uniform(0.06, 0.3), *key),
            np.zeros(int(random.uniform(640, 4_800))),
        ]
    return np.concatenate(parts)[: int(seconds * SAMPLE_RATE)]


def ringing(random, seconds):
    off = random.choice([0.5, 1.0, 4.0])
    return _cadence(_tones(seconds, random.choice([350, 400, 425])), min(1.0, off), off, random)


def hum(random, seconds):
    mains = np.full(int(seconds * SAMPLE_RATE), float(random.choice([50, 60])))
    hummed = _partials(mains, random.uniform(0, 1, 12) / np.arange(1, 13) ** random.uniform(0, 1.5))
    return hummed / hummed.std() + random.uniform(0, 0.5) * coloured_noise(len(hummed), random)


def clicks(random, seconds):
    samples = np.zeros(int(seconds * SAMPLE_RATE) + 600)
    for at in random.integers(0, len(samples) - 600, random.integers(3, 60)):
        decay = np.exp(-np.arange(600) / random.uniform(5, 100))
        samples[at : at + 600] += random.standard_normal(600) * decay
    return samples[:-600]


def strikes(random, seconds):
    """Struck things: partials out of tune and a burst of noise, which fade."""
    samples = np.zeros(int(seconds * SAMPLE_RATE))
    for at in random.integers(0, len(samples), 1 + int(seconds * random.uniform(0, 4))):
        time = np.arange(len(samples) - at) / SAMPLE_RATE
        partials = np.exp(random.uniform(np.log(60), np.log(6_000), random.integers(1, 8)))
        rung = sum(
            np.exp(-time * random.uniform(5, 40)) * np.sin(2 * np.pi * hertz * time)
            for hertz in partials
        )
        low = random.uniform(60, 3_000)
        burst = _band(random.standard_normal(len(time)), low, min(MAX_HERTZ, 4 * low))
        burst = burst / burst.std() * np.exp(-time * random.uniform(5, 80))
        samples[at:] += rung / len(partials) + random.uniform(0, 2) * burst
    return samples


def engine(random, seconds):
    speed = _wander(random, seconds, 25, 140, 1)
    roar = _partials(
        speed, random.uniform(0.2, 1, 40) / np.arange(1, 41) ** random.uniform(0.3, 1.2)
    )
    return roar / roar.std() + random.uniform(0.05, 1) * coloured_noise(len(roar), random)


def gusts(random, seconds):
    length = int(seconds * SAMPLE_RATE)
    points = random.standard_normal(length // 800 + 2)
    swell = np.abs(np.interp(np.arange(length), 800 * np.arange(len(points)), points))
    noise = _band(
        coloured_noise(length, random), random.uniform(80, 1_500), random.uniform(2e3, 7.5e3)
    )
    return noise * swell ** random.uniform(1, 3)


def breath(random, seconds):
    turns = np.sin(2 * np.pi * _times(seconds) / random.uniform(1.2, 4))
    noise = coloured_noise(int(seconds * SAMPLE_RATE), random)
    mouth = _band(noise, random.uniform(300, 900), random.uniform(900, 1_500))
    teeth = _band(noise, random.uniform(1_200, 2_000), random.uniform(2_200, 3_500))
    return np.maximum(0, turns) ** random.uniform(0.5, 2) * (mouth + teeth + 0.2 * noise)


def sweeps(random, seconds):
    return _partials(
        _wander(random, seconds, 100, 5_000, 1), random.uniform(0, 1, random.integers(1, 5))
    )


def glides(random, seconds):
    """A synthesiser's lead: as near to a voice as these come."""
    path = _wander(random, seconds, 90, 600, 3)
    path = path * (1 + 0.01 * np.sin(2 * np.pi * 5.5 * _times(seconds)[: len(path)]))
    lead = _partials(path, 1 / np.arange(1, 25) ** random.uniform(0.5, 1.5))
    return _band(lead, random.uniform(150, 500), random.uniform(1_000, 4_000))


def _organ(hertz, length, random):
    vibrato = 1 + random.uniform(0, 0.012) * np.sin(
        2 * np.pi * random.uniform(4, 7) * np.arange(length) / SAMPLE_RATE
    )
    count = random.integers(1, 9)
    falling = np.arange(1, count + 1) ** random.uniform(0.3, 2)
    return _partials(hertz * vibrato, random.uniform(0.3, 1, count) / falling)


def _saw(hertz, length, random):
    saw = _partials(np.full(length, hertz), 1 / np.arange(1, 30))
    return _band(saw, random.uniform(100, 600), random.uniform(1_200, 5_000))


def _string(hertz, length, random):
    """Karplus and Strong's plucked string."""
    period = max(2, int(SAMPLE_RATE / hertz))
    burst = np.zeros(length)
    burst[:period] = random.standard_normal(period)[:length]
    return lfilter([1], [1, *np.zeros(period - 1), -0.498, -0.498], burst)


def _music(instrument, lowest, highest, voices):
    def play(random, seconds):
        length = int(seconds * SAMPLE_RATE)
        samples = np.zeros(length + 4 * SAMPLE_RATE)
        scale, root = (MAJOR, MINOR)[random.integers(2)], random.integers(12)
        beat, at = random.uniform(0.1, 0.6), 0
        while at < length:
            for _ in range(random.integers(*voices)):
                key = 12 * random.integers(lowest, highest) + root + random.choice(scale)
                note = int(random.uniform(0.8, 3) * beat * SAMPLE_RATE) + 800
                time = np.arange(note) / SAMPLE_RATE
                shape = np.minimum(1, time / 0.02) * np.exp(-random.uniform(0.5, 6) * time)
                samples[at : at + note] += shape * instrument(
                    440 * 2 ** ((key - 69) / 12), note, random
                )
            at += int(beat * SAMPLE_RATE * random.choice([0.5, 1, 1, 2]))
        return samples[:length]

    return play


MAKERS = {
    "silence": lambda _random, seconds: np.zeros(int(seconds * SAMPLE_RATE)),
    "noise": lambda random, seconds: coloured_noise(int(seconds * SAMPLE_RATE), random),
    "tones": tones,
    "beeps": beeps,
    "touch tones": touch_tones,
    "ringing": ringing,
    "hum": hum,
    "clicks": clicks,
    "engine": engine,
    "gusts": gusts,
    "breath": breath,
    "sweeps": sweeps,
    "glides": glides,
    "chords": _music(_organ, 3, 7, (3, 5)),
    "melody": _music(_organ, 4, 7, (1, 2)),
    "synthesiser": _music(_saw, 3, 6, (1, 3)),
    "strings": _music(_string, 3, 6, (1, 3)),
}
# Those of the speech check; the speaker counter was trained without the last one.
EVERY_MAKER = {**MAKERS, "strikes": strikes}


def make_sound(kind, seconds, random):
    """Samples with a random level over a random floor of noise."""
    samples = EVERY_MAKER[kind](random, seconds)
    samples = samples / (np.abs(samples).max() + 1e-9) * 10 ** random.uniform(-2, -0.1)
    floor = 10 ** random.uniform(-5, -3) * random.standard_normal(len(samples))
    return (samples + floor).astype("float32")
