"""What the installed package makes of answers that take long, are a text, or are none of the
service, and of recordings that cannot be read.
"""

import unittest

import httpx

from svc_speech import AsyncClient, Client


class Answers(unittest.TestCase):
    """Of the service, or of what stands before it."""

    def test_an_answer_may_take_as_long_as_the_service_takes(self):
        for client in (Client("http://any", "k"), AsyncClient("http://any", "k")):
            self.assertEqual(client._transport.http.timeout, httpx.Timeout(330))


if __name__ == "__main__":
    unittest.main()
