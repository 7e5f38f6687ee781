"""Moonshine's decoder graphs: against the decoder that was published, and clips beside others."""

import numpy as np
import pytest

from encoder import load_session
from paths import pulled
from written_graphs import bundle_session

BUNDLE, START = "moonshine-tiny-en", 1
LAYERS, HEADS, HEAD = 6, 8, 36
STEPS = 12
# The published decoder quantises activations by tensor, the graphs by row: logits that are nearer
# to each other than this may change places, and a probability differs by less than that.
NEAR_LOGITS, NEAR_PROBABILITY = 0.25, 0.08
# Of a masked frame.
MASKED = -1e9


def session(part):
    return bundle_session(BUNDLE, part)


@pytest.fixture(scope="module")
def graphs():
    return session("moonshine-decoder-cross.onnx"), session("moonshine-decoder-step.onnx")


@pytest.fixture(scope="module")
def published():
    return load_session(str(pulled(BUNDLE, "decoder_model_merged.ort")))


def published_steps(decoder, states):
    """Tokens that the published decoder writes, and its logits at each."""
    caches = {
        i.name: np.zeros((1, HEADS, 0, HEAD), "float32")
        for i in decoder.get_inputs()
        if i.name.startswith("past_key_values")
    }
    names = [o.name for o in decoder.get_outputs()]
    token, tokens, logits = START, [], []
    for step in range(STEPS):
        given = {
            "input_ids": np.array([[token]]),
            "encoder_hidden_states": states,
            "encoder_attention_mask": np.ones(states.shape[:2], "int64"),
            "use_cache_branch": np.array([step > 0]),
            **caches,
        }
        wanted = {i.name for i in decoder.get_inputs()}
        found = dict(
            zip(
                names,
                decoder.run(names, {k: v for k, v in given.items() if k in wanted}),
                strict=True,
            )
        )
        for name in caches:
            present = found[name.replace("past_key_values", "present")]
            # After the first step those of the encoder do not come again.
            if "decoder" in name or step == 0:
                caches[name] = present
        logits.append(found["logits"][0, -1])
        token = int(logits[-1].argmax())
        tokens.append(token)
    return tokens, logits


def crossed(cross, clips):
    """Keys and values of clips, padded to the longest, and their mask."""
    frames = max(states.shape[1] for states in clips)
    mask = np.zeros((len(clips), 1, 1, frames), "float32")
    rows = []
    for row, states in enumerate(clips):
        mask[row, ..., states.shape[1] :] = MASKED
        padded = np.pad(states, ((0, 0), (0, frames - states.shape[1]), (0, 0)))
        rows.append(cross.run(None, {"states": padded}))
    names = [o.name for o in cross.get_outputs()]
    return {"mask": mask} | {
        name: np.concatenate(parts)
        for name, parts in zip(names, zip(*rows, strict=True), strict=True)
    }


def step_through(graphs, clips, tokens):
    """(next token, its probability) of each clip after each of its tokens: [steps, clips]."""
    cross, step = graphs
    fixed = crossed(cross, clips)
    names = [o.name for o in step.get_outputs()]
    empty = np.zeros((len(clips), HEADS, 0, HEAD), "float32")
    past = {f"past.{i}.{part}": empty for i in range(LAYERS) for part in ("key", "value")}
    written, probabilities = [], []
    for given in zip(*tokens, strict=True):
        found = dict(
            zip(
                names,
                step.run(names, {"token": np.array(given)[:, None], **fixed, **past}),
                strict=True,
            )
        )
        past = {name: found[name.replace("past", "present")] for name in past}
        written.append(found["next"][:, 0])
        probabilities.append(found["probability"][:, 0])
    return np.array(written), np.array(probabilities)


def test_tokens_and_probabilities_are_those_of_the_published_decoder(graphs, published, layers):
    states = layers[-1][None]
    tokens, logits = published_steps(published, states)
    given = [START, *tokens[:-1]]
    written, probabilities = step_through(graphs, [states], [given])
    for step, expected in enumerate(logits):
        token = written[step, 0]
        assert expected.max() - expected[token] < NEAR_LOGITS, step
        shares = np.exp(expected - expected.max())
        assert abs(probabilities[step, 0] - shares[token] / shares.sum()) < NEAR_PROBABILITY, step


def test_a_clip_is_the_same_beside_another_and_padded(graphs, published, layers):
    long, short = layers[-1][None], layers[-1][None, : len(layers[-1]) // 2]
    given = []
    for states in (long, short):
        tokens, _ = published_steps(published, states)
        given.append([START, *tokens[:-1]])
    together, shares = step_through(graphs, [long, short], given)
    for row, states in enumerate((long, short)):
        alone, own = step_through(graphs, [states], [given[row]])
        np.testing.assert_array_equal(together[:, row], alone[:, 0])
        np.testing.assert_allclose(shares[:, row], own[:, 0], atol=1e-4)
