"""Short clips of speech, and of other sounds, that the speech check is trained on.

Words alone are what a check takes for noise most easily: they are cut from sentences of people, and
engines speak words, letters and digits of several languages. Sounds are synthesised (sounds.py) or
are what recordings have before the first word.
"""

import numpy as np

from neural_voices import Hibari, Pico, Piper
from recordings import SAMPLE_RATE, data_directory, read_audio, trimmed
from sounds import EVERY_MAKER, make_sound
from speakers import evaluation_speakers, readers, sentences
from synthetic_sources import espeak, espeak_in_language, flite, prompt_texts

HOP = SAMPLE_RATE // 32
# Lengths of what is cut from recordings, and of sounds; spread evenly on a logarithmic scale.
SPEECH_SECONDS, SOUND_SECONDS = (0.2, 2.5), (0.2, 4.0)
# Of each reader; of each meeting, actors have one clip each.
WINDOWS_EACH, GAPS_EACH, MEETING_WINDOWS = 14, 5, 40
WORDS_EACH, SOUNDS_EACH = 300, 140
# A hop is loud, or quiet, against the loud ones of its recording; a window has so many loud hops.
LOUD, QUIET, LOUD_SHARE, TRIES = 0.12, 0.03, 0.6, 10
# What precedes the first word counts as a gap from here on, without its edges.
GAP_SECONDS, EDGE_SECONDS = (0.3, (0.05, 0.1))
LETTERS = list("abcdefghijklmnopqrstuvwxyz")
COMMON = "one two three four five six seven eight nine zero yes no hello okay".split()
MAX_WORD_SECONDS, LEAST_WORD_SECONDS, LEAST_PEAK = 3.0, 0.1, 1e-3
# Texts of one language are as good as any other's for an engine that reads letters by rule.
ACCENTS = {"es": "es", "fr": "fr", "it": "it", "ru": "ru", "de": "it", "pt": "es", "pl": "it"}


def speech(random):
    """Source -> generator of clips with speech."""
    read = training_readers()
    folder = data_directory()
    meetings = sorted((folder / "diarization").glob("trn*.flac"))
    return {
        "readers": (
            clip
            for own in read
            for path in random.choice(np.array(own, object), WINDOWS_EACH)
            for clip in windows(read_audio(path), 1, random)
        ),
        "actors": (
            clip
            for path in sorted((folder / "emodb").glob("*.flac"))
            for clip in windows(read_audio(path), 1, random)
        ),
        "meetings": (
            clip for path in meetings for clip in windows(read_audio(path), MEETING_WINDOWS, random)
        ),
        **spoken_words(random),
    }


def other_sounds(random):
    """Source -> generator of clips without speech."""
    read = training_readers()
    return {
        "gaps": (
            clip
            for own in read
            for path in random.choice(np.array(own, object), GAPS_EACH)
            for clip in gap_before(read_audio(path))
        ),
        **{kind: sounds(kind, random) for kind in EVERY_MAKER},
    }


def training_readers():
    """Paths of the recordings of each reader that may be trained on."""
    paths, held_out = readers(), evaluation_speakers()
    return [paths[speaker] for speaker in sorted(paths) if speaker not in held_out]


def length(seconds, random):
    """Samples of a clip between these seconds."""
    return int(SAMPLE_RATE * np.exp(random.uniform(*np.log(seconds))))


def levels(samples):
    """Root mean square of each hop against the loud ones."""
    hops = samples[: len(samples) // HOP * HOP].reshape(-1, HOP)
    level = np.sqrt((hops**2).mean(1))
    return level / (np.quantile(level, 0.95) + 1e-9)


def windows(samples, count, random):
    """Yields at most so many windows that are loud for most of their length."""
    loud = levels(samples) > LOUD
    for _ in range(count):
        for _ in range(TRIES):
            size = min(length(SPEECH_SECONDS, random), len(samples))
            at = random.integers(0, len(samples) - size + 1)
            hops = loud[at // HOP : (at + size) // HOP]
            if hops.size and hops.mean() > LOUD_SHARE:
                yield samples[at : at + size]
                break


def gap_before(samples):
    """Yields what precedes the first word, if it is long enough."""
    quiet = levels(samples) < QUIET
    size = HOP * (len(quiet) if quiet.all() else int(quiet.argmin()))
    start, end = (int(SAMPLE_RATE * edge) for edge in EDGE_SECONDS)
    if size >= GAP_SECONDS * SAMPLE_RATE:
        yield samples[start : size - end]


def sounds(kind, random):
    for _ in range(SOUNDS_EACH):
        size = length(SOUND_SECONDS, random)
        samples = make_sound(kind, max(1.0, size / SAMPLE_RATE), random)
        at = random.integers(0, max(1, len(samples) - size))
        yield samples[at : at + size]


def spoken_words(random):
    """Engine -> generator of single words, letters and digits."""
    english = [*sorted({w for text in sentences() for w in text.split()}), *8 * LETTERS]
    english += 6 * COMMON
    texts = {
        language: [*sorted({w for text in own for w in text.lower().split()}), *4 * LETTERS]
        for language, own in prompt_texts().items()
    }
    pico, piper, hibari = Pico(), Piper(), Hibari()

    def foreign(_text, random):
        language = random.choice(list(ACCENTS))
        return espeak_in_language(str(random.choice(texts[ACCENTS[language]])), language, random)

    engines = {
        "flite": flite,
        "espeak-ng": espeak,
        "espeak-ng foreign": foreign,
        "Pico": pico,
        "Piper": piper,
        "hibari": hibari,
    }
    return {name: words(speak, english, random) for name, speak in engines.items()}


def words(speak, texts, random):
    count = 0
    while count < WORDS_EACH:
        samples = np.asarray(speak(str(random.choice(texts)), random))
        if np.abs(samples).max(initial=0) < LEAST_PEAK:
            continue
        word = trimmed(samples)[: int(MAX_WORD_SECONDS * SAMPLE_RATE)]
        if len(word) >= LEAST_WORD_SECONDS * SAMPLE_RATE:
            count += 1
            yield word
