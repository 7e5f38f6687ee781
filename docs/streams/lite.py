"""Streams a mono 16 kHz 16-bit WAV to the lite model with a client token and prints the result.

pip install websockets
SVC_API_KEY=... python lite.py call.wav [http://127.0.0.1:8080]
"""

import asyncio
import json
import os
import sys
import urllib.request
import wave

import websockets

FRAME_BYTES = 32_000


async def main(path, base="http://127.0.0.1:8080"):
    with wave.open(path) as file:
        assert (file.getnchannels(), file.getframerate(), file.getsampwidth()) == (1, 16_000, 2)
        audio = file.readframes(file.getnframes())
    # On a server, which has the key; the token goes to the client and opens one stream.
    headers = {"Authorization": f"Bearer {os.environ['SVC_API_KEY']}"}
    request = urllib.request.Request(f"{base}/v1/client-token", method="POST", headers=headers)
    with urllib.request.urlopen(request) as response:
        grant = json.load(response)
    protocols = [grant["protocol"], f"auth.{grant['token']}"]
    async with websockets.connect(grant["url"], subprotocols=protocols) as socket:
        for at in range(0, len(audio), FRAME_BYTES):
            await socket.send(audio[at : at + FRAME_BYTES])
        await socket.send(json.dumps({"type": "commit"}))
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "error":
                raise SystemExit(message["message"])
            if message["type"] == "final":
                print(json.dumps(message, ensure_ascii=False))


asyncio.run(main(*sys.argv[1:]))
