"""Trains the phone aligner: frame posteriors of 39 phones and silence on the frozen encoder.

    python training/phone_aligner.py

1. flite's speech has exact phone times: the first model learns from those frames.
2. Viterbi alignment of the second-language sentences with their canonical phones gives frame labels
   for human speech; the model is trained on both, and the alignment repeated (embedded training,
   Young et al., The HTK Book, 2006).
A frame classifier is used instead of CTC: CTC's peaks say little about where a phone ends
(docs/adr/0008).
"""

import sys
import time

import numpy as np

from alignment import align, optional_silence_graph
from bundle import read_manifest, write_manifest
from encoder import FRAME_CENTRE_SAMPLES, load_encoder
from export_head import save_convolutions
from frame_network import fresh_parameters, log_probabilities, train
from phones import PHONES, phone_index
from recordings import SAMPLE_RATE, data_directory, distort, read_audio
from speakers import evaluation_speakers
from synthetic_speech import VOICES, frame_labels, speak

SEED = 20261121
# Of the seven layers: after the second and the fourth, and the last.
USED_LAYERS = (2, 4, 6)
HIDDEN, WIDTHS = 160, (1, 5, 3)
SYNTHETIC_SENTENCES = 1_600


def hidden_states(encode, samples):
    return np.concatenate([encode(samples)[i] for i in USED_LAYERS], axis=1).astype("float16")


def with_margins(samples, random, seconds=0.6):
    """Silence around a recording, and how many samples of it stand before."""
    before, after = (int(random.uniform(0.05, seconds) * SAMPLE_RATE) for _ in range(2))
    return np.concatenate([np.zeros(before), samples, np.zeros(after)]).astype("float32"), before


def second_language_sentences():
    """Per sentence: speaker, path and the phones of each word."""
    folder = data_directory() / "l2-english"
    speakers = dict(line.split() for line in (folder / "utt2spk").read_text().splitlines())
    words = {}
    for line in (folder / "text-phone").read_text().splitlines():
        name, *phones = line.split()
        words.setdefault(name.split(".")[0], []).append([phone_index(p) for p in phones])
    return [
        (speakers[name], folder / "audio" / f"{name}.opus", phones)
        for name, phones in words.items()
    ]


def synthetic_set(encode, texts, random):
    """Frames and labels of spoken texts, each once clean and once distorted."""
    for i, text in enumerate(texts):
        samples, phones = speak(text, VOICES[i % len(VOICES)], random.uniform(0.75, 1.35))
        samples, before = with_margins(samples, random)
        phones = [(phone, end + before) for phone, end in phones]
        for version in (samples, distort(samples, random)):
            states = hidden_states(encode, version)
            centres = np.arange(len(states)) * 384 + FRAME_CENTRE_SAMPLES
            yield states, frame_labels([(0, before), *phones], centres)


def label_by_alignment(parameters, sentences, encoded):
    """Frame labels of human speech from its phones; [] for what cannot be aligned."""
    labelled = []
    for (_, _, words), states in zip(sentences, encoded, strict=True):
        logs = log_probabilities(parameters, states)
        path = align(logs, optional_silence_graph(words))
        labelled.append(None if path is None else path.astype("int8"))
    return labelled


def main():
    random = np.random.default_rng(SEED)
    encode = load_encoder()
    sentences = second_language_sentences()
    held_out = evaluation_speakers()
    training = [s for s in sentences if s[0] not in held_out]
    texts = [
        line.split(None, 1)[1].lower()
        for line in (data_directory() / "l2-english/text").read_text().splitlines()
    ]
    texts = list(random.permutation(sorted(set(texts)))[:SYNTHETIC_SENTENCES])
    words = sorted({word for text in texts for word in text.split()})
    texts += [f"{a}, {b}. {c}, {d}" for a, b, c, d in random.choice(words, (500, 4))]

    started = time.time()
    pairs = list(synthetic_set(encode, texts, random))
    flite_states = np.concatenate([states for states, _ in pairs])
    flite_labels = np.concatenate([labels for _, labels in pairs])
    print(f"flite: {len(flite_labels)} frames, {time.time() - started:.0f} s", flush=True)

    clean, distorted = [], []
    for _, path, _ in training:
        samples, _ = with_margins(read_audio(path), random)
        clean.append(hidden_states(encode, samples))
        distorted.append(hidden_states(encode, distort(samples, random)))
    print(f"human: {sum(map(len, clean))} frames twice, {time.time() - started:.0f} s", flush=True)

    parameters = fresh_parameters(flite_states, HIDDEN, WIDTHS, len(PHONES), random)
    parameters = train(parameters, flite_states, flite_labels, 2_500, random)
    for iteration, steps in enumerate((2_500, 4_000)):
        labels = label_by_alignment(parameters, training, clean)
        kept = [i for i, path in enumerate(labels) if path is not None]
        states = np.concatenate(
            [flite_states, *(clean[i] for i in kept), *(distorted[i] for i in kept)]
        )
        targets = np.concatenate(
            [flite_labels, *(labels[i] for i in kept), *(labels[i] for i in kept)]
        )
        print(
            f"iteration {iteration}: {len(kept)} sentences, {time.time() - started:.0f} s",
            flush=True,
        )
        parameters = fresh_parameters(states, HIDDEN, WIDTHS, len(PHONES), random)
        parameters = train(parameters, states, targets, steps, random)

    held = [s for s in sentences if s[0] in held_out]
    encoded = [
        hidden_states(encode, with_margins(read_audio(path), random)[0]) for _, path, _ in held
    ]
    labels = label_by_alignment(parameters, held, encoded)
    right = [
        np.mean(log_probabilities(parameters, states).argmax(1) == path)
        for states, path in zip(encoded, labels, strict=True)
        if path is not None
    ]
    print(f"held-out speakers: {100 * np.mean(right):.1f} % of frames as aligned", flush=True)
    save_convolutions("phone-aligner", parameters, USED_LAYERS, "log_posteriors", len(PHONES))
    confidence = read_manifest("phone-aligner").get("confidence") or {
        "bias": 0,
        "meanLogProbability": 1,
        "minLogProbability": 0,
        "fit": 0,
    }
    write_manifest(
        "phone-aligner",
        "phone-aligner",
        ["phone-aligner.onnx", "letter-to-phone.json"],
        {
            "model": "phone-aligner.onnx",
            "phones": PHONES,
            "letterRules": "letter-to-phone.json",
            "confidence": confidence,
        },
    )


if __name__ == "__main__":
    sys.exit(main())
