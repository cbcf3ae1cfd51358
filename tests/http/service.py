"""A service of its own for a test: a new ledger in a temporary folder, a token, and `fairdeal serve` on a free port."""

import json
import os
import subprocess
import tempfile
import urllib.error
import urllib.request


class Service:
    """Use it in a `with`: the service is stopped and its folder removed at the end."""

    def __init__(self, fairdeal, *options):
        self.fairdeal = os.path.abspath(fairdeal)
        self.options = options

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory()
        self.ledger = os.path.join(self._folder.name, "ledger")
        self.run("init", self.ledger, "--origin", "cards.example/log")
        self.token = self.run("token", "add", "test", "--ledger", self.ledger, "--open").strip()
        self.errors = open(os.path.join(self._folder.name, "errors"), "w+")
        command = [self.fairdeal, "serve", self.ledger, "--listen", "127.0.0.1:0", *self.options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.errors, text=True
        )
        line = self.process.stdout.readline()
        if not line.startswith("listening on http://"):
            raise SystemExit(f"error: the service did not start: {self.said()}")
        self.url = line.removeprefix("listening on ").strip()
        host, port = self.url.removeprefix("http://").split(":")
        self.address = (host, int(port))
        return self

    def __exit__(self, *_):
        self.process.terminate()
        status = self.process.wait(timeout=120)
        self.errors.close()
        self._folder.cleanup()
        if status != 0:
            raise SystemExit(f"error: the service ended with {status}")

    def run(self, *arguments):
        return subprocess.run(
            [self.fairdeal, *arguments], check=True, stdout=subprocess.PIPE, text=True
        ).stdout

    def said(self):
        """Its log."""
        self.errors.seek(0)
        return self.errors.read()

    def ask(self, path, body=None):
        """Status and answer of a request as a well-behaved client makes it."""
        headers = {"Authorization": f"Bearer {self.token}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)
