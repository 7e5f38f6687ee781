"""What the installed package makes of answers that take long, are a text, or are none of the
service, of recordings that cannot be read, and of interim text.
"""

import json
import threading
import unittest

import httpx
from test_client import stream_server

from svc_speech import AsyncClient, Client
from svc_speech.live_text import LiveWishes
from svc_speech.synchronous.streams import open_lite_stream


class Answers(unittest.TestCase):
    """Of the service, or of what stands before it."""

    def test_an_answer_may_take_as_long_as_the_service_takes(self):
        for client in (Client("http://any", "k"), AsyncClient("http://any", "k")):
            self.assertEqual(client._transport.http.timeout, httpx.Timeout(330))


class InterimText(unittest.TestCase):
    """While a recording goes on."""

    def test_what_has_arrived_is_told_with_the_next_piece(self):
        arrived, seen = threading.Event(), []

        def handler(socket):
            socket.send(json.dumps({"type": "ready"}))
            socket.recv()
            socket.send(json.dumps({"type": "interim", "stable": [], "tail": []}))
            # A pong may be sent before what came with its ping is read, the next one not.
            for _ in range(2):
                socket.ping().wait()
            arrived.set()
            for message in socket:
                if isinstance(message, str):
                    socket.send(json.dumps({"type": "final", "text": "Hello."}))

        with stream_server(handler) as url:
            token = {"url": url, "token": "t", "protocol": "svceet.pcm.v1"}
            with open_lite_stream(token, LiveWishes(on_text=seen.append)) as stream:
                stream.send(bytes(2))
                arrived.wait()
                stream.send(bytes(2))
                self.assertEqual(len(seen), 1)
                self.assertEqual(stream.finish()["text"], "Hello.")


if __name__ == "__main__":
    unittest.main()
