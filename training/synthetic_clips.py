"""Clips of people and of speech engines as rows of pooled layers, for the synthetic-speech head.

They are read as the service reads a recording: a row is a stretch of speech. Each clip is clean and
distorted by telephone lines, rooms, noise and codecs, so that neither band nor level identifies the
engine. People are there a second time, sped up or slowed down and coded with few bits: other
throats, and what remains of a voice in a game or on a page.
"""

import zlib
from itertools import islice

import numpy as np

from distortions import as_small_file, at_another_speed, distort, through_codec
from encoder import TINY
from pooling import among_silence
from recordings import SAMPLE_RATE
from speech_stretches import StretchPooler
from steps import FOREIGN_VOICES
from synthetic_sources import (
    ENGINES,
    LANGUAGES,
    MULTILINGUAL,
    OTHER_LANGUAGES,
    human_sources,
    prompt_texts,
    read_human,
    shuffled_texts,
)
from vocoders import VOCODERS

SEED = 20261123
LAYERS = range(len(TINY.layers))
# Recordings of each source of people, and of the readers, who are a hundred.
HUMAN_CLIPS, TEST_CLIPS = 150, 120
MORE_CLIPS = {"readers": 650}
# Recordings of each source that are changed; how many of these are at another speed, and how many
# coded with few bits; the most of one.
CHANGED_CLIPS = 90
MORE_CHANGED = {"readers": 390, "actors": 240, "meetings": 120}
SPEED_SHARE, SMALL_SHARE, CHANGED_SECONDS = 0.7, 0.45, 10
# Number of clips of an engine, and sentences of each. Kokoro takes seconds of computing a sentence.
ENGINE_CLIPS = (160, 2)
FEWER_CLIPS = {"Kokoro": (120, 1), "Pico": (140, 2), "HTS": (80, 2), "ked": (80, 2)}
# Clips of prompts in other languages, and how long each is at least.
LANGUAGE_CLIPS = {
    "espeak-ng": 120,
    "hibari": 100,
    "Piper": 90,
    "Pico": 90,
    **dict.fromkeys(FOREIGN_VOICES, 60),
}
LANGUAGE_SEED, LEAST_SPOKEN_SECONDS = 3, 0.5
# Recordings of each source of people that each vocoder says again, and the most of one.
COPIES, COPY_SECONDS, LEAST_PEAK = 10, 7, 1e-3
MIN_SECONDS, MAX_SECONDS = 1.2, 6.0
PEAK = (0.2, 0.9)
# Before and after a clip.
SILENCE_SECONDS = (0.0, 0.6)
CODEC_SHARE = 0.5
# Of each clip: as it is, and distorted in two ways.
VERSIONS = 3


def versions(pool, samples, random):
    """Pooled layers of an excerpt, clean and distorted: [VERSIONS, features].

    None where in one of them no speech is heard: it has no score.
    """
    length = int(random.uniform(MIN_SECONDS, MAX_SECONDS) * SAMPLE_RATE)
    at = random.integers(0, max(1, len(samples) - length))
    clip = samples[at : at + length]
    clip = clip / (np.abs(clip).max() + 1e-9) * random.uniform(*PEAK)
    rows = [pool(among_some_silence(clip, random))]
    for _ in range(1, VERSIONS):
        distorted = distort(clip, random)
        if random.random() < CODEC_SHARE:
            distorted = through_codec(distorted, random)
        rows.append(pool(among_some_silence(distorted, random)))
    return None if any(row is None for row in rows) else np.stack(rows)


def among_some_silence(samples, random):
    before, after = (int(random.uniform(*SILENCE_SECONDS) * SAMPLE_RATE) for _ in range(2))
    return among_silence(samples, before, after, random)


def heard_rows(name, clips, random):
    """Rows [clips * VERSIONS, features] of those in which speech is heard."""
    pool = StretchPooler(LAYERS)
    every = [versions(pool, samples, random) for samples in clips]
    rows = [row for row in every if row is not None]
    print(name, len(every), "heard", len(rows), flush=True)
    return np.concatenate(rows)


def generator(name):
    """Random numbers of a source, whatever the other sources are."""
    return np.random.default_rng([SEED, zlib.crc32(name.encode())])


def recordings(paths, random):
    """Yields recordings of people in random order."""
    return map(read_human, random.permutation(np.array(paths, object)))


def is_long_enough(samples):
    return len(samples) >= MIN_SECONDS * SAMPLE_RATE


def human_rows(name, paths, count):
    """Rows of random recordings that are long enough."""
    random = generator(name)
    chosen = islice(filter(is_long_enough, recordings(paths, random)), count)
    return heard_rows(name, chosen, random)


def changed_clips(name, paths):
    """Yields recordings of people at other speeds and coded with few bits."""
    random = generator(f"{name} changed")
    for recording in recordings(paths, random):
        samples = recording[: CHANGED_SECONDS * SAMPLE_RATE]
        peak = np.abs(samples).max()
        if peak < LEAST_PEAK:
            continue
        samples = samples / peak * max(PEAK)
        if random.random() < SPEED_SHARE:
            samples = at_another_speed(samples, random)
        if random.random() < SMALL_SHARE:
            samples = as_small_file(samples, random)
        if is_long_enough(samples):
            yield samples


def spoken_clips(name):
    """Yields the clips of an engine, each a sentence or two."""
    random = generator(name)
    texts, speak = shuffled_texts(random), ENGINES[name]()
    count, sentences = FEWER_CLIPS.get(name, ENGINE_CLIPS)
    for _ in range(count):
        yield speak(", ".join(texts.pop() for _ in range(sentences)), random)


def clips_in_languages(name):
    """Yields the studio voices' prompts of other languages as an engine speaks them."""
    random = np.random.default_rng([LANGUAGE_SEED, zlib.crc32(name.encode())])
    texts, speak = prompt_texts(), MULTILINGUAL[name]()
    count = 0
    while count < LANGUAGE_CLIPS[name]:
        language = random.choice(LANGUAGES.get(name, OTHER_LANGUAGES))
        samples = speak(random.choice(texts[language]), language, random)
        if len(samples) > LEAST_SPOKEN_SECONDS * SAMPLE_RATE:
            count += 1
            yield samples


def copied_clips(vocoder, person, paths):
    """Yields recordings of people as a vocoder says them again."""
    random = generator(f"{vocoder} {person}")
    for samples in filter(is_long_enough, recordings(paths, random)):
        length = COPY_SECONDS * SAMPLE_RATE
        at = random.integers(0, max(1, len(samples) - length))
        excerpt = samples[at : at + length]
        peak = np.abs(excerpt).max()
        if peak >= LEAST_PEAK:
            yield VOCODERS[vocoder](excerpt / peak, random).astype("float32")


def clip_rows(name, clips):
    return heard_rows(name, clips, generator(f"{name} distorted"))


def changed(name):
    """The source of a source's recordings at other speeds."""
    return f"{name}, changed"


def collect():
    """Rows by source: people for training, people for the test, engines, copies of people."""
    people, strangers, copies = {}, {}, {}
    for name, (train, test) in human_sources().items():
        people[name] = human_rows(name, train, MORE_CLIPS.get(name, HUMAN_CLIPS))
        others = islice(changed_clips(name, train), MORE_CHANGED.get(name, CHANGED_CLIPS))
        people[changed(name)] = clip_rows(changed(name), others)
        if test:
            strangers[name] = human_rows(f"{name} for the test", test, TEST_CLIPS)
        copies[name] = [
            clip_rows(f"{vocoder} {name}", islice(copied_clips(vocoder, name, train), COPIES))
            for vocoder in VOCODERS
        ]
    engines = {name: clip_rows(name, spoken_clips(name)) for name in ENGINES}
    for name in MULTILINGUAL:
        foreign = f"{name} foreign"
        engines[foreign] = clip_rows(foreign, clips_in_languages(name))
    return people, strangers, engines, copies
