"""The speech that the affect heads are trained and measured on, as rows of features."""

import numpy as np

from affect_data import (
    CONDITIONS,
    USED_LAYERS,
    FeatureExtractor,
    emodb,
    meeting_clips,
    read_sentences,
    studio_prompts,
)
from encoder import TINY

SEED = 20261122
SENTENCES_EACH, PROMPTS_EACH = 2, 40
# Of the five conditions, for each stretch of a meeting.
MEETING_CONDITIONS = 2


class Speech:
    """Clips of one kind as rows: functionals, pooled layers, class, speaker and condition."""

    def __init__(self, functionals, pooled, classes, speakers, conditions):
        self.functionals, self.pooled = functionals, pooled
        self.classes, self.speakers = np.array(classes), np.array(speakers)
        self.conditions = np.array(conditions)

    def part(self, chosen):
        known = (self.classes, self.speakers, self.conditions)
        return Speech(self.functionals[chosen], self.pooled[chosen], *(k[chosen] for k in known))

    def layers(self, used):
        """The pooled rows of some of the layers."""
        size = 2 * TINY.hidden
        at = [USED_LAYERS.index(layer) * size for layer in used]
        return np.concatenate([self.pooled[:, i : i + size] for i in at], 1)


def measured(clips, seed):
    """Speech from (samples, condition, class, speaker)."""
    clips = list(clips)
    functionals, pooled = FeatureExtractor(np.random.default_rng(seed)).all([c[:2] for c in clips])
    _, conditions, emotions, speakers = zip(*clips, strict=True)
    return Speech(functionals, pooled, emotions, speakers, conditions)


def acted_speech():
    return measured(
        (
            (s, condition, emotion, speaker)
            for s, emotion, speaker in emodb()
            for condition in CONDITIONS
        ),
        SEED,
    )


def calm_speech():
    """Sentences of readers and prompts of studio voices, each under one condition, and meetings."""
    random = np.random.default_rng(SEED + 1)
    clips = [*read_sentences(False, SENTENCES_EACH, random), *studio_prompts(PROMPTS_EACH, random)]
    under = [(s, random.choice(CONDITIONS), "N", speaker) for s, speaker in clips]
    under.extend(
        (s, condition, "N", meeting)
        for s, meeting in meeting_clips()
        for condition in random.permutation(CONDITIONS)[:MEETING_CONDITIONS]
    )
    return measured(under, SEED + 1)


def held_out_readers():
    random = np.random.default_rng(SEED + 2)
    clips = read_sentences(True, SENTENCES_EACH, random)
    return measured(((s, "clean", "N", speaker) for s, speaker in clips), SEED + 2)


def meetings():
    return measured(((s, "clean", "N", clip) for s, clip in meeting_clips()), SEED + 3)
