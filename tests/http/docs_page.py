"""The page of the API in a browser: it is whole under the strictest policy, fits a phone, asks no other host for anything, and
nothing in a hostile document becomes part of it.

Usage: python3 docs_page.py PATH-OF-FAIRDEAL; needs chromium
"""

import base64
import hashlib
import html
import http.server
import json
import re
import subprocess
import sys
import tempfile
import threading
import urllib.request

from service import Service

PHONE = 360

# The page in a frame as wide as a phone, and what came of it.
FRAME = f"""<!doctype html><iframe id="page" src="/docs" width="{PHONE}" height="800" style="border: 0"></iframe><pre id="found"></pre>
<script>
page.onload = () => setTimeout(() => {{
  const inside = page.contentDocument;
  const all = [...inside.querySelectorAll("*")];
  found.textContent = JSON.stringify({{
    width: inside.documentElement.scrollWidth,
    wide: all.filter((one) => one.getBoundingClientRect().right > {PHONE + 1}).map((one) => one.outerHTML.slice(0, 200)),
    ids: [...inside.querySelectorAll("section")].map((one) => one.id),
    strange: all.filter((one) => ["IMG", "IFRAME", "B", "OBJECT"].includes(one.tagName)).length,
    title: inside.title,
    text: inside.body.innerText,
  }});
}}, 1500);
</script>"""


def strictest(page):
    """What the service should say of the page: only its own script and style, and only its own host."""
    def digest(tag):
        inside = re.search(f"<{tag}>(.*?)</{tag}>", page, re.S).group(1)
        return base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()

    return (
        f"default-src 'none'; connect-src 'self'; img-src data:; script-src 'sha256-{digest('script')}'; "
        f"style-src 'sha256-{digest('style')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def look(page, policy, document):
    """What a browser makes of the page with this document, and the paths that it asked for."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            found = {
                "/": (FRAME, "text/html"),
                "/docs": (page, "text/html"),
                "/openapi.json": (document, "application/json"),
            }
            text, kind = found.get(self.path, ("", None))
            self.send_response(200 if kind else 404)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            if self.path == "/docs":
                # But for the frame, which is this test's own.
                self.send_header(
                    "Content-Security-Policy",
                    policy.replace("ancestors 'none'", "ancestors 'self'"),
                )
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_):
            pass

    with (
        http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server,
        tempfile.TemporaryDirectory() as profile,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        shown = subprocess.run(
            [
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--virtual-time-budget=10000",
                f"--user-data-dir={profile}",
                "--dump-dom",
                f"http://127.0.0.1:{server.server_address[1]}/",
            ],
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ).stdout
        server.shutdown()
    found = re.search('<pre id="found">(.+?)</pre>', shown, re.S)
    if not found:
        sys.exit(f"the browser did not show the page: {shown[:500]}")
    return json.loads(html.unescape(found.group(1))), set(asked)


def hostile(value):
    """The same document with markup in every text that people read."""
    bad = "<img src=/stolen onerror=\"document.title='it ran'\"><b>"
    if isinstance(value, dict):
        return {
            name: bad + one
            if name in ("description", "summary", "title", "pattern") and isinstance(one, str)
            else hostile(one)
            for name, one in value.items()
        }
    return [hostile(one) for one in value] if isinstance(value, list) else value


def main():
    with Service(sys.argv[1]) as service:
        answers = [
            urllib.request.urlopen(service.url + path) for path in ("/docs", "/openapi.json")
        ]
        page, document = (answer.read().decode() for answer in answers)
        policy = answers[0].headers["Content-Security-Policy"]
    faults = [
        f"the page has {bad!r}"
        for bad in ("innerHTML", "outerHTML", "document.write", "http://", "https://")
        if bad in page
    ]
    if policy != strictest(page):
        faults.append(f"the policy of the page: expected {strictest(page)}, found {policy}")
    faults += [f"an inline handler: {one}" for one in re.findall(r"<[a-z][^>]* on[a-z]+=", page)]

    read = json.loads(document)
    calls = [call["operationId"] for methods in read["paths"].values() for call in methods.values()]
    wanted = calls + ["type-" + name for name in read["components"]["schemas"]]
    for name, given in (("the page", document), ("the hostile page", json.dumps(hostile(read)))):
        found, asked = look(page, policy or strictest(page), given)
        faults += [f"{name}: {one} is missing" for one in wanted if one not in found["ids"]]
        if found["width"] > PHONE or found["wide"]:
            faults.append(f"{name}: wider than a phone: {found['width']}, {found['wide'][:3]}")
        if found["strange"] or found["title"] != "fairdeal: the API":
            faults.append(f"{name}: what the document holds became part of it")
        if not asked <= {"/", "/docs", "/openapi.json", "/favicon.ico"}:
            faults.append(f"{name}: asked for {asked}")
    if "<img src=/stolen" not in found["text"]:
        faults.append("the hostile page: its texts are not shown as texts")
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(calls)} calls on the page")


main()
