"""Trains the English head: whether a chunk is English, from the encoder's layers.

A linear function of the mean and the deviation of encoder layers over the chunk's frames, which
adds little to the encoder pass that English needs in any case. Each encoder has a head of its own
(english_head_base.py). The head must not learn
speakers: one telephone voice speaks English and Spanish, every condition of a call occurs in both
classes, and speech engines read English and other languages.
"""

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bundle import read_manifest, write_manifest
from distortions import distort
from encoder import TINY, Encoder
from figures import save_figures
from paths import WEIGHTS
from recordings import SAMPLE_RATE, data_directory, read_audio, trimmed
from speakers import evaluation_speakers, readers
from studio_prompts import PROMPT_FOLDER
from synthetic_sources import shuffled_texts

SEED = 20261122
# Telephone voices by language; the first two are the same speaker.
VOICES = {
    "en": "en_US_f_Allison",
    "es": "es_MX_f_Allison",
    "fr": "fr_CA_f_June",
    "it": "it_IT_m_Carlo",
    "ru": "ru_RU_f_IvrvoiceRU",
}
# Parts of the paths of prompts that are not sentences: letters, tones and silence.
EXCLUDED_PROMPTS = ("silence", "letters", "phonetic", "beep", "ascending", "tt-")
# Actors held out for the figures, and the number of meetings that are not.
TEST_ACTORS, TRAINING_MEETINGS = ("13", "14"), 8
CLIPS = {"prompts": 80, "reader": 2, "actor": 14, "meeting": 12, "engine": 3}
SECONDS = (1.5, 6)
PAUSE = SAMPLE_RATE // 4
# In a text that an engine reads.
MIN_WORDS = 3
VARIANTS = ("m1", "m3", "m5", "m7", "f1", "f2", "f4", "f5")
ENGLISH_ACCENTS = ("en-us", "en-gb", "en-gb-scotland")
REGULARISATION = 0.3
# Weights of the sum with the words' probabilities until `npm run eval -- english-odds` fits them.
UNFITTED = {"sound": 0.3, "words": 3, "offset": 2.9}


@dataclass(frozen=True)
class Head:
    """The name of the bundle, the encoder that it reads, and which of its layers."""

    name: str
    encoder: Encoder
    used_layers: tuple[int, ...]
    # Share of the labels that Platt's scaling takes for wrong: without it voices that the layers
    # separate completely would scale the log-odds without limit.
    doubt: float = 0.0


HEAD = Head("english-head", TINY, tuple(range(len(TINY.layers))))


def joined(paths, random):
    """Recordings of one voice joined with pauses and cut to a random length."""
    length = int(random.uniform(*SECONDS) * SAMPLE_RATE)
    parts, have = [], 0
    while have < length:
        part = trimmed(read_audio(paths[random.integers(len(paths))]))
        part = 0.5 * part / (np.abs(part).max() + 1e-9)
        parts += [part, np.zeros(PAUSE)]
        have += len(part) + PAUSE
    return np.concatenate(parts)[:length].astype("float32")


def people():
    """Yields (voice, is English, clips, is held out, paths)."""
    folder = data_directory()
    for code, name in VOICES.items():
        paths = [
            path
            for path in sorted((PROMPT_FOLDER / name).rglob("*.wav"))
            if not any(mark in str(path) for mark in EXCLUDED_PROMPTS)
        ]
        yield name, code == "en", CLIPS["prompts"], False, paths
    held_out = evaluation_speakers()
    for speaker, paths in sorted(readers().items()):
        yield speaker, True, CLIPS["reader"], speaker in held_out, paths
    for actor in sorted({path.name[:2] for path in (folder / "emodb").glob("*.flac")}):
        paths = sorted((folder / "emodb").glob(f"{actor}*.flac"))
        yield f"actor {actor}", False, CLIPS["actor"], actor in TEST_ACTORS, paths
    for i, path in enumerate(sorted((folder / "diarization").glob("*.flac"))):
        yield path.stem, True, CLIPS["meeting"], i >= TRAINING_MEETINGS, [path]


def cut(path, random):
    """A random excerpt of a meeting."""
    samples = read_audio(path)
    length = int(random.uniform(*SECONDS) * SAMPLE_RATE)
    start = random.integers(max(1, len(samples) - length))
    return samples[start : start + length]


def engine_clips(random):
    """Yields (voice, is English, samples) of espeak-ng; each voice speaks all languages."""
    texts = {code: prompt_texts(code) for code in VOICES if code != "en"}
    texts["en"] = shuffled_texts(random)
    with tempfile.TemporaryDirectory() as directory:
        path = str(Path(directory) / "speech.wav")
        for variant in VARIANTS:
            for code, all_texts in texts.items():
                count = CLIPS["engine"] * (3 if code == "en" else 1)
                for _ in range(count):
                    voice = random.choice(ENGLISH_ACCENTS) if code == "en" else code
                    text = " ".join(random.choice(all_texts, 2))
                    command = ["espeak-ng", "-v", f"{voice}+{variant}", "-w", path, text]
                    subprocess.run(command, check=True, capture_output=True)
                    yield variant, code == "en", read_audio(path)[: SECONDS[1] * SAMPLE_RATE]


def prompt_texts(code):
    """The texts of the telephone prompts in a language."""
    lines = (data_directory() / f"prompts/core-sounds-{code}.txt").read_text().splitlines()
    texts = [line.split(":", 1)[1].strip() for line in lines if ":" in line and line[0] != ";"]
    brackets = set("[]()<>{}")
    return [t for t in texts if len(t.split()) >= MIN_WORDS and not set(t) & brackets]


def clips(random):
    """Yields (voice, is English, is held out, samples), every other clip distorted."""
    for voice, english, count, held_out, paths in people():
        is_meeting = len(paths) == 1
        for number in range(count):
            samples = cut(paths[0], random) if is_meeting else joined(paths, random)
            yield voice, english, held_out, distort(samples, random) if number % 2 else samples
    for voice, english, samples in engine_clips(random):
        yield f"engine {voice}", english, False, samples


def summary(layers):
    """Mean and deviation over the frames, layer by layer: [layers * 2 * hidden]."""
    return np.concatenate([part for x in layers for part in (x.mean(0), x.std(0))])


def balanced(english, groups):
    """Weights that balance the two classes, and the kinds of voice within each class."""
    weights = np.zeros(len(english))
    for side in (True, False):
        kinds = sorted({g for g, e in zip(groups, english, strict=True) if e == side})
        for kind in kinds:
            own = np.array([g == kind for g in groups]) & (english == side)
            weights[own] = 0.5 / len(kinds) / own.sum()
    return weights * len(english)


def fit(features, english, weights):
    """Ridge regression on normalised features in its dual form: clips are fewer than features."""
    mean = np.average(features, axis=0, weights=weights)
    deviation = np.sqrt(np.average((features - mean) ** 2, axis=0, weights=weights)) + 1e-3
    normal = (features - mean) / deviation
    count = features.shape[1]
    kernel = normal @ normal.T / count + np.diag(REGULARISATION / weights)
    dual = np.linalg.solve(kernel, np.where(english, 1.0, -1.0))
    slopes = normal.T @ dual / count / deviation
    return slopes, -float(mean @ slopes)


def platt(scores, english, doubt, steps=50):
    """Platt scaling: slope and offset from scores to log-odds, with balanced classes."""
    targets = np.where(english, 1 - doubt, doubt)
    rows = np.stack([scores, np.ones_like(scores)], axis=1)
    weights = np.where(english, 0.5 / english.sum(), 0.5 / (~english).sum())
    found = np.zeros(2)
    for _ in range(steps):
        odds = 1 / (1 + np.exp(-rows @ found))
        curve = (rows.T * (weights * odds * (1 - odds))) @ rows + 1e-6 * np.eye(2)
        found += np.linalg.solve(curve, rows.T @ (weights * (targets - odds)) - 1e-6 * found)
    return found


def kind_of(voice):
    return "reader" if voice.isdigit() else voice.split(" ")[0][:3]


def build(head):
    random = np.random.default_rng(SEED)
    encode = head.encoder.load()
    voices, english, held_out, features = [], [], [], []
    for voice, is_english, is_held_out, samples in clips(random):
        voices.append(voice)
        english.append(is_english)
        held_out.append(is_held_out)
        layers = encode(samples)
        used = [layers[i] for i in head.used_layers]
        features.append(summary(used).astype("float32"))
    voices, english, held_out = np.array(voices), np.array(english), np.array(held_out)
    features = np.stack(features)
    print(f"{len(english)} clips, {english.sum()} of them English", flush=True)
    groups = np.array([kind_of(voice) for voice in voices])
    # The log-odds are fitted by cross-validation over voices, in five parts.
    parts = np.array([sorted(set(voices)).index(voice) % 5 for voice in voices])
    scores = np.zeros(len(english))
    for part in range(5):
        own = (parts != part) & ~held_out
        slopes, bias = fit(features[own], english[own], balanced(english[own], groups[own]))
        scores[parts == part] = features[parts == part] @ slopes + bias
    scale, offset = platt(scores[~held_out], english[~held_out], head.doubt)
    own = ~held_out
    slopes, bias = fit(features[own], english[own], balanced(english[own], groups[own]))
    odds = scale * (features @ slopes + bias) + offset
    crossed = scale * scores + offset
    content = {
        "weights": [float(f"{value:.4g}") for value in scale * slopes],
        "bias": float(f"{scale * bias + offset:.4g}"),
    }
    name = head.name
    (WEIGHTS / f"{name}.json").write_text(json.dumps(content) + "\n")
    odds_of_words = read_manifest(name).get("odds") or UNFITTED
    settings = {"weights": f"{name}.json", "layers": layer_names(head), "odds": odds_of_words}
    write_manifest(name, "english-head", [f"{name}.json"], settings)
    save_figures(name, measured(voices, english, held_out, odds, crossed))


def layer_names(head):
    return [head.encoder.layers[i] for i in head.used_layers]


def measured(voices, english, held_out, odds, crossed):
    """Accuracy at even odds: of held-out voices, and of the others in cross-validation."""
    shares = {}
    for name in ("reader", "actor", "meeting", "engine", *VOICES.values()):
        found = np.array([belongs(voice, name) for voice in voices])
        for label, values, own in (
            ("held out", odds, found & held_out),
            ("cross-validated", crossed, found & ~held_out),
        ):
            for side, is_side in (("English", english), ("other", ~english)):
                at = own & is_side
                if at.any():
                    right = (values[at] > 0) == english[at]
                    shares[f"{name}, {label}, {side}"] = round(float(right.mean()), 4)
    return shares


def belongs(voice, name):
    kinds = {"reader": voice.isdigit(), "meeting": voice[:3] in ("trn", "dev", "tst")}
    return kinds.get(name, voice.startswith(name))


def main():
    build(HEAD)


if __name__ == "__main__":
    main()
