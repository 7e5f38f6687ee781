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


def far_off(now, before, step):
    """Describes the figures that differ by more than their tolerance."""
    now, before = numbers(now), numbers(before)
    lines = []
    for name in now.keys() & before.keys():
        own = [tolerance for part, tolerance in step.few_clips if part in name]
        tolerance = own[0] if own else step.tolerance
        if abs(now[name] - before[name]) > tolerance:
            lines.append(f"{name}: {now[name]:g}, committed {before[name]:g} (± {tolerance:g})")
    return sorted(lines)


def unmatched(now, before):
    """Describes the figures that are new or gone."""
    now, before = numbers(now), numbers(before)
    lines = [f"{name}: {now[name]:g} is new" for name in now if name not in before]
    lines += [f"{name}: {before[name]:g} is gone" for name in before if name not in now]
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
    now, before = json.loads(figures.read_text()), json.loads(before)
    off, other = far_off(now, before, step), unmatched(now, before)
    allowed = int(step.outliers * len(numbers(before)))
    summary = f"{len(off)} figures out of their tolerance, {allowed} allowed"
    return [*lines, summary, *off, *other], len(off) <= allowed and not other
