import os

import guildbox
import pytest


@pytest.fixture(scope="module", name="guildbox")
def discord():
    discord = guildbox.Discord(["python3", "bot.py"], cwd=os.path.dirname(__file__), env={"LOG_FORMAT": "json"})
    yield discord
    discord.stop()


def test_people_do_what_they_can(world):
    ada, bob = world.person("Ada"), world.person("Bob", nick="Bobby")
    ada.command("form")
    assert ada.modal(name="Ada", text="two\nlines")["text"] == "Ada: two\nlines"
    ada.command("choose")
    assert ada.select("string", "2", "1")["text"] == "Chose 2, 1."
    assert ada.select("user", "Bob")["text"] == "Chose Bobby."
    message = ada.command("hello")["message"]
    ada.command("hello")  # which is newer
    assert bob.click(row=0, column=0, message=message)["message"]["id"] == message["id"]
    assert bob.click("Update")["text"] == "Updated."
    bob.channel = world.channel("games")["name"]
    assert bob.command("options", who="Bob", number=3)["text"] == "number=3 who=Bobby"
    bob.channel = "@dm"
    bob.say("!ping")
    assert [m["content"] for m in world.messages("@dm", "Bob")] == ["!ping", "pong"]
    with pytest.raises(RuntimeError, match="nothing"):
        ada.command("nothing")
    ada.command("check", what="unserved")
    transcript = world.transcript()
    assert "#games @the bot: number=3 who=Bobby" in transcript and "not offered here" in transcript
