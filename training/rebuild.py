"""Rebuilds what the scripts of this folder write, and compares it with what is committed.

npm run train                 every step
npm run train -- STEP ...     these, in this order
npm run train -- list         the steps, as README.md has them
npm run train -- test         the tests of this folder
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from comparison import compare_step
from paths import ROOT, pulled
from steps import MENARDI, STEPS, table
from studio_prompts import PROMPT_FOLDER

# Telephone band and wide band, and voices that have one of them.
PROMPT_KINDS = ("wav", "g722")
KINDS_OF = {MENARDI: ("wav",)}
PROMPT_PACKAGES = {MENARDI: "asterisk-prompt-it-menardi"}
FESTIVAL = Path("/usr/share/festival/voices")
# Debian's packages of the voices, and of programs that are not named like theirs.
VOICE_PACKAGES = {
    "kal_diphone": "festvox-kallpc16k",
    "ked_diphone": "festvox-kdlpc16k",
    "cmu_us_slt_arctic_hts": "festvox-us-slt-hts",
    "lp_diphone": "festvox-italp16k",
    "czech_dita": "festvox-czech-dita",
    "hy_fi_mv_diphone": "festvox-suopuhe-mv",
    "upc_ca_ona_hts": "festvox-ca-ona-hts",
    "msu_ru_nsh_clunits": "festvox-ru",
}
PROGRAM_PACKAGES = {"text2wave": "festival"}
KIBIBYTES_PER_GIGABYTE = 1e9 / 1024


def missing(step):
    """What a step needs and this machine lacks, and the Debian packages that have it."""
    data = Path(os.environ.get("SPEECH_DATA_DIR") or "no folder")
    things = [
        *(f"the pulled model {name}" for name in step.bundles if not pulled(name, "").is_dir()),
        *(f"{name}/ in SPEECH_DATA_DIR" for name in step.data if not (data / name).is_dir()),
    ]
    programs = [name for name in step.programs if shutil.which(name) is None]
    voices = [name for name in step.voices if not any(FESTIVAL.glob(f"*/{name}"))]
    prompts = [
        (voice, kind)
        for voice in step.prompts
        # Scripts draw from whatever is there, so a band that lacks makes other clips.
        for kind in KINDS_OF.get(voice, PROMPT_KINDS)
        if not any((PROMPT_FOLDER / voice).glob(f"*.{kind}"))
    ]
    things += [f"the program {name}" for name in programs]
    things += [f"festival's voice {name}" for name in voices]
    things += [f"{PROMPT_FOLDER / voice}/*.{kind}" for voice, kind in prompts]
    packages = [PROGRAM_PACKAGES.get(name, name) for name in programs]
    packages += [VOICE_PACKAGES[name] for name in voices]
    packages += [
        f"{PROMPT_PACKAGES.get(voice, f'asterisk-core-sounds-{voice[:2]}')}-{kind}"
        for voice, kind in prompts
    ]
    return things, list(dict.fromkeys(packages))


def needs(step):
    """One sentence that says what a step lacks and how to get it; empty if it lacks nothing."""
    things, packages = missing(step)
    if not things:
        return ""
    get = f" (on Debian: apt-get install {' '.join(packages)})" if packages else ""
    return f"{step.script} needs {', '.join(things)}{get}"


def run(step):
    """Runs a step's script; returns whether its output is right."""
    lacking = needs(step)
    if lacking:
        print(f"✗ {lacking}", flush=True)
        return False
    print(f"… {step.script}: about {step.minutes:g} min on two cores", flush=True)
    started = time.monotonic()
    script = ROOT / "training" / f"{step.script}.py"
    child = subprocess.Popen([sys.executable, str(script)])
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        print(f"✗ {step.script} ended with exit code {child.returncode}", flush=True)
        return False
    lines, right = compare_step(step)
    cost = (
        f"{(time.monotonic() - started) / 60:.1f} min, "
        f"{usage.ru_maxrss / KIBIBYTES_PER_GIGABYTE:.1f} GB"
    )
    print(f"{'✓' if right else '✗'} {step.script} ({cost})", *lines, sep="\n    ", flush=True)
    return right


def main(arguments):
    """Returns the exit code: 0 if the output of every requested step is right."""
    if arguments == ["list"]:
        print(table())
        return 0
    if arguments[:1] == ["test"]:
        return pytest.main(["--rootdir", str(ROOT), str(ROOT / "training/tests"), *arguments[1:]])
    known = {step.script: step for step in STEPS}
    unknown = [name for name in arguments if name not in known]
    if unknown:
        print(f"{', '.join(unknown)}: not a step; there are {', '.join(known)}, list and test")
        return 2
    results = [run(known[name]) for name in arguments or known]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
