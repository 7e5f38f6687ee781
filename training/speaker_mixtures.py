"""Audio with the number of voices at each sample: simulated mixtures and clips of meetings."""

import numpy as np
from scipy.signal import resample_poly

from distortions import add_background, distort, hold_music, reverberate, through_codec
from recordings import SAMPLE_RATE, data_directory, read_audio, trimmed
from sounds import MAKERS as SOUNDS
from sounds import make_sound
from speakers import evaluation_speakers, readers

MIXTURE_SECONDS = 12
MIXTURE_SAMPLES = MIXTURE_SECONDS * SAMPLE_RATE
MAX_VOICES = 3
# Shares of the mixtures whose voices overlap, of the overlapping turns in them, of those in a room,
# and of the clips without a voice that are music.
OVERLAPPING_MIXTURES, OVERLAPPING_TURNS, ROOM_SHARE, MUSIC_SHARE = 0.6, 0.6, 0.4, 0.5
# Start of the first turn, and the gap from the end of a turn to the start of the next; an
# interruption starts at least MIN_LEAD_SAMPLES after the turn before it.
START_SECONDS, PAUSE_SECONDS, INTERRUPTION_SECONDS = (0, 2), (0.1, 1.8), (-2.5, 0.5)
MIN_LEAD_SAMPLES = 4_000
# No turn begins in the last half second.
TAIL_SAMPLES = SAMPLE_RATE // 2
VOICE_PEAK, FLOOR_DECADES = (0.15, 0.7), (-4.5, -2.5)
BACKGROUND_SNR_DECIBELS, BACKGROUND_GAIN = (-5, 20), (0.05, 2)
MUSIC_LEVEL, HISS_LEVEL = 0.1, 1e-3
# Of all mixtures, those that went through a codec; of sounds, those through a room or a line, and
# their levels; of mixtures with a sound, how far it is below the voices.
CODED_SHARE, DISTORTED_SHARE, SOUND_DECADES, SOUND_SNR_DECIBELS = 0.25, 0.5, (-1.5, 0), (5, 25)
# Of versions of a meeting, those with a background, those in half of the band, and their levels.
NOISY_SHARE, NARROW_SHARE = 0.9, 0.3
MEETING_SNR_DECIBELS, MEETING_GAIN = (8, 30), (0.5, 4)


def training_voices():
    """Paths of each voice that the mixtures may hold: readers, then actors."""
    held_out = evaluation_speakers()
    voices = [paths for speaker, paths in readers().items() if speaker not in held_out]
    acted = {}
    for path in (data_directory() / "emodb").glob("*.flac"):
        acted.setdefault(path.name[:2], []).append(path)
    return voices + [sorted(paths) for _, paths in sorted(acted.items())]


def mixture(voices, random):
    """Samples of one mixture, and the number of voices at each sample."""
    sound, count = turns(voices, random)
    if random.random() < ROOM_SHARE:
        sound = reverberate(sound, random)
    floor = 10 ** random.uniform(*FLOOR_DECADES) * random.standard_normal(MIXTURE_SAMPLES)
    return distort((sound + floor).astype("float32"), random), count


def turns(voices, random):
    """One to three voices that take turns or interrupt each other."""
    sound, count = np.zeros(MIXTURE_SAMPLES, "float32"), np.zeros(MIXTURE_SAMPLES, "int8")
    names = random.choice(len(voices), random.integers(1, MAX_VOICES + 1), replace=False)
    at = int(random.uniform(*START_SECONDS) * SAMPLE_RATE)
    overlapping = random.random() < OVERLAPPING_MIXTURES
    while at < MIXTURE_SAMPLES - TAIL_SAMPLES:
        paths = voices[random.choice(names)]
        clip = trimmed(read_audio(paths[random.integers(len(paths))]))
        clip = clip / (np.abs(clip).max() + 1e-9) * random.uniform(*VOICE_PEAK)
        end = min(MIXTURE_SAMPLES, at + len(clip))
        sound[at:end] += clip[: end - at]
        count[at:end] += 1
        at = next_start(at, end, overlapping, random)
    return sound, count


def next_start(at, end, overlapping, random):
    """Where the turn after that from `at` to `end` begins."""
    interrupted = overlapping and random.random() < OVERLAPPING_TURNS
    gap = random.uniform(*(INTERRUPTION_SECONDS if interrupted else PAUSE_SECONDS))
    after = end + int(gap * SAMPLE_RATE)
    return after if gap > 0 else max(at + MIN_LEAD_SAMPLES, after)


def background_only(random):
    """Noise or music without any voice."""
    music = random.random() < MUSIC_SHARE
    sound = hold_music(MIXTURE_SAMPLES, random) if music else np.zeros(MIXTURE_SAMPLES)
    sound = MUSIC_LEVEL * sound + HISS_LEVEL * random.standard_normal(MIXTURE_SAMPLES)
    sound = add_background(sound, random, random.uniform(*BACKGROUND_SNR_DECIBELS))
    samples = (sound * random.uniform(*BACKGROUND_GAIN)).astype("float32")
    return samples, np.zeros(MIXTURE_SAMPLES, "int8")


def coded_mixture(voices, random):
    """A mixture, at times through a codec."""
    samples, count = mixture(voices, random)
    coded = random.random() < CODED_SHARE
    return (through_codec(samples, random) if coded else samples), count


def any_sound(random):
    """A sound of any kind that is not speech, as long as a mixture."""
    kinds = sorted(SOUNDS)
    samples = make_sound(kinds[random.integers(len(kinds))], MIXTURE_SECONDS, random)
    return np.pad(samples, (0, max(0, MIXTURE_SAMPLES - len(samples))))[:MIXTURE_SAMPLES]


def sound_only(random):
    """A sound without any voice."""
    samples = any_sound(random).astype("float32")
    if random.random() < DISTORTED_SHARE:
        samples = distort(samples, random) * 10 ** random.uniform(*SOUND_DECADES)
    return samples.astype("float32"), np.zeros(MIXTURE_SAMPLES, "int8")


def mixture_over_sound(voices, random):
    """A mixture while something else sounds."""
    samples, count = mixture(voices, random)
    sound = any_sound(random)
    level = samples.std() * 10 ** (-random.uniform(*SOUND_SNR_DECIBELS) / 20)
    return (samples + sound / (sound.std() + 1e-9) * level).astype("float32"), count


def meeting_version(piece, random):
    """A piece of a meeting with a background, another band, another level."""
    samples, count = piece
    if random.random() < NOISY_SHARE:
        samples = add_background(samples, random, random.uniform(*MEETING_SNR_DECIBELS))
    if random.random() < NARROW_SHARE:
        samples = resample_poly(resample_poly(samples, 1, 2), 2, 1)[: len(count)]
    return (samples * random.uniform(*MEETING_GAIN)).astype("float32"), count


# From the material, which is voices or a piece of a meeting, and random numbers to a recording.
MAKERS = {
    "mixture": coded_mixture,
    "background": lambda _, random: background_only(random),
    "sound": lambda _, random: sound_only(random),
    "over_sound": mixture_over_sound,
    "meeting": meeting_version,
}


def meetings(split):
    """Clips of one split with the number of voices at each sample."""
    folder = data_directory() / "diarization"
    spans = {}
    for line in (folder / f"debug.{split}.rttm").read_text().splitlines():
        _, name, _, start, seconds, *_ = line.split()
        spans.setdefault(name, []).append((float(start), float(start) + float(seconds)))
    for name, spoken in spans.items():
        samples = read_audio(folder / f"{name}.flac")
        count = np.zeros(len(samples), "int8")
        for start, end in spoken:
            count[int(start * SAMPLE_RATE) : int(end * SAMPLE_RATE)] += 1
        yield samples, count


def pieces(samples, count):
    """A clip in pieces of the length of a mixture; a last one of less than a second is left out."""
    for at in range(0, len(samples) - SAMPLE_RATE, MIXTURE_SAMPLES):
        part = slice(at, at + MIXTURE_SAMPLES)
        yield samples[part], count[part]


def meeting_pieces(split):
    """The pieces of all clips of a split."""
    return [piece for clip in meetings(split) for piece in pieces(*clip)]
