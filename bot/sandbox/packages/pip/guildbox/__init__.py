"""For tests in Python: it starts the program and a bot, and lets people act.

guildbox.pytest_plugin has it as fixtures.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

__all__ = ["Discord", "Person", "World", "program"]


def program():
    """The path of the program; an error where the wheel is another platform's."""
    path = Path(__file__).with_name("guildbox.exe" if sys.platform == "win32" else "guildbox")
    if not path.is_file():
        raise RuntimeError(f"guildbox: {path} is not there: install the wheel of this platform")
    return str(path)


class Discord:
    """A local Discord, and a bot on it if a command starts one.

    bot is its command, which finds the local Discord in its environment, args are flags of
    the program, env and cwd the bot's. ready is what to wait for: "ready" until it has
    registered a command, "connected" for one that has none. If the bot ends before, the
    error has what it wrote.
    """

    def __init__(self, bot=(), args=(), env=None, cwd=None, ready="ready", timeout=30):
        command = [program(), "--json", "--stdin", "--addr", "127.0.0.1:0", *args, *(["--", *bot] if bot else [])]
        self._folder = tempfile.TemporaryDirectory()
        self._reader = None
        self._log = open(os.path.join(self._folder.name, "log"), "ab")
        self._child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, cwd=cwd, env={**os.environ, **(env or {})}
        )
        try:
            self.env = json.loads(self._child.stdout.readline() or self._ended())
            self._reader = threading.Thread(target=self._copy, daemon=True)
            self._reader.start()
            end = time.monotonic() + timeout
            while bot and not self._is(ready):
                if self._child.poll() is not None:
                    self._ended()
                if time.monotonic() > end:
                    raise RuntimeError(f"guildbox: the bot is not {ready}:\n{self.said()}")
        except BaseException:
            self.stop()
            raise

    def _copy(self):
        for line in self._child.stdout:  # what the bot writes
            self._log.write(line)
            self._log.flush()

    def _is(self, what):
        try:
            self.api("POST", "/wait", {"for": what, "timeout": "500ms"})
        except (RuntimeError, OSError):
            return False
        return True

    def _ended(self):
        raise RuntimeError(f"guildbox: it ended with {self._child.wait()}:\n{self.said()}")

    def said(self):
        """What program and bot have written, the end of it."""
        with open(self._log.name, errors="replace") as log:
            return log.read()[-10_000:]

    def stop(self):
        self._child.stdin.close()
        self._child.wait()
        if self._reader:
            self._reader.join()
        self._child.stdout.close()
        self._log.close()
        self._folder.cleanup()

    def api(self, method, path, body=None):
        """Asks the test API for anything: faults, the clock."""
        request = urllib.request.Request(
            self.env["SANDBOX_URL"] + path,
            None if body is None else json.dumps(body).encode(),
            {"Authorization": "Bearer " + self.env["SANDBOX_KEY"], "Content-Type": "application/json"},
            method=method,
        )
        try:
            with _direct.open(request, timeout=90) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as e:
            raise RuntimeError(json.load(e)["error"]["message"]) from None

    def world(self):
        """A guild for one test, with a channel "general"; use it in a with statement."""
        return World(self)


_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class World:
    def __init__(self, discord):
        self.discord, self.acts = discord, []
        self._names = {discord.env["DISCORD_APPLICATION_ID"]: "the bot"}
        self.id = discord.api("POST", "/worlds", {"name": "a test", "channels": [{"name": "general"}]})["id"]

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.api("DELETE", "")

    def api(self, method, path, body=None):
        return self.discord.api(method, f"/worlds/{self.id}{path}", body)

    def person(self, name, **more):
        """Somebody new; more is their nick, locale, permissions, roles and so on."""
        made = self.api("POST", "/people", {"name": name, **more})
        self._names[made["id"]] = name
        return Person(self, made)

    def channel(self, name, **more):
        """Makes a channel beside "general"."""
        return self.api("POST", "/channels", {"name": name, **more})

    def messages(self, channel="general", who=""):
        """What somebody sees in a channel, oldest first; without a person all of it."""
        return self.api("GET", "/messages?" + urllib.parse.urlencode({"channel": channel, "as": who}))["messages"]

    def transcript(self):
        lines = list(self.acts)
        for channel in self.api("GET", "")["channels"]:
            lines += [f"#{channel['name']} {_show(m)}" for m in self.messages(channel["name"])]
        lines.append(self.discord.said())
        return re.sub(r"<@!?(\d+)>", lambda m: "@" + self._names.get(m[1], m[1]), "\n".join(lines))


class Person:
    """Somebody who acts. It raises RuntimeError where that cannot be done and where the bot
    does not answer; otherwise it waits until the bot has done all it was asked, and returns
    what came of it, as the test API writes it. They act in channel: "general", another one,
    or "@dm"."""

    def __init__(self, world, made):
        self.world, self.id, self.name, self.mention = world, made["id"], made["name"], f"<@{made['id']}>"
        self.channel, self.last = "general", {}

    def command(self, path, **options):
        return self.act("command", channel=self.channel, path=path, options=options)

    def say(self, text):
        return self.act("say", channel=self.channel, text=text)

    def click(self, label=None, message=None, **where):
        """Presses a button by its label, custom_id, or row and column; of the newest message
        that has it, unless one is given."""
        where.update({"label": label} if label else {})
        return self.act("click", message=self._find(message, where), **where)

    def select(self, custom_id, *values, message=None):
        where = {"custom_id": custom_id}
        return self.act("select", message=self._find(message, where), values=values, **where)

    def modal(self, call=None, **values):
        """Fills in the form that their last act, or the given one, was answered with."""
        call = (call or self.last.get("call") or {}).get("id", "")
        return self.act("modal", call=call, values={k: [v] if isinstance(v, str) else v for k, v in values.items()})

    def act(self, what, **body):
        """Does anything that the test API knows, and notes it."""
        told = f"{self.name}: {what} {json.dumps(body)}"
        self.world.acts.append(told)
        try:
            self.last = self.world.api("POST", f"/{what}?wait=settled", {"as": self.name, **body})
        except RuntimeError as e:
            raise RuntimeError(f"{told}: {e}") from None
        messages = [self.last.get("message"), *self.last["follow_ups"]]
        self.world.acts += [f"  {_show(m)}" for m in messages if m]
        call = self.last.get("call") or {}
        if call.get("failed"):
            raise RuntimeError("\n".join([f"{told}: {call['failed']}", *call.get("problems", [])]))
        return self.last

    def _find(self, message, where):
        """The newest message with what is meant; where none has it, the newest with
        anything, and the error says what there is."""
        if message:
            return message["id"]
        seen = [m for m in reversed(self.world.messages(self.channel, self.name)) if m["components"]]
        named = [m for m in seen for c in _parts(m["components"]) if any(c.get(k) == v for k, v in where.items() if k in ("label", "custom_id"))]
        return next(iter(named + seen), {}).get("id", "")


def _parts(components):
    """A message's components, those inside of others too."""
    for c in components:
        yield c
        yield from _parts([*c.get("components", []), *filter(None, [c.get("accessory"), c.get("component")])])


def _show(m):
    words = [f"<@{m['author_id']}>:", m["content"]]
    for c in _parts(m["components"]):
        words.append(f"[{c.get('label') or c.get('emoji', {}).get('name')}]" if c["type"] == 2 else c.get("content", ""))
    return " ".join(filter(None, words))

