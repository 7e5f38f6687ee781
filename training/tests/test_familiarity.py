"""The distance of functionals from the training speech."""

import json

import numpy as np
import pytest

from affect_head import VARIANTS
from familiarity import DIRECTIONS, Familiarity, familiar_limit, familiar_share
from paths import WEIGHTS


def made_rows(count=4_000, size=48):
    random = np.random.default_rng(5)
    scales = np.linspace(3, 0.2, size)
    return random.standard_normal((count, size)) * scales + 1, scales


def test_distance_is_one_on_average_over_the_training_speech():
    rows, _ = made_rows()
    assert np.sqrt((Familiarity(rows).distance(rows) ** 2).mean()) == pytest.approx(1, abs=0.01)


def test_distance_is_mahalanobis_along_the_directions():
    rows, scales = made_rows()
    step = np.zeros(rows.shape[1])
    step[0] = 10 * scales[0]
    found = Familiarity(rows).distance((rows.mean(0) + step)[None])[0]
    assert found == pytest.approx(np.sqrt(100 / rows.shape[1]), rel=0.05)


def test_most_held_out_clips_are_familiar_and_strange_ones_count_for_less():
    distances = np.linspace(0, 1, 101)
    limit = familiar_limit(distances)
    assert limit == pytest.approx(0.95)
    assert (familiar_share(distances, limit)[:95] == 1).all()
    assert familiar_share(np.array([2 * limit]), limit)[0] == pytest.approx(1 / 8)


@pytest.mark.parametrize("name", VARIANTS)
def test_weights_of_the_tree_have_it(name):
    written = json.loads((WEIGHTS / f"{name}.json").read_text())
    familiar, count = written["familiar"], len(written["functionals"])
    directions = np.array(familiar["directions"])
    assert directions.shape == (DIRECTIONS, count)
    np.testing.assert_allclose(directions @ directions.T, np.eye(DIRECTIONS), atol=1e-4)
    assert len(familiar["centre"]) == count
    assert familiar["limit"] > 1
