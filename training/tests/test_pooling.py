"""Pooling: how far states move from frame to frame."""

import numpy as np

from pooling import steps_between_frames


def test_motion_is_the_mean_of_absolute_differences():
    states = np.array([[0.0, 1.0], [2.0, 1.0], [-2.0, 4.0]])
    np.testing.assert_allclose(steps_between_frames(states), [3, 1.5])


def test_a_single_frame_does_not_move():
    np.testing.assert_array_equal(steps_between_frames(np.ones((1, 3))), np.zeros(3))
