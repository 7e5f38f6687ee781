"""The table of steps against the scripts, this folder's README, and the comparison of figures."""

import importlib
import json
from dataclasses import replace

import pytest

import comparison
from comparison import far_off, numbers, unmatched
from paths import ROOT
from steps import STEPS, Step, table

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


STEP = Step(
    script="example",
    writes=(),
    figures=None,
    minutes=1,
    gigabytes=1,
    tolerance=0.02,
    few_clips=(("by emotion", 0.1),),
)


def test_figures_within_the_tolerance_are_right():
    assert far_off({"recall": 0.84}, {"recall": 0.85}, STEP) == []


def test_figures_beyond_it_are_reported():
    found = far_off({"recall": 0.8}, {"recall": 0.85}, STEP)
    assert found == ["recall: 0.8, committed 0.85 (± 0.02)"]


def test_figures_of_few_clips_have_their_own_tolerance():
    before = {"by emotion": {"sad": 0.85, "happy": 0.6}}
    found = far_off({"by emotion": {"sad": 0.8, "happy": 0.75}}, before, STEP)
    assert found == ["by emotion / happy: 0.75, committed 0.6 (± 0.1)"]


def test_new_and_missing_figures_are_reported():
    assert unmatched({"new": 1}, {"old": 2}) == ["new: 1 is new", "old: 2 is gone"]


@pytest.mark.parametrize(("moved", "right"), [(1, True), (2, False)])
def test_one_figure_in_twenty_may_be_out_of_tolerance(tmp_path, monkeypatch, moved, right):
    before = {str(i): 0.5 for i in range(20)}
    now = {**before, **{str(i): 0.7 for i in range(moved)}}
    (tmp_path / "models").mkdir()
    (tmp_path / "models/figures.json").write_text(json.dumps(now))
    monkeypatch.setattr(comparison, "ROOT", tmp_path)
    monkeypatch.setattr(comparison, "committed", lambda _: json.dumps(before).encode())
    step = replace(STEP, writes=("figures.json",), figures="figures.json", outliers=0.05)
    assert comparison.compare_step(step)[1] is right
