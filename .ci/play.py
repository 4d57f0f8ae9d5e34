#!/usr/bin/env python3
"""Plays a game on a running "tictactoe sandbox" through its test API: the smoke test of a
release. Its arguments are the address and the key."""
import json
import sys
import time
import urllib.error
import urllib.request

base, key = sys.argv[1] + "/sandbox/v1", sys.argv[2]


def ask(path, body):
    request = urllib.request.Request(base + path, json.dumps(body).encode(), {"Authorization": "Bearer " + key, "Content-Type": "application/json"})
    try:
        return json.load(urllib.request.urlopen(request, timeout=60))
    except urllib.error.HTTPError as e:
        sys.exit(f"{path}: {e.read().decode()}")


ask("/wait", {"for": "ready", "timeout": "1m"})
world = ask("/worlds", {"name": "a game", "people": [{"name": "Ada"}, {"name": "Ben"}], "channels": [{"name": "games"}]})
acts = f"/worlds/{world['id']}/%s?wait=settled"
challenge = ask(acts % "command", {"as": "Ada", "channel": "games", "path": "tictactoe challenge", "options": {"user": "Ben"}})
on = {"message": challenge["message"]["id"]}
board = ask(acts % "click", {"as": "Ben", "label": "Accept", **on})
for move, (row, column) in enumerate([(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]):
    player = ["Ada", "Ben"][move % 2]
    for _ in range(40):
        board = ask(acts % "click", {"as": player, "row": row, "column": column, **on})
        # Whoever clicks as soon as the board has changed is told that they cannot have seen it.
        if not board["text"].startswith("The board has just changed"):
            break
        time.sleep(0.25)
    if board["call"]["type"] not in (6, 7):
        sys.exit(f"{player} at {row},{column}: {board['text']}")
if "wins" not in json.dumps(board["message"]["components"]):
    sys.exit(f"nobody has won: {json.dumps(board['message'])}")
print("a game was played to its end")
