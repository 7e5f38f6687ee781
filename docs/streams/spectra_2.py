"""Streams a mono 16 kHz 16-bit WAV to Spectra-2 and prints the result.

pip install websockets
SVC_API_KEY=... python spectra_2.py call.wav [http://127.0.0.1:8080]
"""

import asyncio
import json
import os
import sys
import wave

import websockets

FRAME_BYTES = 32_000


async def main(path, base="http://127.0.0.1:8080"):
    with wave.open(path) as file:
        assert (file.getnchannels(), file.getframerate(), file.getsampwidth()) == (1, 16_000, 2)
        audio = file.readframes(file.getnframes())
    url = base.replace("http", "ws", 1) + "/v1/audio/spectra-2/stream"
    headers = {"Authorization": f"Bearer {os.environ['SVC_API_KEY']}"}
    async with websockets.connect(
        url, subprotocols=["svc.spectra2.v1"], additional_headers=headers
    ) as socket:
        start = {"type": "start", "model": "svc-spectra-2", "task": "transcription"}
        await socket.send(json.dumps(start))
        ready = json.loads(await socket.recv())
        if ready["type"] != "ready":
            raise SystemExit(ready["error"]["message"])
        for at in range(0, len(audio), FRAME_BYTES):
            await socket.send(audio[at : at + FRAME_BYTES])
        await socket.send(json.dumps({"type": "finish"}))
        print(json.dumps(json.loads(await socket.recv()), ensure_ascii=False))


asyncio.run(main(*sys.argv[1:]))
