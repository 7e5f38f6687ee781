"""Compares what a step wrote with what is committed: byte by byte, or by its figures."""

import json
import subprocess

from paths import ROOT


def committed(path):
    """The bytes of a file in the last commit; None where it has none."""
    show = ["git", "show", f"HEAD:{path.relative_to(ROOT).as_posix()}"]
    found = subprocess.run(show, cwd=ROOT, capture_output=True, check=False)
    return found.stdout if found.returncode == 0 else None


def numbers(figures, name=""):
    """All numbers in nested dictionaries and lists, by their path."""
    if isinstance(figures, dict):
        items = figures.items()
    elif isinstance(figures, list):
        items = enumerate(figures)
    else:
        return {name: float(figures)}
    return {
        path: value
        for key, inner in items
        for path, value in numbers(inner, f"{name} / {key}" if name else str(key)).items()
    }


def far_off(now, before, tolerance):
    """Describes the figures that differ by more than the tolerance or are new or gone."""
    now, before = numbers(now), numbers(before)
    lines = [f"{name}: {now[name]:g} is new" for name in now if name not in before]
    lines += [f"{name}: {before[name]:g} is gone" for name in before if name not in now]
    for name in now.keys() & before.keys():
        if abs(now[name] - before[name]) > tolerance:
            lines.append(f"{name}: {now[name]:g}, committed {before[name]:g} (± {tolerance:g})")
    return sorted(lines)


def compare_step(step):
    """Lines of the report on the files that a step wrote, and whether they are right."""
    models = ROOT / "models"
    paths = sorted(path for pattern in step.writes for path in models.glob(pattern))
    changed = [path for path in paths if path.read_bytes() != committed(path)]
    lines = [f"{path.relative_to(ROOT)} differs from what is committed" for path in changed]
    if not changed:
        return ["as committed, to the byte"], True
    if step.same_bytes:
        return lines, False
    figures = models / step.figures
    before = committed(figures)
    if before is None:
        return [*lines, f"no {figures.name} is committed to compare with"], True
    now = json.loads(figures.read_text())
    off = far_off(now, json.loads(before), step.tolerance)
    summary = "figures out of their tolerance:" if off else "every figure is within its tolerance"
    return [*lines, summary, *off], not off
