"""What the installed package makes of answers that take long, are a text, or are none of the
service, and of interim text.
"""

import asyncio
import json
import threading
import unittest
from unittest.mock import patch

import httpx
from test_client import RECORDING, Script, failure, stream_server

from svc_speech import AsyncClient, Client, SpeechServiceError
from svc_speech.asynchronous.streams import open_spectra_stream as open_async_spectra_stream
from svc_speech.live_text import LiveWishes
from svc_speech.synchronous.streams import open_lite_stream, open_spectra_stream


class Answers(unittest.TestCase):
    """Of the service, or of what stands before it."""

    def test_an_answer_may_take_as_long_as_the_service_takes(self):
        for client in (Client("http://any", "k"), AsyncClient("http://any", "k")):
            self.assertEqual(client._transport.http.timeout, httpx.Timeout(330))

    def test_a_text_is_a_string_whatever_is_in_it_and_json_is_its_value(self):
        texts = ["Grüße, bitte.", "", "12"]
        hello = httpx.Response(200, json={"text": "Hello."})
        script = Script(*(httpx.Response(200, text=each) for each in texts), hello)
        with script.client() as client:
            for text in texts:
                answer = client.audio.lite(RECORDING, response_format="text")
                self.assertEqual(answer, text)
            # Other models answer JSON, and name the field that they ignore.
            ignoring = client.audio.transcription(RECORDING, response_format="text")
            self.assertEqual(ignoring, {"text": "Hello."})

    def test_a_success_that_is_none_of_the_service(self):
        headers = {"X-Request-ID": "p-1"}
        script = Script(httpx.Response(200, html="<html>", headers=headers))
        with script.client() as client, self.assertRaises(SpeechServiceError) as raised:
            client.audio.emotion(RECORDING)
        error = raised.exception
        self.assertEqual(error.message, "The service answered 200 without JSON.")
        self.assertEqual((error.status, error.code, error.request_id), (200, "unknown", "p-1"))
        self.assertEqual(len(script.sent), 1)

    def test_json_that_is_none_of_the_service(self):
        """Of a gateway, or of what stands in the place of the service."""
        for status, body in (
            (404, {"detail": "Not Found"}),
            (404, {"detail": ["no"]}),
            (401, {"error": "unauthorized"}),
            (403, {"error": {"message": "upstream"}}),
            (409, {"error": {"code": 502, "status": "UNAVAILABLE"}}),
            (400, None),
        ):
            script = Script(httpx.Response(status, json=body))
            with script.client() as client, self.assertRaises(SpeechServiceError) as raised:
                client.models()
            error = raised.exception
            self.assertEqual(error.message, f"The service answered {status}.")
            self.assertEqual((error.status, error.code, error.param), (status, "unknown", None))
            self.assertEqual(len(script.sent), 1)

    def test_a_new_secret_is_asked_for_once(self):
        """Or again where the service had no capacity for it."""
        secret = httpx.Response(200, json={"secret": "whsec_b"})
        lost = Script(httpx.ReadError("gone"), secret)
        with lost.client() as client, self.assertRaises(SpeechServiceError) as raised:
            client.webhooks.create_secret()
        self.assertEqual((raised.exception.code, len(lost.sent)), ("unreachable", 1))
        busy = Script(failure(429, "rate_limited"), secret)
        with busy.client() as client:
            self.assertEqual(client.webhooks.create_secret()["secret"], "whsec_b")


class Arguments(unittest.TestCase):
    """What reaches no service, or another resource than was meant."""

    def test_what_fits_no_header_is_refused(self):
        """A line break after the key is none of it."""
        script = Script(httpx.Response(200, json={}))

        def client(key, base_url="http://any"):
            transport = httpx.MockTransport(script)
            return Client(base_url, key, http=httpx.Client(transport=transport))

        client("svc_1\n").models()
        self.assertEqual(script.sent[0][0].headers["authorization"], "Bearer svc_1")
        for request_id in ("a\nb", "a b", "\u00e9"):
            with self.assertRaisesRegex(ValueError, "X-Request-ID must be visible ASCII"):
                client("k").audio.emotion(RECORDING, request_id=request_id)
        for key, what in ((" \n", "not be empty"), ("cl\u00e9", "be visible ASCII characters")):
            with self.assertRaisesRegex(ValueError, f"api_key must {what}"):
                client(key)
        with self.assertRaisesRegex(ValueError, "must be an http or https URL"):
            client("k", base_url="http://")
        self.assertEqual(len(script.sent), 1)

    def test_an_id_is_one_segment_of_the_path(self):
        script = Script(httpx.Response(200, json={}))
        with script.client() as client:
            client.files.remove("../batches/batch_1")
            client.batches.read("a?b")
        paths = [request.url.raw_path for request, _ in script.sent]
        expected = [b"/v1/files/..%2Fbatches%2Fbatch_1", b"/v1/batches/a%3Fb"]
        self.assertEqual(paths, expected)


class StreamLimits(unittest.TestCase):
    """When a stream begins, and after its recording has ended."""

    def test_an_upgrade_may_wait_as_long_as_the_service_lets_it(self):
        """It is answered after 20 s at the latest."""

        async def opened_asynchronously():
            await open_async_spectra_stream("ws://any", task="analysis")

        with patch("svc_speech.synchronous.streams.connect", side_effect=OSError) as connect:
            with self.assertRaises(SpeechServiceError):
                open_spectra_stream("ws://any", task="analysis")
            self.assertEqual(connect.call_args.kwargs["open_timeout"], 30)
        with patch("svc_speech.asynchronous.streams.connect", side_effect=OSError) as connect:
            with self.assertRaises(SpeechServiceError):
                asyncio.run(opened_asynchronously())
            self.assertEqual(connect.call_args.kwargs["open_timeout"], 30)

    def test_audio_for_a_finished_stream_is_refused(self):
        """Before its result, which only asyncio lets be, and after it."""

        def handler(socket):
            for message in socket:
                said = json.loads(message)["type"]
                socket.send(
                    json.dumps({"type": "ready"} if said == "start" else {"text": "Hello."})
                )

        async def sent_while_finishing(url):
            stream = await open_async_spectra_stream(url, task="analysis")
            finishing = asyncio.create_task(stream.finish())
            await asyncio.sleep(0)
            with self.assertRaisesRegex(RuntimeError, "finished"):
                await stream.send(bytes(2))
            self.assertEqual((await finishing)["text"], "Hello.")

        with stream_server(handler) as url:
            asyncio.run(sent_while_finishing(url))
            stream = open_spectra_stream(url, task="analysis")
            self.assertEqual(stream.finish()["text"], "Hello.")
            with self.assertRaisesRegex(RuntimeError, "finished"):
                stream.send(bytes(2))


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
