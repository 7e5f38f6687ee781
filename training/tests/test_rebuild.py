"""What the rebuild says of a step whose inputs are missing."""

from dataclasses import replace

import rebuild
from rebuild import VOICE_PACKAGES, needs
from steps import STEPS, Step

STEP = Step(script="example", writes=(), figures=None, minutes=1, gigabytes=1)


def test_a_step_with_its_inputs_needs_nothing():
    assert needs(STEP) == ""


def test_missing_inputs_are_named_with_the_command_that_installs_them(monkeypatch, tmp_path):
    monkeypatch.setattr(rebuild, "FESTIVAL", tmp_path)
    monkeypatch.setattr(rebuild, "PROMPT_FOLDER", tmp_path)
    monkeypatch.setattr(rebuild.shutil, "which", lambda _: None)
    step = replace(
        STEP,
        programs=("flite", "text2wave"),
        voices=("ked_diphone",),
        prompts=("en_US_f_Allison", "es_MX_f_Allison"),
    )
    assert needs(step).endswith(
        "(on Debian: apt-get install flite festival festvox-kdlpc16k "
        "asterisk-core-sounds-en-wav asterisk-core-sounds-en-g722 "
        "asterisk-core-sounds-es-wav asterisk-core-sounds-es-g722)"
    )


def test_every_voice_has_a_package():
    assert {voice for step in STEPS for voice in step.voices} <= set(VOICE_PACKAGES)
