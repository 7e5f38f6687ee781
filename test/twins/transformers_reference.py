"""Tokens and their places that transformers decodes greedily from a Whisper model.

    python transformers_reference.py MODEL_FOLDER JOB.json

The job has `mels`, `vocabulary`, `prompt`, `suppress`, `steps` and `files` (16 kHz WAV). For each
file a list of [token, frame] is written to standard output as JSON: the frame of 20 ms at which
the attention of the upper half of the decoder's layers has its centre. Features are those of
transformers, followed by zeros to 30 s; everything is computed in single precision by JAX.
"""

import json
import sys
import wave
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from transformers import FlaxWhisperForConditionalGeneration, WhisperConfig, WhisperFeatureExtractor

FRAMES = 3000


def features_of(path, extract):
    with wave.open(path) as recording:
        pcm = np.frombuffer(recording.readframes(recording.getnframes()), np.int16)
    sound = pcm.astype(np.float32) / 32_768
    found = extract(sound, sampling_rate=16_000, padding="do_not_pad", return_tensors="np")
    features = found["input_features"][0]
    return np.pad(features, ((0, 0), (0, FRAMES - features.shape[1])))[None]


def load(folder, job):
    """The sizes are the files' own; the rest is what every published model has."""
    sizes = json.loads((Path(folder) / "config.json").read_text())
    width, heads = sizes["d_model"], sizes["encoder_attention_heads"]
    config = WhisperConfig(
        **{name: sizes[name] for name in ("encoder_layers", "decoder_layers")},
        encoder_attention_heads=heads,
        decoder_attention_heads=heads,
        d_model=width,
        encoder_ffn_dim=4 * width,
        decoder_ffn_dim=4 * width,
        num_mel_bins=job["mels"],
        vocab_size=job["vocabulary"],
        pad_token_id=0,
        bos_token_id=0,
        eos_token_id=0,
        decoder_start_token_id=0,
        suppress_tokens=[],
        begin_suppress_tokens=[],
    )
    return FlaxWhisperForConditionalGeneration.from_pretrained(folder, config=config)


def main(folder, job_file):
    job = json.loads(Path(job_file).read_text())
    model = load(folder, job)
    extract = WhisperFeatureExtractor(feature_size=job["mels"])
    upper = model.config.decoder_layers // 2
    length = len(job["prompt"]) + job["steps"]

    # Of one length, so that it is compiled once: what follows a token has no effect on it.
    @jax.jit
    def read(tokens, encoded, last):
        step = model.decode(tokens, encoded, output_attentions=True)
        layers = [each[0, :, last].mean(axis=0) for each in step.cross_attentions[upper:]]
        return step.logits[0, last], jnp.mean(jnp.stack(layers), axis=0)

    decoded = []
    for path in job["files"]:
        encoded = model.encode(input_features=jnp.asarray(features_of(path, extract)))
        tokens = np.zeros((1, length), np.int32)
        tokens[0, : len(job["prompt"])] = job["prompt"]
        found = []
        for last in range(len(job["prompt"]) - 1, length - 1):
            scores, attention = read(jnp.asarray(tokens), encoded, last)
            logits = np.array(scores)
            logits[job["suppress"]] = -np.inf
            tokens[0, last + 1] = logits.argmax()
            centre = float(np.asarray(attention) @ np.arange(len(attention)))
            found.append([int(tokens[0, last + 1]), round(centre, 2)])
        decoded.append(found)
    print(json.dumps(decoded))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
