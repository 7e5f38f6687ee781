"""The common level; test/models/audio/common-level.test.ts has the same values."""

import numpy as np

from common_level import at_common_level

COUNT = 20_000
EXPECTED = [-0.007229, -0.236113]


def test_swelling_saw_gets_the_gain_that_the_service_gives_it():
    index = np.arange(COUNT)
    saw = (0.3 * (index % 97 - 48) / 48 * index / COUNT).astype("float32")
    np.testing.assert_allclose(at_common_level(saw)[[999, 19_999]], EXPECTED, atol=1e-6)


def test_silence_and_less_than_a_hop_are_taken_as_they_are():
    assert len(at_common_level(np.zeros(0))) == 0
    assert not at_common_level(np.zeros(3)).any()
    np.testing.assert_allclose(at_common_level(np.array([0.1])), [0.2])
