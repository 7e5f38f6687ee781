"""What the installed package does when the service fails, has no capacity, or breaks off.

python -m unittest discover clients/python/tests
"""

import asyncio
import base64
import hashlib
import hmac
import io
import json
import sys
import threading
import unittest
from contextlib import contextmanager

import httpx
from websockets.sync.server import serve

from svc_speech import AsyncClient, Client, SpeechServiceError, WebhookRejected, verify_webhook
from svc_speech.calls import Lines
from svc_speech.live_text import LiveWishes
from svc_speech.retries import RetryLimits, retry_delay_seconds
from svc_speech.synchronous.streams import open_lite_stream, open_spectra_stream

RECORDING = ("a.wav", b"123")


def failure(status, code, **headers):
    """The service's error envelope."""
    error = {"type": "any", "code": code, "message": f"It is {code}.", "param": None}
    return httpx.Response(status, headers=headers, json={"error": error})


class Script:
    """Gives the answers in turn, and keeps what was sent."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.sent = []

    def __call__(self, request):
        """One answer; an exception is raised as if the connection had failed."""
        self.sent.append((request, request.read()))
        return self._next()

    async def asynchronously(self, request):
        """The same for asyncio."""
        self.sent.append((request, await request.aread()))
        return self._next()

    def _next(self):
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def client(self):
        """A client of the script."""
        return Client("http://any/", "k", http=httpx.Client(transport=httpx.MockTransport(self)))


class Broken(httpx.SyncByteStream):
    """A body whose connection breaks at its end."""

    def __init__(self, text):
        self._text = text

    def __iter__(self):
        yield self._text.encode()
        raise httpx.ReadError("gone")


class Requests(unittest.TestCase):
    """Repetitions, ids and errors."""

    def test_delays(self):
        limits = RetryLimits(max_failures=4)

        def delay(status, code="x", *, after=None, failures=0, waits=0, jitter=1.0):
            error = SpeechServiceError("", status=status, code=code, retry_after_seconds=after)
            repetitions = {"failures": failures, "waits": waits}
            return retry_delay_seconds(error, repetitions, limits, jitter=jitter)

        for status in (400, 401, 402, 403, 409, 413, 422):
            self.assertIsNone(delay(status))
        for status in (0, 429, 500, 502, 503, 504):
            self.assertEqual(delay(status), 0.5)
        self.assertEqual(delay(409, "request_in_progress", waits=9), 15)
        self.assertIsNone(delay(409, "request_in_progress", waits=10))
        self.assertIsNone(delay(503, failures=4))
        self.assertEqual(delay(503, waits=10), 0.5)
        self.assertEqual(delay(429, after=7, jitter=0), 7.25)

    def test_the_same_id_and_bytes_after_a_wait_and_failures(self):
        failures = (failure(503, "not_ready"), httpx.ConnectError("gone"))
        answer = httpx.Response(200, json={"id": "r"})
        script = Script(failure(429, "rate_limited"), *failures, answer)
        sources = []

        def source():
            sources.append(io.BytesIO(b"123"))
            return sources[-1]

        with script.client() as client:
            result = client.audio.analysis(("a.wav", source), diarize=True, num_speakers=2)
        self.assertEqual(result["id"], "r")
        self.assertEqual(len({request.headers["x-request-id"] for request, _ in script.sent}), 1)
        self.assertEqual(script.sent[0][0].headers["authorization"], "Bearer k")
        for request, body in script.sent:
            self.assertEqual(request.url.path, "/v1/audio/analysis")
            for part in (b"true", b"num_speakers", b"123", b'filename="a.wav"'):
                self.assertIn(part, body)
        self.assertEqual([each.closed for each in sources], [True] * 4)

    def test_a_used_up_id_is_replaced_unless_it_is_the_callers(self):
        script = Script(failure(429, "model_busy"), httpx.Response(200, json={}))
        with script.client() as client:
            client.audio.spectra2(RECORDING)
        first, second = (request.headers["x-request-id"] for request, _ in script.sent)
        self.assertNotEqual(first, second)
        given = Script(failure(429, "model_busy"))
        with given.client() as client, self.assertRaises(SpeechServiceError):
            client.audio.spectra2(RECORDING, request_id="call-1")
        self.assertEqual(len(given.sent), 1)

    def test_a_ticket_whose_answer_was_lost_is_not_waited_for(self):
        lost = Script(httpx.ConnectError("gone"), failure(409, "request_in_progress"))
        with lost.client() as client, self.assertRaises(SpeechServiceError) as raised:
            client.sessions.stream({"token": "ss1_x"}, task="analysis", request_id="rg_0")
        self.assertEqual((raised.exception.code, len(lost.sent)), ("request_in_progress", 2))
        busy = Script(failure(429, "session_busy"), httpx.Response(200, json={"ticket": "any"}))
        with busy.client() as client:
            made = client.sessions.stream({"token": "ss1_x"}, task="analysis", request_id="rg_0")
        self.assertEqual(made["ticket"], "any")

    def test_a_repeated_deletion_of_what_the_first_attempt_deleted_has_done_it(self):
        gone = failure(404, "not_found")
        for lost in (httpx.ReadError("gone"), failure(504, "timeout")):
            script = Script(lost, gone)
            with script.client() as client:
                deleted = client.files.remove("file-1")
            self.assertEqual(deleted, {"id": "file-1", "object": "file", "deleted": True})
            self.assertEqual([request.method for request, _ in script.sent], ["DELETE"] * 2)
        with Script(httpx.ReadError("gone"), gone).client() as client:
            deleted = client.batches.remove("batch_1")
        self.assertEqual(deleted, {"id": "batch_1", "object": "batch", "deleted": True})
        page = (httpx.ReadError("gone"), httpx.Response(404, text="<html>"))
        for answers in ((gone,), (failure(429, "rate_limited"), gone), page):
            with Script(*answers).client() as client, self.assertRaises(SpeechServiceError):
                client.files.remove("none")

    def test_an_empty_field_or_id_is_refused(self):
        script = Script(httpx.Response(200, json={}))
        with script.client() as client:
            for redact in ("", " , "):
                with self.assertRaisesRegex(ValueError, "redact is empty"):
                    client.audio.analysis(RECORDING, redact=redact)
            with self.assertRaisesRegex(ValueError, "X-Request-ID must not be empty"):
                client.audio.emotion(RECORDING, request_id="")
            with self.assertRaisesRegex(ValueError, "idempotency_key must not be empty"):
                client.batches.run({"task": "emotion"}, {"a": RECORDING}, idempotency_key="")
        self.assertEqual(script.sent, [])

    def test_errors(self):
        client = Script(failure(400, "audio_too_long")).client()
        with client, self.assertRaises(SpeechServiceError) as raised:
            client.audio.emotion(RECORDING)
        self.assertEqual(
            (raised.exception.code, raised.exception.is_rejection), ("audio_too_long", 1)
        )
        detail = [{"loc": ["body", "file"], "msg": "Too short.", "type": "audio_too_short"}]
        client = Script(httpx.Response(422, json={"detail": detail})).client()
        with client, self.assertRaises(SpeechServiceError) as raised:
            client.audio.resonance2(RECORDING)
        self.assertEqual(
            (raised.exception.code, raised.exception.param), ("audio_too_short", "file")
        )
        client = Script(httpx.Response(404, text="<html>")).client()
        with client, self.assertRaises(SpeechServiceError) as raised:
            client.models()
        self.assertEqual((raised.exception.status, raised.exception.code), (404, "unknown"))

    def test_a_run_by_both_clients(self):
        def script():
            return Script(
                httpx.Response(200, json={"id": "f0"}),
                httpx.Response(200, json={"id": "f1"}),
                httpx.Response(202, json={"id": "b", "status": "validating"}),
                httpx.Response(200, json={"id": "b", "status": "completed"}),
            )

        async def asynchronously(used, **options):
            transport = httpx.MockTransport(used.asynchronously)
            async with AsyncClient(
                "http://any", "k", http=httpx.AsyncClient(transport=transport)
            ) as c:
                return await c.batches.run({"task": "analysis"}, recordings, **options)

        recordings = {"a": RECORDING, "b": RECORDING}
        for kind in ("synchronous", "asynchronous"):
            used, progress = script(), []
            options = {
                "idempotency_key": "monday",
                "concurrency": 1,
                "on_upload": lambda *counts, seen=progress: seen.append(counts),
            }
            if kind == "synchronous":
                with used.client() as client:
                    batch = client.batches.run({"task": "analysis"}, recordings, **options)
            else:
                batch = asyncio.run(asynchronously(used, **options))
            self.assertEqual(batch["status"], "completed", kind)
            self.assertEqual(progress, [(1, 2), (2, 2)])
            keys = [request.headers.get("idempotency-key") for request, _ in used.sent]
            self.assertEqual(keys, ["monday/0", "monday/1", "monday", None])
            self.assertEqual(
                json.loads(used.sent[2][1])["items"],
                [{"custom_id": "a", "file_id": "f0"}, {"custom_id": "b", "file_id": "f1"}],
            )

    def test_a_file_by_address(self):
        """The service fetches it; its name and time are optional."""
        script = Script(failure(503, "not_ready"), httpx.Response(200, json={"id": "f0"}))
        url = "s3://calls/1.wav"
        with script.client() as client:
            client.files.from_address(url, expires_after_seconds=7200, idempotency_key="monday")
        expires = {"anchor": "created_at", "seconds": 7200}
        for request, body in script.sent:
            self.assertEqual(request.url.path, "/v1/files")
            self.assertEqual(request.headers["idempotency-key"], "monday")
            self.assertEqual(json.loads(body), {"source": {"url": url}, "expires_after": expires})
        self.assertEqual(len(script.sent), 2)

    def test_results_go_on_after_a_broken_connection(self):
        lines = [
            json.dumps({"index": i, "custom_id": f"c\u2028{i}"}, ensure_ascii=False)
            for i in range(3)
        ]
        whole = "\n".join(lines)
        script = Script(
            httpx.Response(200, stream=Broken(f"{lines[0]}\n{lines[1][:5]}")),
            httpx.Response(200, text=whole),
        )
        with script.client() as client:
            seen = [result["index"] for result in client.batches.results("batch_1")]
        self.assertEqual(seen, [0, 1, 2])

    def test_a_line_in_many_blocks_is_searched_once(self):
        text = "a\r\n" + "b" * 1_000 + "\u2028\n\nc\rd"
        data, searched = text.encode(), []

        def count(_frame, event, called):
            if event == "c_call" and called.__name__ == "split":
                searched.append(len(called.__self__))

        for size in (1, 7, len(data)):
            searched.clear()
            lines, found = Lines(), []
            sys.setprofile(count)
            try:
                for at in range(0, len(data), size):
                    found += lines.feed(data[at : at + size])
            finally:
                sys.setprofile(None)
            found += lines.end()
            self.assertEqual(found, ["a", "b" * 1_000 + "\u2028", "", "c\rd"])
            self.assertEqual(sum(searched), len(data))

    def test_events_end_with_the_batch(self):
        def event(status):
            return f"event: batch\nid: 1\ndata: {json.dumps({'status': status})}\n\n:\n\n"

        script = Script(
            httpx.Response(200, text=f"retry: 1000\n\n{event('in_progress')}"),
            httpx.Response(200, text=event("completed") + event("completed")),
        )
        with script.client() as client:
            seen = [batch["status"] for batch in client.batches.events("batch_1")]
        self.assertEqual(seen, ["in_progress", "completed"])


@contextmanager
def stream_server(handler):
    """Serves a stream; yields its address."""
    protocols = ["svc.spectra2.v1", "svc.spectra2.live.v1", "svceet.pcm.v1", "svceet.pcm.live.v1"]
    with serve(handler, "127.0.0.1", 0, subprotocols=protocols) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        finally:
            server.shutdown()


class Streams(unittest.TestCase):
    """Both streams against a server that does what a test says."""

    def test_audio_is_whole_samples_in_small_frames(self):
        frames = []

        def handler(socket):
            socket.send(json.dumps({"type": "ready"}) if json.loads(socket.recv()) else "")
            for message in socket:
                if isinstance(message, str):
                    socket.send(json.dumps({"text": "Hello."}))
                else:
                    frames.append(len(message))

        with stream_server(handler) as url:
            stream = open_spectra_stream(url, task="analysis", api_key="k")
            for size in (3, 70_001, 4):
                stream.send(bytes(size))
            self.assertEqual(stream.finish()["text"], "Hello.")
        self.assertEqual(frames, [2, 32_000, 32_000, 6_002, 4])

    def test_interim_text(self):
        words = [{"word": word, "start": 0, "end": 1} for word in ("Hello", "world", "again")]

        def handler(socket):
            socket.send(json.dumps({"type": "ready"}))
            for stable, tail in ((words[:1], words[1:2]), (words[1:2], words[2:])):
                socket.recv()
                socket.send(json.dumps({"type": "interim", "stable": stable, "tail": tail}))
            while socket.recv() != json.dumps({"type": "commit"}):
                pass
            socket.send(json.dumps({"type": "revised", "kept_words": 1}))
            socket.send(json.dumps({"type": "final", "text": "Hello."}))

        seen = []

        def texts(text):
            seen.append([[word["word"] for word in part] for part in (text.stable, text.tail)])

        with stream_server(handler) as url:
            token = {"url": url, "token": "t", "protocol": "svceet.pcm.v1"}
            stream = open_lite_stream(token, LiveWishes(on_text=texts))
            for _ in range(2):
                stream.send(bytes(2))
            self.assertEqual(stream.finish()["text"], "Hello.")
        first, second = [["Hello"], ["world"]], [["Hello", "world"], ["again"]]
        self.assertEqual(seen, [first, second, [["Hello"], []]])

    def test_a_vocabulary_is_said_before_the_audio(self):
        heard, offered = [], []

        def handler(socket):
            offered.append(socket.request.headers["Sec-WebSocket-Protocol"].split(",")[0])
            if offered[-1] == "svceet.pcm.live.v1":
                socket.send(json.dumps({"type": "ready"}))
            for message in socket:
                heard.append(json.loads(message))
                if heard[-1]["type"] == "start":
                    socket.send(json.dumps({"type": "ready"}))
                if heard[-1]["type"] in ("commit", "finish"):
                    socket.send(json.dumps({"type": "interim", "stable": [], "tail": []}))
                    socket.send(json.dumps({"type": "final", "text": "Grey."}))

        wishes = LiveWishes(vocabulary=("grey",))
        with stream_server(handler) as url:
            token = {"url": url, "token": "t", "protocol": "svceet.pcm.v1"}
            self.assertEqual(open_lite_stream(token, wishes).finish()["text"], "Grey.")
            spectra = open_spectra_stream(url, task="analysis", ticket="abc", live=wishes)
            self.assertEqual(spectra.finish()["text"], "Grey.")
        self.assertEqual(offered, ["svceet.pcm.live.v1", "svc.spectra2.live.v1"])
        start = {"type": "start", "model": "svc-spectra-2", "task": "analysis"}
        said = [{"type": "vocabulary", "terms": ["grey"]}, {"type": "commit"}]
        self.assertEqual(heard, [*said, {**start, "vocabulary": ["grey"]}, {"type": "finish"}])

    def test_the_error_of_a_stream(self):
        def handler(socket):
            socket.recv()
            socket.send(json.dumps({"type": "ready"}))
            socket.recv()
            error = {"code": "allowance_exhausted", "message": "Nothing is left."}
            socket.send(json.dumps({"type": "error", "error": error}))
            socket.close(1008)

        with stream_server(handler) as url:
            stream = open_spectra_stream(url, task="analysis", ticket="abc")
            stream.send(bytes(2))
            with self.assertRaises(SpeechServiceError) as raised:
                stream.finish()
        self.assertEqual(raised.exception.code, "allowance_exhausted")

    def test_a_lite_stream_is_committed_again(self):
        commits = []

        def handler(socket):
            socket.send(json.dumps({"type": "ready"}))
            for message in socket:
                if not isinstance(message, str):
                    continue
                commits.append(message)
                busy = {"type": "error", "code": "capacity", "retry_after_ms": 1}
                answer = busy if len(commits) < 3 else {"type": "final", "text": "Hello."}
                socket.send(json.dumps(answer))

        with stream_server(handler) as url:
            token = {"url": url, "protocol": "svceet.pcm.v1", "token": "one"}
            with open_lite_stream(token) as stream:
                stream.send(bytes(3_200))
                self.assertEqual(stream.finish()["text"], "Hello.")

    def test_nobody_there(self):
        with self.assertRaises(SpeechServiceError) as raised:
            open_spectra_stream("ws://127.0.0.1:9", task="analysis")
        self.assertEqual(raised.exception.code, "unreachable")


class Webhooks(unittest.TestCase):
    """Signatures."""

    KEY = b"a secret of some length"
    SECRET = "whsec_" + base64.b64encode(KEY).decode()
    BODY = b'{"type":"batch.completed"}'

    def headers(self, key=KEY, body=BODY):
        """Signed with the key."""
        signed = hmac.new(key, b"msg_1.1790000000." + body, hashlib.sha256).digest()
        return {
            "Webhook-Id": "msg_1",
            "Webhook-Timestamp": "1790000000",
            "Webhook-Signature": "v1,AAAA v1," + base64.b64encode(signed).decode(),
        }

    def test_a_signed_message(self):
        event = verify_webhook(self.SECRET, self.headers(), self.BODY, now=1_790_000_060)
        self.assertEqual(event["type"], "batch.completed")

    def test_rejections(self):
        for headers, body, now in [
            (self.headers(), b"{}", 1_790_000_000),
            (self.headers(key=b"another"), self.BODY, 1_790_000_000),
            (self.headers(), self.BODY, 1_790_000_400),
            (self.headers() | {"Webhook-Timestamp": "nan"}, self.BODY, 1_790_000_000),
            (self.headers() | {"Webhook-Timestamp": "\u00b2"}, self.BODY, 1_790_000_000),
            (self.headers() | {"Webhook-Signature": "v1,\u00e9"}, self.BODY, 1_790_000_000),
            (self.headers() | {"Webhook-Id": "\udce9"}, self.BODY, 1_790_000_000),
            ({}, self.BODY, 1_790_000_000),
        ]:
            with self.assertRaises(WebhookRejected):
                verify_webhook(self.SECRET, headers, body, now=now)

    def test_a_secret_that_is_none(self):
        """An empty key would sign what anybody writes."""
        short = "whsec_" + base64.b64encode(b"fifteen bytes..").decode()
        for secret in ("", "whsec_", "whsec_!!!", short):
            with self.assertRaisesRegex(ValueError, "base64 of at least 16 bytes"):
                verify_webhook(secret, self.headers(key=b""), self.BODY, now=1_790_000_060)


if __name__ == "__main__":
    unittest.main()
