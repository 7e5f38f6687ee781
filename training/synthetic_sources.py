"""What the check for synthetic speech learns from: people, and engines that read texts aloud."""

import subprocess
import tempfile
from pathlib import Path

from recordings import data_directory, read_audio
from speakers import evaluation_speakers, readers, sentences
from studio_prompts import prompt_paths

ESPEAK_VOICES = [
    f"{accent}+{variant}"
    for accent in ("en-us", "en-gb", "en-gb-scotland")
    for variant in ("m1", "m3", "m7", "f1", "f2", "f4")
]
FLITE_VOICES = ("slt", "rms", "awb", "kal16")
STRETCH, WORDS_PER_MINUTE, PITCH = (0.8, 1.25), (130, 200), (30, 70)
# People kept for the test: two actors and a studio voice; and how many meetings are trained on.
TEST_ACTORS, TEST_VOICE, TRAINING_MEETINGS = ("13", "14"), "ru_RU", 8
PROMPTS_PER_VOICE = 80
# Meetings are few and long: each is drawn from so often, for the training and for the test.
MEETING_REPEATS = (12, 8)


def flite(text, path, random):
    stretch = random.uniform(*STRETCH)
    voice = ["-voice", random.choice(FLITE_VOICES), "--setf", f"duration_stretch={stretch:.2f}"]
    subprocess.run(["flite", *voice, "-t", text, "-o", path], check=True)


def espeak(text, path, random):
    speed, pitch = random.integers(*WORDS_PER_MINUTE), random.integers(*PITCH)
    voice = ["-v", random.choice(ESPEAK_VOICES), "-s", str(speed), "-p", str(pitch)]
    subprocess.run(["espeak-ng", *voice, "-w", path, text], check=True, capture_output=True)


def festival(text, path, _random):
    subprocess.run(["text2wave", "-o", path], input=text.encode(), check=True, capture_output=True)


ENGINES = {"flite": flite, "espeak-ng": espeak, "festival": festival}


def spoken(engine, texts, random):
    """Samples of each text as the engine says it."""
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
        "emodb": parted(acted, lambda path: path.name[:2] in TEST_ACTORS),
        "readers": (read[False], read[True]),
        "meetings": (training * MEETING_REPEATS[0], test * MEETING_REPEATS[1]),
        "prompts": parted(prompts, lambda path: TEST_VOICE in str(path)),
    }


def parted(paths, is_test):
    """Paths for training and for the test."""
    return [p for p in paths if not is_test(p)], [p for p in paths if is_test(p)]


def shuffled_texts(random):
    """The sentences of the readers, each once, to be taken from the end."""
    return list(random.permutation(sentences()))
