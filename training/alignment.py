"""Viterbi alignment of phones to frame posteriors, with optional silence between words."""

import numpy as np

from phones import SILENCE


def optional_silence_graph(words):
    """States in order: (phone, may be skipped)."""
    states = [(SILENCE, True)]
    for phones in words:
        states += [(phone, False) for phone in phones]
        states.append((SILENCE, True))
    return states


def align(log_posteriors, states):
    """The phone of each frame on the best path, or None when there are too few frames.

    A state lasts at least one frame; a silence may be skipped.
    """
    frames, count = len(log_posteriors), len(states)
    phones = np.array([phone for phone, _ in states])
    skippable = np.array([skip for _, skip in states])
    if frames < count - skippable.sum():
        return None
    emissions = log_posteriors[:, phones]
    score = np.full(count, -np.inf)
    score[0] = emissions[0, 0]
    if skippable[0] and count > 1:
        score[1] = emissions[0, 1]
    back = np.zeros((frames, count), "int8")
    index = np.arange(count)
    for frame in range(1, frames):
        step = np.concatenate([[-np.inf], score[:-1]])
        jump = np.concatenate([[-np.inf, -np.inf], score[:-2]])
        # Two states forward only across a silence.
        jump[2:][~skippable[1:-1]] = -np.inf
        options = np.stack([score, step, jump])
        best = options.argmax(0)
        back[frame] = best
        score = options[best, index] + emissions[frame]
    state = count - 1
    if count > 1 and skippable[-1] and score[-2] > score[-1]:
        state = count - 2
    if not np.isfinite(score[state]):
        return None
    path = np.empty(frames, int)
    for frame in range(frames - 1, -1, -1):
        path[frame] = phones[state]
        state -= back[frame, state]
    return path
