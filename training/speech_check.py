"""Trains the check that tells speech from other sounds among what voice activity finds.

A regression on the frozen encoder's pooled layers and their motion. Where it finds no speech
nothing is scored (contract.md); of very short recordings it also judges what voice activity is
unsure of (models/vad/speech-regions.ts).
"""

import numpy as np
from sklearn.linear_model import LogisticRegression

from affect_experts import Scale
from bundle import write_manifest
from distortions import distort, through_codec
from encoder import TINY
from export_networks import save_regression
from figures import save_figures
from pooling import Pooler
from speech_check_sources import other_sounds, speech
from whitening import whitened_components

NAME = "speech-check"
SEED = 20261126
LAYERS = range(len(TINY.layers))
# Before and after a clip.
SILENCE_SECONDS = (0.0, 0.6)
# Loudest sample of a clip, in powers of ten.
PEAK = (-1.7, -0.05)
CODEC_SHARE = 0.4
COMPONENTS, WHITENING, STRENGTH = 192, 1.0, 0.01
# One of this many clips of a source is held out.
HELD_OUT = 4
# The logit of the regression that counts as zero. Of words by people that nothing was trained on
# fewer are lost than with a balanced one, of sounds few more are taken (models/weights/
# speech-check.md).
ZERO = -0.7


def rows_of(clips, pool, random):
    """Pooled layers of each clip, clean and distorted: [clips, 2, features]."""

    def at_some_level(samples):
        return samples / (np.abs(samples).max() + 1e-9) * 10 ** random.uniform(*PEAK)

    rows = []
    for samples in clips:
        clip = at_some_level(samples)
        distorted = distort(clip, random)
        if random.random() < CODEC_SHARE:
            distorted = through_codec(distorted, random)
        rows.append([pool(clip), pool(at_some_level(distorted))])
    return np.array(rows)


def collect():
    """Rows by source: of speech, and of other sounds."""
    random = np.random.default_rng(SEED)
    pool = Pooler(LAYERS, SILENCE_SECONDS, random, motion=True)
    every = []
    for sources in (speech(random), other_sounds(random)):
        rows = {}
        for name, clips in sources.items():
            rows[name] = rows_of(clips, pool, random)
            print(name, len(rows[name]), flush=True)
        every.append(rows)
    return every


def flat(rows):
    return rows.reshape(-1, rows.shape[-1])


def fit(spoken, other):
    """Scale, and weights and bias of the regression on the scaled rows."""
    sources = [flat(rows) for rows in (*spoken, *other)]
    scale = Scale(np.concatenate(sources))
    basis = whitened_components(sources, scale, COMPONENTS, WHITENING, SEED)
    truth = np.repeat([True, False], [sum(2 * len(x) for x in own) for own in (spoken, other)])
    model = LogisticRegression(C=STRENGTH, max_iter=1_000, class_weight="balanced")
    model.fit(scale(np.concatenate(sources)) @ basis, truth)
    return scale, basis @ model.coef_[0], float(model.intercept_[0]) - ZERO


def measure(spoken, other):
    """Shares of the held-out clips of each source that are lost, or taken for speech."""

    def part(sources, is_held_out):
        return {
            n: x[(np.arange(len(x)) % HELD_OUT == 0) == is_held_out] for n, x in sources.items()
        }

    kept = [list(part(sources, False).values()) for sources in (spoken, other)]
    scale, weight, bias = fit(*kept)
    figures = {}
    for kind, sources, is_wrong in (("lost", spoken, np.less), ("taken", other, np.greater_equal)):
        wrong = {
            name: is_wrong(scale(flat(rows)) @ weight + bias, 0)
            for name, rows in part(sources, True).items()
        }
        figures[kind] = float(np.concatenate(list(wrong.values())).mean())
        figures |= {f"{kind}, {name}": float(of.mean()) for name, of in wrong.items()}
    return figures


def main():
    spoken, other = collect()
    scale, weight, bias = fit(list(spoken.values()), list(other.values()))
    save_regression(NAME, LAYERS, scale, weight, bias)
    write_manifest(NAME, NAME, [f"{NAME}.onnx"], {"model": f"{NAME}.onnx"})
    save_figures(NAME, measure(spoken, other))


if __name__ == "__main__":
    main()
