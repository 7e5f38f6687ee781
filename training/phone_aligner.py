"""Trains the phone aligner: frame posteriors of 39 phones and silence on the frozen encoder.

1. flite reports exact phone times for its speech: the first model is trained on those frames.
2. Viterbi alignment of the second-language sentences with their canonical phones gives frame labels
   for human speech; the model is trained on both, and the alignment repeated (embedded training,
   Young et al., The HTK Book, 2006).
A frame classifier is used instead of CTC, whose peaks say little about where a phone ends
(docs/adr/0008). Each encoder has an aligner of its own (phone_aligner_base.py).
"""

from dataclasses import dataclass

import numpy as np

from alignment import align, optional_silence_graph
from bundle import read_manifest, write_manifest
from distortions import distort
from encoder import TINY, Encoder, frame_centres, load_session
from export_frames import save_convolutions
from figures import save_figures
from frame_network import fresh_parameters, log_probabilities, train
from paths import WEIGHTS
from phones import PHONES, phone_index
from recordings import SAMPLE_RATE, read_audio
from speakers import evaluation_speakers, second_language_folder, sentences
from synthetic_speech import VOICES, frame_labels, speak

SEED = 20261121
HIDDEN, WIDTHS = 160, (1, 5, 3)
SYNTHETIC_SENTENCES, WORD_LISTS, WORDS_PER_LIST = 1_600, 500, 4
STRETCH, MARGIN_SECONDS = (0.75, 1.35), (0.05, 0.6)
# Steps on flite's frames alone, then after each alignment of human speech.
FIRST_STEPS, EMBEDDED_STEPS = 2_500, (2_500, 4_000)
# Steps on the labels of a teacher, which are good from the start.
TAUGHT_STEPS = 2_500
# Weights of the confidence until `npm run eval -- confidence` has fitted them.
UNFITTED = {"bias": 0, "meanLogProbability": 1, "minLogProbability": 0, "fit": 0}


@dataclass(frozen=True)
class Aligner:
    """The name of the bundle, the encoder that it reads, and which of its layers."""

    name: str
    encoder: Encoder
    used_layers: tuple[int, ...]


# A third and two thirds of the way up, and the last.
ALIGNER = Aligner("phone-aligner", TINY, (2, 4, 6))


def states_of(aligner):
    """A function from samples to the states that the aligner reads, [frames, layers * hidden]."""
    encode = aligner.encoder.load()

    def states(samples):
        layers = encode(samples)
        return np.concatenate([layers[i] for i in aligner.used_layers], axis=1).astype("float16")

    return states


def with_margins(samples, random):
    """The recording between silences, and the length of the first one (samples)."""
    before, after = (int(random.uniform(*MARGIN_SECONDS) * SAMPLE_RATE) for _ in range(2))
    return np.concatenate([np.zeros(before), samples, np.zeros(after)]).astype("float32"), before


def second_language_sentences():
    """Per sentence: speaker, path and the phones of each word."""
    folder = second_language_folder()
    speakers = dict(line.split() for line in (folder / "utt2spk").read_text().splitlines())
    words = {}
    for line in (folder / "text-phone").read_text().splitlines():
        name, *phones = line.split()
        words.setdefault(name.split(".")[0], []).append([phone_index(p) for p in phones])
    return [
        (speakers[name], folder / "audio" / f"{name}.opus", phones)
        for name, phones in words.items()
    ]


def texts_to_speak(random):
    """Sentences, and lists of their words in any order."""
    texts = list(random.permutation(sentences())[:SYNTHETIC_SENTENCES])
    words = sorted({word for text in texts for word in text.split()})
    lists = random.choice(words, (WORD_LISTS, WORDS_PER_LIST))
    return texts + [f"{a}, {b}. {c}, {d}" for a, b, c, d in lists]


def synthetic_set(encode, random):
    """States and labels of spoken texts, each once clean and once distorted."""
    states, labels = [], []
    for i, text in enumerate(texts_to_speak(random)):
        samples, phones = speak(text, VOICES[i % len(VOICES)], random.uniform(*STRETCH))
        samples, before = with_margins(samples, random)
        phones = [(0, before)] + [(phone, end + before) for phone, end in phones]
        for version in (samples, distort(samples, random)):
            states.append(encode(version))
            labels.append(frame_labels(phones, frame_centres(len(states[-1]))))
    print(f"flite: {sum(map(len, labels))} frames", flush=True)
    return np.concatenate(states), np.concatenate(labels)


def human_set(encode, some, random, label=None):
    """States of each sentence, clean and distorted; and labels of its frames, by `label`."""
    clean, distorted, labels = [], [], []
    for _, path, words in some:
        samples, _ = with_margins(read_audio(path), random)
        clean.append(encode(samples))
        distorted.append(encode(distort(samples, random)))
        labels.append(label and label(samples, words))
    print(f"human: {sum(map(len, clean))} frames twice", flush=True)
    return (clean, distorted), labels


def labels_of(aligner):
    """A function from samples and the phones of words to frame labels, by a trained aligner."""
    states = states_of(aligner)
    session = load_session(str(WEIGHTS / f"{aligner.name}.onnx"))
    names = [value.name for value in session.get_inputs()]

    def label(samples, words):
        layers = np.split(states(samples).astype("float32"), len(names), axis=1)
        feeds = {name: layer[None] for name, layer in zip(names, layers, strict=True)}
        return labels_by(session.run(None, feeds)[0][0], words)

    return label


def labels_by(logs, words):
    """Frame labels from log-posteriors and phones; None for what cannot be aligned."""
    path = align(logs, optional_silence_graph(words))
    return None if path is None else path.astype("int8")


def label_by_alignment(parameters, some, encoded):
    """Frame labels of human speech from its phones; None for what cannot be aligned."""
    return [
        labels_by(log_probabilities(parameters, states), words)
        for (_, _, words), states in zip(some, encoded, strict=True)
    ]


def fit(states, labels, steps, random):
    fresh = fresh_parameters(states, HIDDEN, WIDTHS, len(PHONES), random)
    return train(fresh, states, labels, steps, random)


def fit_both(synthetic, human, labels, steps, random):
    """Parameters of a network that is trained on synthetic speech and on labelled human speech."""
    kept = [i for i, path in enumerate(labels) if path is not None]
    print(f"{len(kept)} sentences aligned", flush=True)
    states = [versions[i] for versions in human for i in kept]
    paths = [labels[i] for _ in human for i in kept]
    flite_states, flite_labels = synthetic
    every = np.concatenate([flite_states, *states])
    return fit(every, np.concatenate([flite_labels, *paths]), steps, random)


def embedded_training(synthetic, some, human, random):
    """Parameters of the network after every round of alignment and training."""
    parameters = fit(*synthetic, FIRST_STEPS, random)
    for steps in EMBEDDED_STEPS:
        labels = label_by_alignment(parameters, some, human[0])
        parameters = fit_both(synthetic, human, labels, steps, random)
    return parameters


def frames_as_aligned(parameters, encode, some, random):
    """The mean share of a sentence's frames whose likeliest phone is that of the alignment."""
    encoded = [encode(with_margins(read_audio(path), random)[0]) for _, path, _ in some]
    labels = label_by_alignment(parameters, some, encoded)
    return np.mean(
        [
            np.mean(log_probabilities(parameters, states).argmax(1) == path)
            for states, path in zip(encoded, labels, strict=True)
            if path is not None
        ]
    )


def write(aligner, parameters):
    name = aligner.name
    inputs = aligner.encoder.inputs(aligner.used_layers)
    save_convolutions(name, parameters, inputs, "log_posteriors", len(PHONES))
    settings = {
        "model": f"{name}.onnx",
        "phones": PHONES,
        "letterRules": "letter-to-phone.json",
        "confidence": read_manifest(name).get("confidence") or UNFITTED,
    }
    files = [f"{name}.onnx", "letter-to-phone.json"]
    write_manifest(name, "phone-aligner", files, settings)


def build(aligner, teacher=None):
    """Trains and writes an aligner; with a `teacher`, on its labels of human speech."""
    random = np.random.default_rng(SEED)
    encode = states_of(aligner)
    held_out = evaluation_speakers()
    read = second_language_sentences()
    training = [sentence for sentence in read if sentence[0] not in held_out]
    synthetic = synthetic_set(encode, random)
    human, labels = human_set(encode, training, random, teacher and labels_of(teacher))
    if teacher:
        parameters = fit_both(synthetic, human, labels, TAUGHT_STEPS, random)
    else:
        parameters = embedded_training(synthetic, training, human, random)
    test = [sentence for sentence in read if sentence[0] in held_out]
    right = frames_as_aligned(parameters, encode, test, random)
    write(aligner, parameters)
    save_figures(aligner.name, {"frames as aligned, speakers held out": round(float(right), 3)})


def main():
    build(ALIGNER)


if __name__ == "__main__":
    main()
