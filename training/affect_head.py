"""Trains the affect heads: 15 emotions and 16 styles of speech segments.

    python training/affect_head.py

Four logistic regressions classify acted emotion (emodb's seven classes): on functionals
(speech_features.py) and on pooled encoder layers, each once absolutely and once relative to the
rest of the recording. The classifier (models/affect/classify.ts) adds their logits. The 25 labels
without training data are placed by valence, arousal, dominance and measured prosody
(affect_labels.py).
"""

import sys
from functools import cached_property

import numpy as np

from affect_data import CONDITIONS
from affect_experts import (
    Expert,
    Scale,
    against_recording,
    against_speaker,
    best_of_recorded,
    recall_by_class,
    softmax,
    unweighted_recall,
)
from affect_labels import CLASS_PLACES, CLASSES, EMOTIONS, MEASURES, PLACED, RECORDED, STYLES
from affect_speech import SEED, acted_speech, calm_speech, held_out_readers, meetings
from bundle import write_manifest
from export_affect import save_classifier, save_encoder_logits
from familiarity import Familiarity, familiar_limit, familiar_share
from figures import save_figures
from resonance2_calibration import write_calibration
from speech_features import feature_names

# The flagship reads three middle layers of the encoder, the alternative model two of them.
VARIANTS = {"affect-resonance": (2, 3, 4), "affect-fourier": (2, 3)}
# Calm speech adds neutral speech of other recordings. Its weight in the absolute view is low, so
# that the view does not learn that every other microphone means neutral.
ABSOLUTE_CALM_WEIGHT, RELATIVE_CALM_WEIGHT = 0.03, 0.25
# Inverse strength of the regularisation; components of the layers.
FUNCTIONALS_STRENGTH, LAYERS_STRENGTH, COMPONENTS = 0.01, 0.01, 256
# Temperatures of the logits, chosen on the validation words of an English corpus that is not used
# for training, so that wrong emotions seldom score 0.7 or more there.
ABSOLUTE_TEMPERATURE, RELATIVE_TEMPERATURE = 3.0, 3.0
# Weight of the functionals against the layers in the relative view, chosen on the same words.
RELATIVE_FUNCTIONALS = 2.0
# Placed labels score low, so that recorded labels outrank them: the score from which they are
# selected and the spread of their logits, and the share of speech that gets one.
PLACED_EMOTION, PLACED_STYLE = (0.2, 0.5), (0.5, 1.2)
SELECTED_SHARE = 0.03
RECORDED_THRESHOLD = 0.4
LABELS = [*EMOTIONS, *STYLES]


class View:
    """Absolute and relative expert over one kind of rows (functionals or layers)."""

    def __init__(self, rows, acted, calm, strength, components=None):
        clips, others = rows(acted), rows(calm)
        classes = np.concatenate([acted.classes, calm.classes])
        self.scale = Scale(np.concatenate([clips, others]), clip=components is None)
        scaled, neutral = self.scale(clips), self.scale(others)
        self.rows = np.concatenate([scaled, neutral])

        def fit(moved, still, calm_weight):
            weights = [np.full(len(moved), 1 / len(CONDITIONS)), np.full(len(still), calm_weight)]
            every = np.concatenate([moved, still])
            return Expert(every, classes, np.concatenate(weights), strength, components)

        self.absolute = fit(scaled, neutral, ABSOLUTE_CALM_WEIGHT)
        groups = np.char.add(acted.speakers.astype(str), acted.conditions.astype(str))
        random = np.random.default_rng(SEED)
        relative = against_recording(scaled, acted.classes, groups, random)
        self.relative = fit(relative, against_speaker(neutral, calm.speakers), RELATIVE_CALM_WEIGHT)

    @cached_property
    def familiarity(self):
        """Of the rows that the view was trained on."""
        return Familiarity(self.rows)


def train_views(used, acted, calm):
    """The views of functionals and of layers, trained on this acted and calm speech."""
    functionals = View(lambda speech: speech.functionals, acted, calm, FUNCTIONALS_STRENGTH)
    layers = View(lambda speech: speech.layers(used), acted, calm, LAYERS_STRENGTH, COMPONENTS)
    for view, share in ((functionals, RELATIVE_FUNCTIONALS), (layers, 1)):
        view.absolute.divide(ABSOLUTE_TEMPERATURE)
        view.relative.divide(RELATIVE_TEMPERATURE / share)
    return functionals, layers


def absolute_logits(views, used, speech):
    functionals, layers = views
    own = functionals.absolute(functionals.scale(speech.functionals))
    return own + layers.absolute(layers.scale(speech.layers(used)))


def distances_of(functionals, speech):
    """How far the clips are from what a view of functionals was trained on."""
    return functionals.familiarity.distance(functionals.scale(speech.functionals))


def leave_one_speaker_out(used, acted, calm):
    """Logits and distances of every clip, from experts that were trained without its speaker."""
    logits, distances = np.zeros((len(acted.classes), len(CLASSES))), np.zeros(len(acted.classes))
    for speaker in np.unique(acted.speakers):
        unseen = acted.speakers == speaker
        views, own = train_views(used, acted.part(~unseen), calm), acted.part(unseen)
        logits[unseen] = absolute_logits(views, used, own)
        distances[unseen] = distances_of(views[0], own)
    return logits, distances


def recalls(logits, acted):
    figures = {}
    for name, condition in (
        ("wide band", "clean"),
        ("telephone", "telephone"),
        ("noise", "mixed1"),
    ):
        chosen = (acted.conditions == condition) & np.isin(acted.classes, list(RECORDED))
        predicted, true = best_of_recorded(logits[chosen]), acted.classes[chosen]
        figures[name] = unweighted_recall(predicted, true)
        figures[f"{name}, by emotion"] = recall_by_class(predicted, true)
    return figures


def placement(views, used, speech, limit):
    """Inputs of placed labels [rows, 4 + measures]: place, its squared length, prosody."""
    share = familiar_share(distances_of(views[0], speech), limit)[:, None]
    places = softmax(share * absolute_logits(views, used, speech)) @ np.array(CLASS_PLACES)
    names = feature_names()
    prosody = share * views[0].scale(speech.functionals)
    prosody = prosody[:, [names.index(name) for name in MEASURES.values()]]
    return np.concatenate([places, (places**2).sum(1, keepdims=True), prosody], 1)


def place_labels(inputs):
    """Weights and bias by placed label, at the levels of the settings over these inputs."""
    placed = {}
    for label, (place, prosody) in PLACED.items():
        # -3 |p - place|^2 + w . prosody, as a map of (p, |p|^2, prosody).
        row = np.array([*(6 * x for x in place), -3.0, *(prosody.get(m, 0.0) for m in MEASURES)])
        logits = inputs @ row - 3 * float(np.dot(place, place))
        score, spread = PLACED_EMOTION if label in EMOTIONS else PLACED_STYLE
        gain = spread / logits.std()
        level = np.log(score / (1 - score)) - gain * np.quantile(logits, 1 - SELECTED_SHARE)
        bias = level - gain * 3 * float(np.dot(place, place))
        placed[label] = {"weights": row * gain, "bias": bias}
    return placed


def thresholds():
    recorded = dict.fromkeys(RECORDED.values(), RECORDED_THRESHOLD)
    placed = {x: (PLACED_EMOTION if x in EMOTIONS else PLACED_STYLE)[0] for x in PLACED}
    return {label: {**placed, **recorded}[label] for label in LABELS}


def write_head(name, used, views, placed, limit):
    functionals, layers = views
    save_encoder_logits(name, used, layers.scale, layers.absolute, layers.relative)
    linear = {
        view: {"weights": expert.weight, "bias": expert.bias}
        for view, expert in (("absolute", functionals.absolute), ("relative", functionals.relative))
    }
    save_classifier(name, {
        "functionals": feature_names(),
        "mean": functionals.scale.mean,
        "deviation": functionals.scale.deviation,
        **linear,
        "encoderBias": layers.relative.bias,
        "familiar": functionals.familiarity.weights(limit),
        "recorded": {label: CLASSES.index(letter) for letter, label in RECORDED.items()},
        "places": CLASS_PLACES,
        "measures": list(MEASURES.values()),
        "placed": placed,
    })  # fmt: skip
    chosen = thresholds()
    write_manifest(name, "affect-head", [f"{name}.onnx", f"{name}.json"], {
        "model": f"{name}.onnx",
        "weights": f"{name}.json",
        "emotionThresholds": {label: chosen[label] for label in EMOTIONS},
        "styleThresholds": {label: chosen[label] for label in STYLES},
    })  # fmt: skip


def train_variant(name, used, acted, calm, others):
    logits, distances = leave_one_speaker_out(used, acted, calm)
    figures = recalls(logits, acted)
    limit = familiar_limit(distances)
    views = train_views(used, acted, calm)
    readers, spontaneous = others
    unseen = softmax(absolute_logits(views, used, readers))
    figures["neutral on held-out readers"] = float((unseen.argmax(1) == CLASSES.index("N")).mean())
    clean = acted.conditions == "clean"
    inputs = np.concatenate([
        placement(views, used, part, limit) for part in (acted.part(clean), calm, spontaneous)
    ])  # fmt: skip
    write_head(name, used, views, place_labels(inputs), limit)
    if name == "affect-resonance":
        shared = logits * familiar_share(distances, limit)[:, None]
        figures["resonance-2 reliability"] = write_calibration(
            shared[clean], acted.classes[clean], thresholds()
        )
    return figures


def main():
    acted, calm = acted_speech(), calm_speech()
    others = held_out_readers(), meetings()
    figures = {
        name: train_variant(name, used, acted, calm, others) for name, used in VARIANTS.items()
    }
    save_figures("affect", figures)


if __name__ == "__main__":
    sys.exit(main())
