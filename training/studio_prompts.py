"""Telephone prompts read in a studio without emotion; the English voice is for the test only."""

from pathlib import Path

from steps import PROMPTS

PROMPT_FOLDER = Path("/usr/share/asterisk/sounds")
# A little more than a second at 8 kHz and 16 bits.
MIN_PROMPT_BYTES = 20_000


def prompt_paths(count, random):
    """Yields (path, voice) of `count` prompts of each voice that last a second or more."""
    for voice in PROMPTS:
        every = sorted((PROMPT_FOLDER / voice).rglob("*.wav"))
        paths = [path for path in every if path.stat().st_size > MIN_PROMPT_BYTES]
        if not paths:
            raise SystemExit(
                f"Install asterisk-core-sounds-{voice[:2]}-wav: {PROMPT_FOLDER / voice} is empty."
            )
        for path in random.permutation(paths)[:count]:
            yield path, voice
