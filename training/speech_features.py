"""What the affect heads read of speech besides the encoder: pitch, voice, level, spectrum.

Low-level descriptors of frames and functionals over them in the manner of eGeMAPS (Eyben et al.
2016), below 3.8 kHz only: a telephone line takes nothing away. No duration, pause or rate. The
service computes the same in models/affect/{descriptors,functionals}.ts; test/models/affect holds
values of this file (tests/functional_values.py).
"""

import numpy as np

RATE = 8_000
FRAME, HOP, N_FFT = 320, 128, 512
MELS, CEPSTRA = 20, 8
LOW_HERTZ, HIGH_HERTZ = 100, 3_800
# 500 to 65 Hz.
MIN_LAG, MAX_LAG = 16, 123
# A lag twice as long has to be this much stronger to be taken for the period.
OCTAVE_COST = 0.02
# White noise this far below the loud frames, as power, is added to all: what is quieter than it is
# the rounding of 16 bits in a quiet recording. The frame whose energy counts as loud.
NOISE_SHARE, LOUD_SHARE = 1e-6, 0.95
# For a recording of zeros.
LEAST_POWER = 1e-20
# Frames so many dB below the loudest are pauses; this strong a period is a voice; a larger step of
# the pitch, in octaves, is an error.
QUIET_DECIBELS, VOICED_STRENGTH, MAX_GLIDE = 30, 0.55, 0.25
# Of fewer values nothing can be said; of fewer voiced frames neither.
MIN_VALUES, MIN_VOICED = 3, 5
SHARES = (10, 50, 90)
TAPS = 31

FREQUENCIES = np.arange(N_FFT // 2 + 1) * RATE / N_FFT
WINDOW = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME) / FRAME)


def _low_pass():
    """Windowed sinc of 0.46 of the rate, unit gain."""
    at = np.arange(TAPS) - (TAPS - 1) / 2
    taps = np.sinc(0.46 * at) * (
        0.5 - 0.5 * np.cos(2 * np.pi * np.arange(1, TAPS + 1) / (TAPS + 1))
    )
    return taps / taps.sum()


def _mel_bank():
    """Triangles on Kaldi's mel scale [MELS, bins]."""

    def to_mel(hertz):
        return 1127 * np.log(1 + hertz / 700)

    edges = np.linspace(to_mel(LOW_HERTZ), to_mel(HIGH_HERTZ), MELS + 2)
    bins = to_mel(FREQUENCIES)
    rising = (bins - edges[:-2, None]) / np.diff(edges)[:-1, None]
    falling = (edges[2:, None] - bins) / np.diff(edges)[1:, None]
    return np.maximum(0, np.minimum(rising, falling))


LOW_PASS = _low_pass()
MEL_BANK = _mel_bank()
COSINES = np.sqrt(2 / MELS) * np.cos(
    np.pi * np.outer(np.arange(1, CEPSTRA + 1), np.arange(MELS) + 0.5) / MELS
)
# Autocorrelation of the window, 1 at lag 0: what a frame's is divided by (Boersma 1993).
_correlation = np.fft.irfft(np.abs(np.fft.rfft(WINDOW, 2 * N_FFT)) ** 2)[: MAX_LAG + 2]
WINDOW_CORRELATION = _correlation / _correlation[0]


def half_rate(samples):
    delay = (TAPS - 1) // 2
    return np.convolve(samples, LOW_PASS)[delay : delay + len(samples) : 2]


def _frames(samples):
    padded = np.pad(samples, (0, max(0, FRAME - len(samples))))
    count = 1 + (len(padded) - FRAME) // HOP
    frames = padded[np.arange(count)[:, None] * HOP + np.arange(FRAME)]
    return frames - frames.mean(1, keepdims=True)


def _with_noise(power):
    """A bin of white noise has as much power as its frame has energy."""
    energy = np.fft.irfft(power, N_FFT)[:, 0]
    return power + NOISE_SHARE * np.quantile(energy, LOUD_SHARE) + LEAST_POWER


def _slope(decibels, low, high):
    """Of the line through a band of the spectrum, dB per kHz."""
    used = (low <= FREQUENCIES) & (high >= FREQUENCIES)
    kilohertz = FREQUENCIES[used] / 1000
    centred = kilohertz - kilohertz.mean()
    return (decibels[:, used] * centred).sum(1) / (centred**2).sum()


def _band(power, low, high, of):
    used = (low <= FREQUENCIES) & (high > FREQUENCIES)
    return of(power[:, used], axis=1)


def _pitch(power):
    """log2 F0 and strength (0-1) of the strongest period of each frame, and F0 in bins."""
    correlation = np.fft.irfft(power, N_FFT)[:, : MAX_LAG + 2]
    correlation = correlation / correlation[:, :1] / WINDOW_CORRELATION
    around = correlation[:, MIN_LAG - 1 :]
    middle = around[:, 1:-1]
    lags = np.arange(MIN_LAG, MAX_LAG + 1)
    peak = (middle >= around[:, :-2]) & (middle > around[:, 2:])
    best = np.where(peak, middle - OCTAVE_COST * np.log2(lags / MIN_LAG), -1).argmax(1)
    row = np.arange(len(power))
    before, at, after = (around[row, best + i] for i in range(3))
    found = peak[row, best]
    shift = np.where(found, 0.5 * (before - after) / (before - 2 * at + after - 1e-12), 0)
    frequency = RATE / (lags[best] + np.clip(shift, -0.5, 0.5))
    return np.log2(frequency), np.clip(np.where(found, at, 0), 0, 0.999), frequency * N_FFT / RATE


def describe(samples):
    """Descriptors of each frame of 40 ms every 16 ms; samples at 16 kHz."""
    frames = _frames(half_rate(np.asarray(samples, "float64")))
    power = _with_noise(np.abs(np.fft.rfft(frames * WINDOW, N_FFT)) ** 2)
    decibels = 10 * np.log10(power)
    pitch, strength, harmonic = _pitch(power)
    log_mel = np.log(power @ MEL_BANK.T)
    row = np.arange(len(power))

    def level_at(multiple):
        near = np.clip(np.rint(harmonic * multiple).astype(int), 1, N_FFT // 2 - 1)
        return np.max([decibels[row, near + i] for i in (-1, 0, 1)], axis=0)

    def ratio(above, below):
        return 10 * np.log10(above / below)

    first = level_at(1)
    third_formant = 10 * np.log10(_band(power, 2_000, 3_500, np.max))
    return {
        "pitch": pitch,
        "strength": strength,
        "level": 10 * np.log10(np.fft.irfft(power, N_FFT)[:, 0]),
        "alpha": ratio(_band(power, 1_000, 3_800, np.sum), _band(power, 100, 1_000, np.sum)),
        "hammarberg": ratio(_band(power, 100, 2_000, np.max), _band(power, 2_000, 3_800, np.max)),
        "slope1": _slope(decibels, 100, 500),
        "slope2": _slope(decibels, 500, 1_500),
        "slope3": _slope(decibels, 1_500, 3_600),
        "h1h2": first - level_at(2),
        "h1a3": first - third_formant,
        "flux": np.concatenate([[0], np.sqrt((np.diff(log_mel, axis=0) ** 2).mean(1))]),
        "mel": log_mel,
        "cepstra": log_mel @ COSINES.T,
    }


class Table(dict):
    """Functionals by name."""

    def add(self, name, values, quantiles=False):
        values = values if len(values) >= MIN_VALUES else np.zeros(MIN_VALUES)
        self[f"{name}.mean"], self[f"{name}.deviation"] = values.mean(), values.std()
        if quantiles:
            for share in SHARES:
                self[f"{name}.p{share}"] = np.quantile(values, share / 100)

    def add_moves(self, name, moves):
        self[f"{name}.rise"] = moves[moves > 0].mean() if (moves > 0).any() else 0.0
        self[f"{name}.fall"] = moves[moves < 0].mean() if (moves < 0).any() else 0.0

    def add_bands(self, frames, spoken, loud, pairs):
        cepstra, mel = frames["cepstra"], frames["mel"]
        for i in range(CEPSTRA):
            self.add(f"cepstrum{i + 1}", cepstra[spoken, i])
        for i in range(CEPSTRA):
            turns = np.diff(cepstra[:, i])[pairs]
            self[f"cepstrum{i + 1}.turn"] = turns.std() if len(turns) else 0.0
        for i in range(MELS):
            self[f"mel{i + 1}.deviation"] = mel[loud, i].std()
        mean = mel[spoken].mean(0)
        for i in range(MELS):
            self[f"mel{i + 1}.relative"] = mean[i] - mean.mean()


def functionals(frames):
    """Names and values over the frames within 30 dB of the loudest."""
    level, strength = frames["level"], frames["strength"]
    top = np.quantile(level, 0.95)
    loud = level > top - QUIET_DECIBELS
    voiced = loud & (strength > VOICED_STRENGTH)
    spoken = voiced if voiced.sum() >= MIN_VOICED else loud
    pairs = loud[1:] & loud[:-1]
    table = Table()
    add, add_moves = table.add, table.add_moves

    add("pitch", frames["pitch"][spoken], True)
    glides = np.diff(frames["pitch"])[voiced[1:] & voiced[:-1]]
    glides = glides[np.abs(glides) < MAX_GLIDE]
    add("glide", np.abs(glides))
    add_moves("glide", glides)
    add("hnr", 10 * np.log10(strength / (1 - strength) + 1e-3)[spoken], True)
    add("level", (level - top)[loud], True)
    moves = np.diff(level)[pairs]
    add("move", np.abs(moves))
    add_moves("move", moves)
    table["voiced"] = voiced.sum() / max(1, loud.sum())
    for name in ("alpha", "hammarberg", "slope1", "slope2", "slope3", "h1h2", "h1a3"):
        add(name, frames[name][spoken], True)
    unvoiced = loud & ~voiced
    add("alpha.unvoiced", frames["alpha"][unvoiced if unvoiced.sum() > MIN_VALUES else loud])
    add("flux", frames["flux"][loud], True)
    table.add_bands(frames, spoken, loud, pairs)
    return list(table), np.array(list(table.values()))


def features(samples):
    """Functionals of a stretch of speech at 16 kHz."""
    return functionals(describe(samples))[1]


def feature_names():
    return functionals(describe(np.zeros(RATE)))[0]
