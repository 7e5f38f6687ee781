"""Training data of the synthetic-speech head: human recordings and speech engines."""

import subprocess
import tempfile
from pathlib import Path

from recordings import data_directory, read_audio
from speakers import evaluation_speakers, readers, sentences
from studio_prompts import prompt_paths
from synthetic_speech import VOICES

ESPEAK_VOICES = [
    f"{accent}+{variant}"
    for accent in ("en-us", "en-gb", "en-gb-scotland")
    for variant in ("m1", "m3", "m7", "f1", "f2", "f4")
]
STRETCH, WORDS_PER_MINUTE, PITCH = (0.8, 1.25), (130, 200), (30, 70)
# Held out for the test: two actors and a studio voice. Meetings used for training.
TEST_ACTORS, TEST_VOICE, TRAINING_MEETINGS = ("13", "14"), "ru_RU", 8
PROMPTS_PER_VOICE = 80
# Excerpts per meeting for training and test: meetings are few and long.
MEETING_REPEATS = (12, 8)


def flite(text, path, random):
    stretch = random.uniform(*STRETCH)
    voice = ["-voice", random.choice(VOICES), "--setf", f"duration_stretch={stretch:.2f}"]
    subprocess.run(["flite", *voice, "-t", text, "-o", path], check=True)


def espeak(text, path, random):
    speed, pitch = random.integers(*WORDS_PER_MINUTE), random.integers(*PITCH)
    voice = ["-v", random.choice(ESPEAK_VOICES), "-s", str(speed), "-p", str(pitch)]
    subprocess.run(["espeak-ng", *voice, "-w", path, text], check=True, capture_output=True)


def festival(text, path, _random):
    subprocess.run(["text2wave", "-o", path], input=text.encode(), check=True, capture_output=True)


ENGINES = {"flite": flite, "espeak-ng": espeak, "festival": festival}


def synthesised(engine, texts, random):
    """Yields the samples of each text as the engine speaks it."""
    with tempfile.TemporaryDirectory() as directory:
        path = str(Path(directory) / "speech.wav")
        for text in texts:
            ENGINES[engine](text, path, random)
            yield read_audio(path)


def human_sources(random):
    """Source -> paths for training and for the test."""
    paths, held_out = readers(), evaluation_speakers()
    folder = data_directory()
    meetings = sorted((folder / "diarization").glob("*.flac"))
    training, test = meetings[:TRAINING_MEETINGS], meetings[TRAINING_MEETINGS:]
    read = {True: [], False: []}
    for speaker in sorted(paths):
        read[speaker in held_out] += paths[speaker]
    acted = sorted((folder / "emodb").glob("*.flac"))
    prompts = [path for path, _ in prompt_paths(PROMPTS_PER_VOICE, random)]
    return {
        "emodb": split(acted, lambda path: path.name[:2] in TEST_ACTORS),
        "readers": (read[False], read[True]),
        "meetings": (training * MEETING_REPEATS[0], test * MEETING_REPEATS[1]),
        "prompts": split(prompts, lambda path: TEST_VOICE in str(path)),
    }


def split(paths, is_test):
    """Paths for training and for the test."""
    return [p for p in paths if not is_test(p)], [p for p in paths if is_test(p)]


def shuffled_texts(random):
    """The sentences of the readers in random order."""
    return list(random.permutation(sentences()))
