"""Whisper's graphs: encoder and decoder against a second implementation in numpy."""

import json

import numpy as np
import pytest

from paths import BUNDLES
from whisper_reference import (
    HEADS,
    LAYERS,
    N_FFT,
    VOCABULARY,
    WIDTH,
    Weights,
    cross_pair,
    encoder_layer,
    front,
    log_mel,
    next_logits,
    windowed_frames,
)
from written_graphs import bundle_session

BUNDLE = json.loads((BUNDLES / "whisper-base.json").read_text())
TOKENS = BUNDLE["tokens"]
PROMPT = [
    TOKENS["startOfTranscript"],
    BUNDLE["languageTokens"]["en"],
    TOKENS["transcribe"],
    TOKENS["noTimestamps"],
]
STEPS = 8
# Of the last third of the positions every third has a state, which counts for three.
THINNED = 3
# A value halfway between two of the 256 quantisation steps may round to either, which changes a
# result by this share of its length. Each layer of the encoder is compared from the graph's input.
ROUNDING = 0.02
# In the decoder such a difference passes through all layers, where it moves others over such a
# border: 0.08 at a prompt of four tokens, 2e-7 at a token without one.
DECODER_ROUNDING = 0.15


def session(part):
    return bundle_session("whisper-base", part)


@pytest.fixture(scope="module")
def encoded(speech):
    """What the parts of the encoder's graph give, by name."""
    frames = windowed_frames(speech).astype("float32")
    half = N_FFT // 2
    mirrored = frames[:, :half:-1]
    even = np.concatenate(
        [frames[:, :1], frames[:, 1:half] + mirrored, frames[:, half : half + 1]], 1
    )
    values = {"even": even, "odd": frames[:, 1:half] - mirrored, "padding": np.array([0])}
    dense, count = len(frames) // 3 // THINNED * THINNED, len(frames) // 2
    values["positions"] = np.array([*range(dense), *range(dense, count, THINNED)])
    values["counts"] = np.diff([*values["positions"], count]).astype("float32")
    values["byte_step"] = np.array(1 / 127, "float32")
    for part in BUNDLE["encoder"]["graphs"]:
        graph = session(part)
        names = [output.name for output in graph.get_outputs()]
        feeds = {given.name: values[given.name] for given in graph.get_inputs()}
        values |= dict(zip(names, graph.run(names, feeds), strict=True))
    return values


@pytest.fixture(scope="module")
def encoder():
    return Weights("encoder")


def apart(found, expected):
    """The length of the difference as a share of the length of what was expected."""
    return np.linalg.norm(found - expected) / np.linalg.norm(expected)


def test_log_mel_is_that_of_a_fourier_transform(encoded, speech):
    np.testing.assert_allclose(encoded["log_mel"], log_mel(speech), atol=1e-3)


def test_frames_become_states_with_places(encoded, encoder):
    found = encoded["placed"][0]
    expected = front(encoder, encoded["log_mel"])[encoded["positions"]]
    np.testing.assert_allclose(found, expected, atol=1e-3)


@pytest.mark.parametrize("layer", range(LAYERS))
def test_layer_of_the_encoder(encoded, encoder, layer):
    before = "placed" if layer == 0 else f"encoder/layer_{layer - 1}/ffn.out"
    expected = encoder_layer(encoder, encoded[before][0], layer, encoded["counts"])
    if layer < LAYERS - 1:
        assert apart(encoded[f"encoder/layer_{layer}/ffn.out"][0], expected) < ROUNDING
    else:
        states = encoder.normalise(expected, "encoder/layer_norm")
        assert apart(encoded["states"][0], states) < ROUNDING


@pytest.mark.parametrize("layer", range(LAYERS))
def test_keys_and_values_for_the_decoder(encoded, encoder, layer):
    pair = cross_pair(encoder, encoded["states"][0], layer)
    for found, expected in zip(pair_of(encoded, layer), pair, strict=True):
        assert found.shape == expected.shape
        assert apart(found, expected) < ROUNDING


def test_offsets_of_keys_make_up_for_bytes_without_a_sign(encoded):
    for layer in range(LAYERS):
        keys, offset = (encoded[f"cross.{layer}.key{part}"][0] for part in ("", ".offset"))
        np.testing.assert_array_equal(offset, -128 * keys.sum(1, keepdims=True, dtype="int64"))


def pair_of(encoded, layer):
    """Key and value [HEADS, context, size], as they were before they were rounded to bytes."""
    keys, values = (encoded[f"cross.{layer}.{part}"][0] for part in ("key", "value"))
    key_steps, value_steps = (
        encoded[f"cross.{layer}.{part}.scale"][0, 0, :, None] for part in ("key", "value")
    )
    return [keys.swapaxes(1, 2) * key_steps * np.sqrt(WIDTH // HEADS), values * value_steps]


def test_decoder_token_by_token_in_each_of_two_rows(encoded):
    graph, weights = session(BUNDLE["decoder"]["graphs"][0]), Weights("decoder")
    cross = {name: value for name, value in encoded.items() if name.startswith("cross.")}
    pairs = [pair_of(encoded, layer) for layer in range(LAYERS)]
    both = {name: np.concatenate([value, value]) for name, value in cross.items()}
    none_yet = np.zeros((2, HEADS, 0, WIDTH // HEADS), "float32")
    caches = dict.fromkeys(past_names(), none_yet)
    past = [[np.zeros((0, WIDTH), "float32")] * 2 for _ in range(LAYERS)]
    names = ["logits", "next", "attention", *(name.replace("past", "present") for name in caches)]
    allowed, tokens = np.zeros(VOCABULARY, "float32"), PROMPT
    for _ in range(STEPS):
        feeds = {"tokens": np.array([tokens, tokens]), "forbidden": allowed, **both, **caches}
        logits, likeliest, attention, *kept = graph.run(names, feeds)
        expected = next_logits(weights, tokens, pairs, past)
        np.testing.assert_array_equal(logits[0], logits[1])
        assert apart(logits[0], expected) < DECODER_ROUNDING
        tokens = [int(likeliest[0, 0])]
        assert tokens == [expected.argmax()]
        np.testing.assert_allclose(attention.sum(-1), 1, atol=1e-4)
        caches = dict(zip(caches, kept, strict=True))


def past_names():
    return [f"past.{layer}.{part}" for layer in range(LAYERS) for part in ("key", "value")]


def test_forbidden_tokens_are_not_chosen(encoded):
    graph = session(BUNDLE["decoder"]["graphs"][0])
    cross = {name: value for name, value in encoded.items() if name.startswith("cross.")}
    none_yet = np.zeros((1, HEADS, 0, WIDTH // HEADS), "float32")
    feeds = dict.fromkeys(past_names(), none_yet) | cross
    feeds |= {"tokens": np.array([PROMPT]), "forbidden": np.zeros(VOCABULARY, "float32")}
    first = int(graph.run(["next"], feeds)[0][0, 0])
    feeds["forbidden"][first] = -np.inf
    assert int(graph.run(["next"], feeds)[0][0, 0]) != first
