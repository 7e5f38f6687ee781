"""What the installed package does with recordings that cannot be read, or only once."""

import asyncio
import io
import os
import tempfile
import threading
import unittest
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx

from svc_speech import AsyncClient, Client, SpeechServiceError


@contextmanager
def file_server():
    """Takes any body; yields its address and the bodies."""
    bodies = []

    class Receiver(BaseHTTPRequestHandler):
        """Reads a body of known or unknown length."""

        protocol_version = "HTTP/1.1"

        def do_POST(self):
            length = self.headers["Content-Length"]
            bodies.append(self.rfile.read(int(length)) if length else b"".join(self._chunks()))
            answer = b'{"id": "file-1"}'
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def _chunks(self):
            while size := int(self.rfile.readline() or b"0", 16):
                yield self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()

        def log_message(self, *_):
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Receiver) as server:
        # Of connections that a client breaks off.
        server.handle_error = lambda *_: None
        threading.Thread(target=server.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", bodies
        finally:
            server.shutdown()


class Failing(io.BytesIO):
    """Some bytes, then an error, or another thing than bytes."""

    def __init__(self, end):
        super().__init__(bytes(300_000))
        self._end = end

    def read(self, size=-1):
        """The end comes after what is there."""
        if data := super().read(min(size, 200_000 - self.tell())):
            return data
        if isinstance(self._end, Exception):
            raise self._end
        return self._end


class Recordings(unittest.TestCase):
    """By a real server, because a form is read while it is sent."""

    def upload_by_both(self, base, recording):
        """Yields the way and the error of either client."""

        def synchronously():
            with Client(base, "k") as client:
                return client.files.upload(recording)

        async def asynchronously():
            async with AsyncClient(base, "k") as client:
                return await client.files.upload(recording)

        for way in (synchronously, lambda: asyncio.run(asynchronously())):
            try:
                yield way()
            except Exception as error:
                yield error

    def test_the_error_of_a_source_is_raised_as_it_is(self):
        for end in (httpx.ReadError("gone"), OSError("no such call"), RuntimeError("closed")):
            opened = []

            def source(end=end, opened=opened):
                opened.append(Failing(end))
                return opened[-1]

            with file_server() as (base, _):
                errors = [*self.upload_by_both(base, ("a.wav", source))]
            self.assertEqual(errors, [end, end])
            self.assertEqual([each.closed for each in opened], [True, True])

    def test_a_recording_that_changes_while_it_is_sent(self):
        """Fewer bytes than there were at first."""
        opened = []

        def source():
            opened.append(Failing(b""))
            return opened[-1]

        with file_server() as (base, _):
            errors = [*self.upload_by_both(base, ("a.wav", source))]
        for error in errors:
            self.assertIsInstance(error, SpeechServiceError)
            self.assertEqual((error.status, error.code), (0, "unreadable_file"))
        self.assertEqual(len(opened), 2)

    def test_texts_and_opened_files_are_refused(self):
        with file_server() as (base, _):
            for recording, message in (
                (("a.wav", lambda: Failing("text")), "read as bytes, got str"),
                (("a.wav", lambda: io.StringIO("text")), "read as bytes, got str"),
                (("a.wav", io.BytesIO(b"123")), "a function that opens it, got BytesIO"),
            ):
                for error in self.upload_by_both(base, recording):
                    self.assertIsInstance(error, TypeError)
                    self.assertIn(message, str(error))

    def test_a_pipe_is_sent_to_its_end(self):
        """Its size, which is 0, is not its length."""

        def pipe():
            reader, writer = os.pipe()
            threading.Thread(target=lambda: open_and_write(writer)).start()
            return open(reader, "rb")  # noqa: PTH123

        def open_and_write(writer):
            with open(writer, "wb") as file:  # noqa: PTH123
                file.write(b"abc" * 100_000)

        with file_server() as (base, bodies):
            files = [*self.upload_by_both(base, ("a.wav", pipe))]
        self.assertEqual([each["id"] for each in files], ["file-1"] * 2)
        for body in bodies:
            self.assertIn(b"abc" * 100_000, body)

    def test_a_path_is_sent_with_its_length(self):
        with tempfile.TemporaryDirectory() as folder, file_server() as (base, bodies):
            path = Path(folder) / "a.wav"
            path.write_bytes(b"abc" * 100_000)
            files = [*self.upload_by_both(base, path)]
        self.assertEqual([each["id"] for each in files], ["file-1"] * 2)
        self.assertEqual([b"abc" * 100_000 in body for body in bodies], [True, True])


if __name__ == "__main__":
    unittest.main()
