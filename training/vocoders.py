"""Copy synthesis: a recording as vocoders say it again.

Only the trace of the synthesis differs from the recording: the sentence, the speaker and the
channel are the same (Wang and Yamagishi 2023). The vocoders are those of old engines.
"""

import numpy as np
from scipy.ndimage import gaussian_filter1d
from scipy.signal import lfilter, resample_poly

from recordings import SAMPLE_RATE
from vocoder_analysis import (
    POINTS,
    STEP,
    Analysis,
    filtered_noise,
    minimum_phase,
    overlap_add,
    pulse_times,
)

FREQUENCIES = np.arange(POINTS // 2 + 1) * SAMPLE_RATE / POINTS


def movement(analysis, random, share):
    """The pitch with so much of its movement, around its mean or falling a little."""
    pitch, voiced = analysis.pitch
    if not voiced.any():
        return pitch, voiced
    octaves = np.log2(pitch)
    middle = octaves[voiced].mean()
    fall = np.linspace(1, -1, len(pitch)) * random.uniform(0, 0.12)
    return 2 ** (middle + fall + share * (octaves - middle) + random.uniform(-0.2, 0.2)), voiced


def parametric(samples, random):
    """Pulses and noise through smooth envelopes, like voices of hidden Markov models."""
    analysis = Analysis(samples)
    pitch, voiced = movement(analysis, random, random.uniform(0.3, 1))
    logs = analysis.envelopes(int(random.integers(12, 45)))
    logs = gaussian_filter1d(logs, random.uniform(0.3, 4), axis=0)
    responses = minimum_phase(logs)
    # Noise above a frequency, which may be beyond the band: a buzz.
    limit = random.uniform(1_500, 10_000)
    pulsed = 1 / (1 + np.exp((FREQUENCIES - limit) / 400))
    times = pulse_times(pitch, voiced, len(samples))
    frame = np.minimum(times // STEP, len(pitch) - 1)
    gains = np.sqrt(SAMPLE_RATE / pitch[frame])[:, None]
    voice = overlap_add(np.fft.irfft(responses[frame] * pulsed) * gains, times, len(samples))
    noisy = np.where(voiced[:, None], np.sqrt(1 - pulsed**2) * random.uniform(0.3, 1), 1)
    return voice + filtered_noise(responses * noisy, len(samples), random)


def through_filters(source, filters):
    """Samples through a filter of each frame (numerator, denominator), the state kept."""
    result = np.zeros(len(source))
    state = np.zeros(max(len(filters[0][0]), len(filters[0][1])) - 1)
    for i in range(-(-len(source) // STEP)):
        part = slice(i * STEP, (i + 1) * STEP)
        result[part], state = lfilter(*filters[min(i, len(filters) - 1)], source[part], zi=state)
    return result


# Of the formants: where they are when none is found, and their bandwidths.
FORMANTS, BANDWIDTHS = (500, 1_500, 2_500, 3_500), (70, 90, 130, 180)
FORMANT_RATE = 10_000
# What counts as one: its frequencies, and the radius of its pole.
LOWEST, HIGHEST, LEAST_RADIUS = 200, 4_500, 0.8


def formant(samples, random):
    """Glottal pulses through resonators that move in straight lines, like rule-based voices."""
    analysis = Analysis(samples)
    pitch, voiced = movement(analysis, random, random.uniform(0, 0.5))
    tracks = formant_tracks(samples, analysis.frames, int(random.integers(8, 20)))
    times = pulse_times(pitch, voiced, len(samples))
    source = np.zeros(len(samples))
    source[times] = 1
    breath = random.uniform(0.002, 0.03) * random.standard_normal(len(samples))
    # A glottal pulse falls by some 12 dB an octave, and lips radiate.
    source = lfilter([1, -1], np.convolve([1, -0.97], [1, -random.uniform(0.85, 0.97)]), source)
    voice = source + breath
    stretch = random.uniform(0.6, 1.6)
    for track, width in zip(tracks.T, BANDWIDTHS, strict=True):
        radius = np.exp(-np.pi * width * stretch / SAMPLE_RATE)
        turn = 2 * radius * np.cos(2 * np.pi * track / SAMPLE_RATE)
        filters = [([1 - c + radius**2], [1, -c, radius**2]) for c in turn]
        voice = through_filters(voice, filters)
    hiss = filtered_noise(minimum_phase(analysis.envelopes(6)), len(samples), random)
    at = np.minimum(np.arange(len(samples)) // STEP, analysis.frames - 1)
    said = np.where(voiced[at], voice / (voice.std() + 1e-9), hiss / (hiss.std() + 1e-9))
    wanted, found = (gaussian_filter1d(x.levels, 2) for x in (analysis, Analysis(said)))
    return said * (wanted / (found + 1e-3))[at]


def formant_tracks(samples, frames, knot):
    """Frequencies [frames, 4] on straight lines between values every `knot` frames."""
    at_rate = resample_poly(samples, FORMANT_RATE, SAMPLE_RATE)
    hop = STEP * FORMANT_RATE // SAMPLE_RATE * knot
    window = 250
    padded = np.pad(np.append(at_rate[0], np.diff(at_rate)), (window // 2, window + hop))
    knots = -(-frames // knot) + 1
    found = np.tile(np.array(FORMANTS, float), (knots, 1))
    for i in range(knots):
        part = padded[i * hop : i * hop + window]
        if len(part) < window or not part.any():
            continue
        spectrum = np.abs(np.fft.rfft(part * np.hanning(window), 512)) ** 2
        correlation = np.fft.irfft(spectrum)[:11]
        correlation[0] = correlation[0] * 1.001 + 1e-9
        matrix = correlation[np.abs(np.subtract.outer(np.arange(10), np.arange(10)))]
        roots = np.roots(np.append(1, -np.linalg.solve(matrix, correlation[1:])))
        roots = roots[(roots.imag > 0) & (np.abs(roots) > LEAST_RADIUS)]
        hertz = np.sort(np.angle(roots)) * FORMANT_RATE / (2 * np.pi)
        hertz = hertz[(hertz > LOWEST) & (hertz < HIGHEST)][: len(FORMANTS)]
        found[i, : len(hertz)] = hertz
    at = np.arange(frames)
    return np.column_stack([np.interp(at, np.arange(knots) * knot, x) for x in found.T])


VOCODERS = {"parametric": parametric, "formants": formant}
