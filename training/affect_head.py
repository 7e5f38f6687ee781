"""Trains the affect heads: 15 emotions and 16 styles on the frozen encoder's pooled layers.

    python training/affect_head.py

A multinomial logistic regression over emodb's seven classes gives six of the labels (the score is
the class's posterior); ridge regressions read prosodic measures; the other 25 labels are placed by
valence, arousal, dominance and those measures (affect_labels.py). Writes the graphs, the manifests'
thresholds and the figures of the model card.
"""

import json
import sys
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression, Ridge

from affect_labels import CLASS_PLACES, CLASSES, EMOTIONS, PLACED, RECORDED, STYLES
from bundle import write_manifest
from encoder import load_encoder
from export_affect import save_affect_head
from export_head import WEIGHTS
from prosody import MEASURES, measure
from recordings import (
    SAMPLE_RATE,
    add_background,
    data_directory,
    distort,
    read_audio,
    telephone_band,
)
from resonance2_calibration import write_calibration
from speakers import evaluation_speakers, readers

SEED = 20261121
# The flagship pools every layer; the alternative model reads three of them.
VARIANTS = {"affect-resonance": tuple(range(7)), "affect-fourier": (2, 3, 4)}
READ_SPEECH = 400
# Read speech only tells what neutral sounds like in other rooms: emotion must not hang on it.
READ_SPEECH_WEIGHT = 0.25
STRENGTH = 0.01
DISTORTIONS = 3
LABELS = [*EMOTIONS, *STYLES]
# The share of a mixed population that a placed label is selected for.
SELECTED_SHARE = 0.08
# Score at which placed emotions and styles are selected, and the spread of their logits. Placed
# emotions stay low: what was recorded outranks what was only placed near it.
PLACED_EMOTION, PLACED_STYLE = (0.2, 0.6), (0.5, 1.5)
# Studio voices that read telephone prompts without emotion; the English voice is kept for the test.
PROMPTS = Path("/usr/share/asterisk/sounds")
PROMPT_VOICES = ("fr_CA_f_June", "it_IT_m_Carlo", "ru_RU_f_IvrvoiceRU")
PROMPTS_PER_VOICE = 80
# A second of 8 kHz with 16 bits, and some.
LEAST_PROMPT_BYTES = 20_000


class Pooler:
    """Mean and deviation of every layer over the speech of a clip, [7, 576]."""

    def __init__(self):
        self.encode = load_encoder()

    def __call__(self, samples, random):
        before, after = (int(random.uniform(0.0, 0.6) * SAMPLE_RATE) for _ in range(2))
        floor = 1e-4 * random.standard_normal(before + len(samples) + after)
        floor[before : before + len(samples)] += samples
        layers = self.encode(floor)
        centres = np.arange(len(layers[0])) * 384 + 447
        inside = (centres >= before) & (centres < before + len(samples))
        return np.stack(
            [
                np.concatenate([x[inside].mean(0), np.sqrt(np.maximum(x[inside].var(0), 1e-6))])
                for x in layers
            ]
        ).astype("float32")


def emodb(pool, random):
    """Clips, speakers, classes; versions [clips, 1 + DISTORTIONS + 2, 7, 576] and prosody."""
    paths = sorted((data_directory() / "emodb").glob("*.flac"))
    versions, prosody = [], []
    for path in paths:
        samples = read_audio(path)
        samples = samples / (np.abs(samples).max() + 1e-9) * 0.7
        changed = [distort(samples, random) for _ in range(DISTORTIONS)]
        line = [telephone_band(samples), add_background(samples, random, 10)]
        versions.append(np.stack([pool(s, random) for s in (samples, *changed, *line)]))
        prosody.append(measure(samples))
    names = [path.stem for path in paths]
    return (
        np.stack(versions),
        np.array(prosody),
        np.array([n[5] for n in names]),
        np.array([n[:2] for n in names]),
    )


def studio_prompts(random):
    """Paths of prompts of a second and more, some of each voice."""
    for voice in PROMPT_VOICES:
        found = (PROMPTS / voice).rglob("*.wav")
        paths = sorted(p for p in found if p.stat().st_size > LEAST_PROMPT_BYTES)
        if not paths:
            raise SystemExit(
                f"Install asterisk-core-sounds-{voice[:2]}-wav: {PROMPTS / voice} is empty."
            )
        yield from random.permutation(paths)[:PROMPTS_PER_VOICE]


def read_speech(pool, random):
    """Speech read without emotion, half clean and half distorted: training and held-out readers."""
    paths, held_out = readers(), evaluation_speakers()
    train = [p for s in sorted(paths) if s not in held_out for p in paths[s]]
    test = [p for s in sorted(held_out) for p in paths[s]]
    train = [*random.permutation(train)[:READ_SPEECH], *studio_prompts(random)]
    return [
        measure_all(pool, some, random)
        for some in (train, random.permutation(test)[: READ_SPEECH // 4])
    ]


def measure_all(pool, paths, random):
    pooled, prosody = [], []
    for i, path in enumerate(paths):
        samples = read_audio(path)
        prosody.append(measure(samples))
        pooled.append(pool(samples if i % 2 else distort(samples, random), random))
    return np.stack(pooled), np.array(prosody)


def meetings(pool, random):
    """Stretches of 5 s of meeting clips: only for the calibration of placed labels."""
    pooled = []
    for path in sorted((data_directory() / "diarization").glob("*.flac")):
        samples = read_audio(path)
        pooled += [pool(samples[at : at + 80_000], random) for at in range(0, 400_000, 80_000)]
    return np.stack(pooled)


class Standardiser:
    """Features with the mean and deviation of those that it was made of."""

    def __init__(self, features):
        self.mean, self.deviation = features.mean(0), features.std(0) + 1e-3

    def __call__(self, features):
        return (features - self.mean) / self.deviation


def fit_classes(features, classes, weights):
    counts = {c: weights[classes == c].sum() for c in CLASSES}
    balanced = weights * np.array([len(classes) / (7 * counts[c]) for c in classes])
    model = LogisticRegression(C=STRENGTH, max_iter=400)
    model.fit(features, classes, sample_weight=balanced)
    order = [list(model.classes_).index(c) for c in CLASSES]
    return model.coef_[order], model.intercept_[order]


def unweighted_recall(predicted, true):
    return float(np.mean([(predicted[true == c] == c).mean() for c in RECORDED]))


def assemble(used, clips, read, train):
    """Training rows of one variant: features, classes, weights."""
    versions, _, classes, _ = clips
    pooled, _ = read
    count = versions.shape[1]
    rows = versions[train][:, :, used].reshape(-1, len(used) * versions.shape[-1])
    features = np.concatenate([rows, pooled[:, used].reshape(len(pooled), -1)])
    targets = np.concatenate([np.repeat(classes[train], count), np.full(len(pooled), "N")])
    weights = np.concatenate(
        [np.full(len(rows), 1 / count), np.full(len(pooled), READ_SPEECH_WEIGHT)]
    )
    return features, targets, weights


def leave_one_speaker_out(used, clips, read):
    """Held-out class scores of every clip: clean, telephone, noise; and recalls per speaker."""
    versions, _, classes, speakers = clips
    logits = np.zeros((3, len(classes), len(CLASSES)))
    for speaker in np.unique(speakers):
        features, targets, weights = assemble(used, clips, read, speakers != speaker)
        scale = Standardiser(features)
        weight, bias = fit_classes(scale(features), targets, weights)
        test = speakers == speaker
        for i, version in enumerate((0, -2, -1)):
            rows = versions[test, version][:, used].reshape(test.sum(), -1)
            logits[i, test] = scale(rows) @ weight.T + bias
    return logits


def recalls(logits, clips):
    _, _, classes, speakers = clips
    six = np.array([CLASSES.index(c) for c in RECORDED])
    known = np.isin(classes, list(RECORDED))
    result = {}
    for name, scores in zip(("wide band", "telephone", "noise 10 dB"), logits, strict=True):
        predicted = np.array(CLASSES)[six][scores[:, six].argmax(1)]
        result[name] = unweighted_recall(predicted[known], classes[known])
        if name == "wide band":
            result["speakers"] = {
                str(s): float(
                    np.mean(
                        [
                            (predicted[(speakers == s) & (classes == c)] == c).mean()
                            for c in RECORDED
                            if ((speakers == s) & (classes == c)).any()
                        ]
                    )
                )
                for s in np.unique(speakers)
            }
    return result


def best_threshold(scores, truth):
    """The score at which F1 is greatest."""
    candidates = np.quantile(scores, np.linspace(0.02, 0.98, 97))

    def f1(threshold):
        chosen = scores >= threshold
        return 2 * (chosen & truth).sum() / max(1, chosen.sum() + truth.sum())

    return float(max(candidates, key=f1))


def softmax(logits):
    exponent = np.exp(logits - logits.max(1, keepdims=True))
    return exponent / exponent.sum(1, keepdims=True)


def placed_logits(places, prosody):
    """Unscaled logits of the placed labels [rows, 25] and the linear map that gives them."""
    columns = []
    for dimensions, weights in PLACED.values():
        place = np.array(dimensions)
        # -3 |p - place|^2 + w . prosody, as a map of (p, |p|^2, prosody).
        row = np.concatenate([6 * place, [-3.0], [weights.get(m, 0.0) for m in MEASURES]])
        columns.append((row, -3 * float(place @ place)))
    matrix = np.stack([row for row, _ in columns], 1)
    bias = np.array([b for _, b in columns])
    inputs = np.concatenate([places, (places**2).sum(1, keepdims=True), prosody], 1)
    return inputs @ matrix + bias, matrix, bias


def flat(pooled, used):
    return pooled[:, used].reshape(len(pooled), -1)


def train_variant(name, used, clips, read, test_read, other):
    used = list(used)
    held_out = leave_one_speaker_out(used, clips, read)
    figures = recalls(held_out, clips)
    versions, prosody, classes, _ = clips
    features, targets, weights = assemble(used, clips, read, np.ones(len(classes), bool))
    scale = Standardiser(features)
    weight, bias = fit_classes(scale(features), targets, weights)

    rows = versions.shape[1]
    measured = np.concatenate([np.repeat(prosody, rows, 0), read[1]])
    scale_prosody = Standardiser(measured)
    known = np.concatenate([np.repeat(clips[3] != "03", rows), np.ones(len(read[1]), bool)])
    trial = Ridge(3000).fit(scale(features[known]), scale_prosody(measured[known]))
    residual = scale_prosody(test_read[1]) - trial.predict(scale(flat(test_read[0], used)))
    spread = scale_prosody(test_read[1]).var(0)
    figures["prosody R2, readers held out"] = dict(
        zip(MEASURES, (1 - (residual**2).mean(0) / spread).round(3), strict=True)
    )
    ridge = Ridge(3000).fit(scale(features), scale_prosody(measured))

    population = np.concatenate(
        [flat(versions[:, 0], used), flat(read[0], used), flat(other, used)]
    )
    class_logits = scale(population) @ weight.T + bias
    places = softmax(class_logits) @ np.array(CLASS_PLACES)
    logits, matrix, offset = placed_logits(places, ridge.predict(scale(population)))
    settings = [PLACED_EMOTION if label in EMOTIONS else PLACED_STYLE for label in PLACED]
    gain = np.array([spread for _, spread in settings]) / logits.std(0)
    level = np.array([np.log(score / (1 - score)) for score, _ in settings])
    offset = (offset - np.quantile(logits, 1 - SELECTED_SHARE, axis=0)) * gain + level
    matrix = matrix * gain

    # Against all fifteen emotions: held-out classes, placed emotions from the same posteriors.
    placed = [label for label in PLACED if label in EMOTIONS]
    columns = [list(PLACED).index(label) for label in placed]
    inputs = softmax(held_out[0]) @ np.array(CLASS_PLACES)
    inputs = np.concatenate(
        [
            inputs,
            (inputs**2).sum(1, keepdims=True),
            ridge.predict(scale(flat(versions[:, 0], used))),
        ],
        1,
    )
    placed_scores = 1 / (1 + np.exp(-(inputs @ matrix + offset)))[:, columns]
    six = [CLASSES.index(c) for c in RECORDED]
    scores = np.concatenate([softmax(held_out[0])[:, six], placed_scores], 1)
    top = np.array([*RECORDED, *placed])[scores.argmax(1)]
    known = np.isin(classes, list(RECORDED))
    figures["wide band, top of fifteen"] = unweighted_recall(top[known], classes[known])
    unseen = softmax(scale(flat(test_read[0], used)) @ weight.T + bias)
    figures["neutral on held-out readers"] = float((unseen.argmax(1) == CLASSES.index("N")).mean())

    posteriors = softmax(held_out[0])
    thresholds = {
        label: PLACED_EMOTION[0] if label in EMOTIONS else PLACED_STYLE[0] for label in LABELS
    }
    for letter, label in RECORDED.items():
        thresholds[label] = round(
            best_threshold(posteriors[:, CLASSES.index(letter)], classes == letter), 3
        )
    save_affect_head(
        name,
        used,
        {
            "mean": scale.mean,
            "deviation": scale.deviation,
            "class_weight": weight.T,
            "class_bias": bias,
            "prosody_weight": ridge.coef_.T,
            "prosody_bias": ridge.intercept_,
            "class_places": np.array(CLASS_PLACES),
            "placed_weight": matrix,
            "placed_bias": offset,
        },
    )
    if name == "affect-resonance":
        figures["resonance-2 reliability"] = write_calibration(held_out[0], classes, thresholds)
    write_manifest(
        name,
        "affect-head",
        [f"{name}.onnx"],
        {
            "model": f"{name}.onnx",
            "emotionThresholds": {label: thresholds[label] for label in EMOTIONS},
            "styleThresholds": {label: thresholds[label] for label in STYLES},
        },
    )
    return figures


def main():
    random = np.random.default_rng(SEED)
    pool = Pooler()
    clips = emodb(pool, random)
    read, test_read = read_speech(pool, random)
    other = meetings(pool, random)
    figures = {
        name: train_variant(name, used, clips, read, test_read, other)
        for name, used in VARIANTS.items()
    }
    (WEIGHTS / "affect-figures.json").write_text(json.dumps(figures, indent=2) + "\n")
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    sys.exit(main())
