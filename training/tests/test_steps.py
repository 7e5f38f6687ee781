"""The table of steps against the scripts, this folder's README, and the comparison of figures."""

import importlib

import pytest

from comparison import far_off, numbers
from paths import ROOT
from steps import STEPS, table

FOLDER = ROOT / "training"


def test_readme_has_the_table():
    assert table() in (FOLDER / "README.md").read_text()


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.script)
def test_what_a_step_writes_is_in_the_tree(step):
    for pattern in step.writes:
        assert list((ROOT / "models").glob(pattern)), pattern


def test_every_script_is_a_step_or_the_command():
    scripts = {p.stem for p in FOLDER.glob("*.py") if '__name__ == "__main__"' in p.read_text()}
    assert scripts == {step.script for step in STEPS} | {"rebuild"}


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.script)
def test_a_step_runs_without_arguments(step):
    assert callable(importlib.import_module(step.script).main)


def test_numbers_of_nested_figures():
    figures = {"a": {"b": 1, "c": [2.5, 3]}, "d": 4}
    assert numbers(figures) == {"a / b": 1, "a / c / 0": 2.5, "a / c / 1": 3, "d": 4}


def test_figures_within_the_tolerance_are_right():
    assert far_off({"recall": 0.84}, {"recall": 0.85}, 0.02) == []


def test_figures_beyond_it_and_new_and_missing_ones_are_reported():
    found = far_off({"recall": 0.8, "new": 1}, {"recall": 0.85, "old": 2}, 0.02)
    assert found == ["new: 1 is new", "old: 2 is gone", "recall: 0.8, committed 0.85 (± 0.02)"]
