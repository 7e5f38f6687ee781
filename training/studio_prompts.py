"""Telephone prompts read in a studio without emotion; the English voice is kept for the test."""

from pathlib import Path

from steps import PROMPTS

PROMPT_FOLDER = Path("/usr/share/asterisk/sounds")
# A second of 8 kHz with 16 bits, and some.
LEAST_PROMPT_BYTES = 20_000


def prompt_paths(count, random):
    """(path, voice) of so many prompts of a second and more of each voice."""
    for voice in PROMPTS:
        every = sorted((PROMPT_FOLDER / voice).rglob("*.wav"))
        paths = [path for path in every if path.stat().st_size > LEAST_PROMPT_BYTES]
        if not paths:
            raise SystemExit(
                f"Install asterisk-core-sounds-{voice[:2]}-wav: {PROMPT_FOLDER / voice} is empty."
            )
        for path in random.permutation(paths)[:count]:
            yield path, voice
