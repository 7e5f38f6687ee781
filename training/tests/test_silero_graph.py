"""Voice activity: the graphs of the tree against the published one."""

import numpy as np

from encoder import load_session
from paths import pulled
from written_graphs import bundle_session

BUNDLE = "silero-vad"
HOP, CONTEXT, FRAME, STEP, STATE = 512, 64, 256, 128, 128
# Both sum in single precision, in orders of their own.
TOLERANCE = 1e-4
# What the speech has to reach, so that there is something to compare.
CLEAR = 0.9


def hops_of(speech):
    """Each hop of 512 samples behind the 64 before it."""
    padded = np.pad(speech, (CONTEXT, 0))
    starts = range(0, len(speech) - HOP + 1, HOP)
    return np.stack([padded[start : start + CONTEXT + HOP] for start in starts])


def published(hops):
    state = np.zeros((1, 1, STATE), "float32")
    session = load_session(str(pulled(BUNDLE, "silero_vad_16k_sequence.onnx")))
    return session.run(["speech_probs"], {"input": hops, "h": state, "c": state})[0]


def rewritten(hops):
    reflected = np.pad(hops, ((0, 0), (0, CONTEXT)), mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(reflected, FRAME, axis=1)[:, ::STEP]
    feeds = {"frames": frames.reshape(-1, FRAME).astype("float32")}
    features = bundle_session(BUNDLE, "silero-front.onnx").run(["features"], feeds)[0]
    state = np.zeros((1, 1, STATE), "float32")
    feeds = {"features": features, "hidden": state, "cell": state}
    recurrent = bundle_session(BUNDLE, "silero-recurrent.onnx")
    return recurrent.run(["probabilities"], feeds)[0]


def test_graphs_give_the_published_probabilities(speech):
    hops = hops_of(speech)
    expected = published(hops)
    assert expected.max() > CLEAR
    np.testing.assert_allclose(rewritten(hops), expected, atol=TOLERANCE)
