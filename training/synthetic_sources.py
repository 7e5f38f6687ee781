"""Training data of the synthetic-speech head: human recordings and speech engines."""

import re
import subprocess
import tempfile
import unicodedata
from pathlib import Path

import numpy as np
from soundfile import LibsndfileError

from neural_voices import PICO_FOREIGN, Hibari, Kokoro, Pico, Piper
from recordings import SAMPLE_RATE, data_directory, read_audio
from speakers import evaluation_speakers, readers, sentences
from steps import ALLISON, FOREIGN_VOICES, MENARDI, PROMPTS
from studio_prompts import PROMPT_FOLDER
from synthetic_speech import VOICES

VARIANTS = ("m1", "m3", "m7", "f1", "f2", "f4")
ESPEAK_VOICES = [
    f"{accent}+{variant}" for accent in ("en-us", "en-gb", "en-gb-scotland") for variant in VARIANTS
]
STRETCH, WORDS_PER_MINUTE, PITCH = (0.8, 1.25), (130, 200), (30, 70)
# Held out for the test of what was trained on: two actors; meetings used for training.
TEST_ACTORS, TRAINING_MEETINGS = ("13", "14"), 8
# The English and the Spanish one are the same person.
STUDIO_VOICES = {voice: voice.split("_")[-1] for voice in (*ALLISON, *PROMPTS, MENARDI)}
# Excerpts of a meeting: meetings are few and long.
MEETING_REPEATS = 15
# Prompts of a second or more: 8 kHz with 16 bits, and wide band with 64 kbit/s.
MIN_PROMPT_BYTES = {".wav": 20_000, ".g722": 10_000}


def flite(text, random):
    stretch = random.uniform(*STRETCH)
    voice = ["-voice", random.choice(VOICES), "--setf", f"duration_stretch={stretch:.2f}"]
    return spoken(lambda path: ["flite", *voice, "-t", text, "-o", path])


def espeak(text, random):
    speed, pitch = random.integers(*WORDS_PER_MINUTE), random.integers(*PITCH)
    voice = ["-v", random.choice(ESPEAK_VOICES), "-s", str(speed), "-p", str(pitch)]
    return spoken(lambda path: ["espeak-ng", *voice, "-w", path, text])


def espeak_in_language(text, language, random):
    voice = f"{language}+{random.choice(VARIANTS)}"
    speed, pitch = random.integers(*WORDS_PER_MINUTE), random.integers(*PITCH)
    command = ["espeak-ng", "-v", voice, "-s", str(speed), "-p", str(pitch)]
    return spoken(lambda path: [*command, "-w", path, text])


def festival(voice):
    """The function of a voice, whichever voices are installed."""
    chosen = ["text2wave", "-eval", f"(voice_{voice})"]
    return lambda text, _random: spoken(lambda path: [*chosen, "-o", path], text.encode())


def festival_abroad(voice):
    """The function of a voice of another language: no samples of a text that it cannot read."""
    speak = festival(voice)

    def read(text, language, random):
        if language != "ru":
            text = unicodedata.normalize("NFD", text).encode("ascii", "ignore").decode()
        try:
            return speak(text, random)
        except LibsndfileError:
            return np.zeros(0, "float32")

    return read


def spoken(command, typed=None):
    """Samples that a command writes to a path."""
    with tempfile.TemporaryDirectory() as directory:
        path = str(Path(directory) / "speech.wav")
        subprocess.run(command(path), input=typed, check=True, capture_output=True)
        return read_audio(path)


# Makers of functions from a text and a random generator to samples.
ENGINES = {
    "flite": lambda: flite,
    "espeak-ng": lambda: espeak,
    "festival": lambda: festival("kal_diphone"),
    "HTS": lambda: festival("cmu_us_slt_arctic_hts"),
    "ked": lambda: festival("ked_diphone"),
    "Pico": Pico,
    "Piper": Piper,
    "hibari": Hibari,
    "Kokoro": Kokoro,
}
# Those that also speak the studio voices' other languages, so that English does not mean synthetic:
# makers of functions from a text, its language and a random generator to samples.
MULTILINGUAL = {
    "espeak-ng": lambda: espeak_in_language,
    "hibari": lambda: Hibari().in_language,
    "Piper": lambda: Piper().in_language,
    "Pico": lambda: Pico().in_language,
    **{voice: (lambda voice=voice: festival_abroad(voice)) for voice in FOREIGN_VOICES},
}
OTHER_LANGUAGES = ("fr", "it", "ru", "es")
# Where an engine has fewer.
LANGUAGES = {
    "Pico": tuple(PICO_FOREIGN),
    **{voice: (language,) for voice, language in FOREIGN_VOICES.items()},
}
# Drawn twice as often as the others: engines of today are mostly of this kind.
NEURAL = ("Piper", "hibari", "Kokoro")
# Voices of festival that are sources of their own.
FESTIVAL_VOICES = ("HTS", "ked", *FOREIGN_VOICES)
# Prompts of a sentence, without notes in brackets.
PROMPT_LINE = re.compile(r"[^:;]+:\s*([^\[\]()<>{}]{18,110})$")


def family(source):
    """The engine that a source is of: they are left out together."""
    name = source.removesuffix(" foreign")
    return "festival" if name in FESTIVAL_VOICES else name


def human_sources():
    """Source -> paths of recordings of people, for training and for the test."""
    paths, held_out = readers(), evaluation_speakers()
    folder = data_directory()
    meetings = sorted((folder / "diarization").glob("*.flac"))
    read = {True: [], False: []}
    for speaker in sorted(paths):
        read[speaker in held_out] += paths[speaker]
    acted = sorted((folder / "emodb").glob("*.flac"))
    return {
        "actors": split(acted, lambda path: path.name[:2] in TEST_ACTORS),
        "readers": (read[False], read[True]),
        "meetings": (
            meetings[:TRAINING_MEETINGS] * MEETING_REPEATS,
            meetings[TRAINING_MEETINGS:] * MEETING_REPEATS,
        ),
        **{voice: (prompts(voice), []) for voice in STUDIO_VOICES},
    }


def prompts(voice):
    """Paths of a studio voice's telephone prompts, in both bands."""
    every = sorted((PROMPT_FOLDER / voice).rglob("*.*"))
    return [p for p in every if p.stat().st_size > MIN_PROMPT_BYTES.get(p.suffix, np.inf)]


def read_human(path):
    """A recording as float32 mono at 16 kHz; wide-band prompts have no header."""
    if Path(path).suffix != ".g722":
        return read_audio(path)
    command = ["ffmpeg", "-v", "error", "-f", "g722", "-i", str(path)]
    command += ["-ar", str(SAMPLE_RATE), "-f", "f32le", "-"]
    return np.frombuffer(subprocess.run(command, check=True, capture_output=True).stdout, "<f4")


def split(paths, is_test):
    """Paths for training and for the test."""
    return [p for p in paths if not is_test(p)], [p for p in paths if is_test(p)]


def prompt_texts():
    """Language -> texts of its telephone prompts."""
    folder = data_directory() / "prompts"
    texts = {}
    for language in OTHER_LANGUAGES:
        lines = (folder / f"core-sounds-{language}.txt").read_text().split("\n")
        texts[language] = [m[1].strip() for m in map(PROMPT_LINE.match, lines) if m]
    return texts


def shuffled_texts(random):
    """The sentences of the readers in random order."""
    return list(random.permutation(sentences()))
