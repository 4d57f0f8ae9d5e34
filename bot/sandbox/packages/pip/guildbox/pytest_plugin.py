"""Fixtures for pytest: guildbox, a local Discord with the bot of the setting guildbox_bot
for the whole run, and world, a guild of it for one test, whose transcript is printed if
the test fails."""

import pytest

from guildbox import Discord


def pytest_addoption(parser):
    parser.addini("guildbox_bot", "the command that starts the bot, in pytest's root folder", type="args")
    parser.addini("guildbox_args", "flags of guildbox, such as --permissions 8", type="args")
    parser.addini("guildbox_ready", 'what to wait for: "ready" or "connected"', default="ready")


@pytest.fixture(scope="session")
def guildbox(pytestconfig):
    ini = pytestconfig.getini
    discord = Discord(ini("guildbox_bot"), ini("guildbox_args"), cwd=pytestconfig.rootpath, ready=ini("guildbox_ready"))
    yield discord
    discord.stop()


@pytest.fixture
def world(guildbox):
    with guildbox.world() as world:
        yield world


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    world = getattr(item, "funcargs", {}).get("world")
    if report.when == "call" and report.failed and hasattr(world, "transcript"):
        try:
            report.sections.append(("Discord", world.transcript()))
        except Exception as e:  # the test has failed, and says why
            report.sections.append(("Discord", f"there is no transcript: {e}"))
