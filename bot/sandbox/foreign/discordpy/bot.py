"""A bot in discord.py that uses what the library has, as its guide does it. It
differs from one for Discord only in where it finds its API."""

import io
import os
import traceback
from typing import Optional, Union

import discord
import yarl
from discord import app_commands, ui
from discord.gateway import DiscordWebSocket
from discord.http import Route

Route.BASE = os.environ["DISCORD_API_URL"]
DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["DISCORD_GATEWAY_URL"])

intents = discord.Intents.default()
intents.members = True
intents.message_content = True


class Form(ui.Modal, title="Form"):
    name = ui.TextInput(label="Name", custom_id="name")
    text = ui.TextInput(label="Text", custom_id="text", style=discord.TextStyle.paragraph, required=False)

    def __init__(self, update=False):
        super().__init__()
        self.update = update

    async def on_submit(self, interaction):
        if self.update:
            await interaction.response.edit_message(content=f"Asked {self.name}.", view=None)
        else:
            await interaction.response.send_message(f"{self.name}: {self.text}")


class Buttons(ui.View):
    @ui.button(label="Update")
    async def update(self, interaction, button):
        await interaction.response.edit_message(content="Updated.", view=None)

    @ui.button(label="Later")
    async def later(self, interaction, button):
        await interaction.response.defer()
        await interaction.edit_original_response(content="Edited.")

    @ui.button(label="Whisper")
    async def whisper(self, interaction, button):
        await interaction.response.send_message("Only you.", ephemeral=True)
        await interaction.followup.send("Still only you.", ephemeral=True)

    @ui.button(label="Ask")
    async def ask(self, interaction, button):
        await interaction.response.send_modal(Form(update=True))


def name_of(value):
    return getattr(value, "display_name", None) or value.name


class Selects(ui.View):
    @ui.select(custom_id="string", max_values=2, options=[
        discord.SelectOption(label="One", value="1"), discord.SelectOption(label="Two", value="2")])
    async def string(self, interaction, select):
        await interaction.response.send_message(f"Chose {', '.join(select.values)}.")

    @ui.select(cls=ui.UserSelect, custom_id="user")
    async def user(self, interaction, select):
        await interaction.response.send_message(f"Chose {', '.join(map(name_of, select.values))}.")

    @ui.select(cls=ui.RoleSelect, custom_id="role")
    async def role(self, interaction, select):
        await interaction.response.send_message(f"Chose {', '.join(map(name_of, select.values))}.")

    @ui.select(cls=ui.MentionableSelect, custom_id="mentionable", max_values=2)
    async def mentionable(self, interaction, select):
        await interaction.response.send_message(f"Chose {', '.join(map(name_of, select.values))}.")

    @ui.select(cls=ui.ChannelSelect, custom_id="channel")
    async def channel(self, interaction, select):
        await interaction.response.send_message(f"Chose {', '.join(map(name_of, select.values))}.")


class Bot(discord.Client):
    def __init__(self):
        super().__init__(intents=intents)
        self.tree = app_commands.CommandTree(self)
        self.seen = set()

    async def setup_hook(self):
        await self.tree.sync()

    async def on_message(self, message):
        if message.author.bot:
            return
        if message.content == "!ping":
            await message.reply("pong")
        if message.content == "!read":
            await message.reply((await message.attachments[0].read()).decode())
        if message.content == "!may":
            await message.reply(str(message.author.guild_permissions.administrator).lower())

    async def on_raw_reaction_add(self, payload):
        if payload.user_id != self.user.id and str(payload.emoji) == "🏓":
            channel = self.get_channel(payload.channel_id)
            await channel.get_partial_message(payload.message_id).reply("pong")

    # What the library made of events, by their names on the wire.
    names = {
        "guild_channel_create": "CHANNEL_CREATE", "guild_channel_update": "CHANNEL_UPDATE", "guild_channel_delete": "CHANNEL_DELETE",
        "guild_channel_pins_update": "CHANNEL_PINS_UPDATE", "guild_available": "GUILD_CREATE", "guild_join": "GUILD_CREATE",
        "guild_update": "GUILD_UPDATE", "guild_remove": "GUILD_DELETE", "guild_emojis_update": "GUILD_EMOJIS_UPDATE",
        "member_join": "GUILD_MEMBER_ADD", "member_remove": "GUILD_MEMBER_REMOVE", "member_update": "GUILD_MEMBER_UPDATE",
        "member_ban": "GUILD_BAN_ADD", "member_unban": "GUILD_BAN_REMOVE",
        "guild_role_create": "GUILD_ROLE_CREATE", "guild_role_update": "GUILD_ROLE_UPDATE", "guild_role_delete": "GUILD_ROLE_DELETE",
        "interaction": "INTERACTION_CREATE", "message": "MESSAGE_CREATE", "raw_message_edit": "MESSAGE_UPDATE", "raw_message_delete": "MESSAGE_DELETE",
        "raw_bulk_message_delete": "MESSAGE_DELETE_BULK", "raw_reaction_add": "MESSAGE_REACTION_ADD", "raw_reaction_remove": "MESSAGE_REACTION_REMOVE",
        "raw_reaction_clear": "MESSAGE_REACTION_REMOVE_ALL", "raw_reaction_clear_emoji": "MESSAGE_REACTION_REMOVE_EMOJI",
        "thread_create": "THREAD_CREATE", "thread_update": "THREAD_UPDATE", "raw_thread_delete": "THREAD_DELETE",
        "thread_member_join": "THREAD_MEMBERS_UPDATE", "webhooks_update": "WEBHOOKS_UPDATE", "ready": "READY", "resumed": "RESUMED",
        "user_update": "USER_UPDATE", "raw_typing": "TYPING_START",
    }

    def dispatch(self, event, *args, **kwargs):
        if event in self.names:
            self.seen.add(self.names[event])
        super().dispatch(event, *args, **kwargs)


bot = Bot()
command = bot.tree.command



@command(description="Try hello.")
async def hello(i: discord.Interaction):
    await i.response.send_message(f"Hello, {i.user.mention}!", view=Buttons())


@command(name="options", description="Try options.")
async def all_options(
        i: discord.Interaction, text: Optional[str], number: Optional[int], share: Optional[float], yes: Optional[bool],
        who: Optional[discord.Member], where: Optional[discord.TextChannel], role: Optional[discord.Role],
        any: Optional[Union[discord.Member, discord.Role]], file: Optional[discord.Attachment]):
    said = []
    for name in ("text", "number", "share", "yes", "who", "where", "role", "any", "file"):
        value = getattr(i.namespace, name)
        if value is None:
            continue
        if isinstance(value, discord.Attachment):
            value = f"{value.filename}:{(await value.read()).decode()}"
        elif isinstance(value, bool):
            value = str(value).lower()
        elif not isinstance(value, (str, int, float)):
            value = name_of(value)
        said.append(f"{name}={value}")
    await i.response.send_message(" ".join(said))


settings = app_commands.Group(name="settings", description="Try settings.")
colour = app_commands.Group(name="colour", description="The colour.", parent=settings)


@colour.command(name="set", description="Set it.")
async def set_colour(i: discord.Interaction, name: str):
    await i.response.send_message(f"colour set {name}")

bot.tree.add_command(settings)


@command(description="Try form.")
async def form(i: discord.Interaction):
    await i.response.send_modal(Form())


@command(description="Try choose.")
async def choose(i: discord.Interaction):
    await i.response.send_message("Choose.", view=Selects())


@command(description="Try find.")
async def find(i: discord.Interaction, query: str):
    await i.response.send_message(f"Found {query}.")


@find.autocomplete("query")
async def suggest(i: discord.Interaction, typed: str):
    return [app_commands.Choice(name=w, value=w) for w in ("apple", "apricot", "banana") if w.startswith(typed)]


@command(description="Try file.")
async def file(i: discord.Interaction):
    await i.response.send_message("Here.", file=discord.File(io.BytesIO(b"some words"), "notes.txt"))
    message = await i.original_response()
    await i.followup.send(f"It says: {(await message.attachments[0].read()).decode()}")


@command(description="Try slow.")
async def slow(i: discord.Interaction, private: Optional[bool]):
    await i.response.defer(ephemeral=bool(private), thinking=True)
    await i.edit_original_response(content="There.")


@command(description="Try follow.")
async def follow(i: discord.Interaction):
    await i.response.send_message("First.")
    second = await i.followup.send("Second.", wait=True)
    await i.followup.send("Private.", ephemeral=True)
    await second.edit(content="Second, edited.")
    third = await i.followup.send("Third.", wait=True)
    await third.delete()
    await i.delete_original_response()
    await i.followup.send("Done.")


@bot.tree.context_menu(name="Greet")
async def greet(i: discord.Interaction, member: discord.Member):
    await i.response.send_message(f"Hello, {member.display_name}!")


@bot.tree.context_menu(name="Count")
async def count(i: discord.Interaction, message: discord.Message):
    await i.response.send_message(f"{len(message.content)} letters.")


@command(description="Try check.")
async def check(i: discord.Interaction, what: str):
    await i.response.defer(thinking=True)
    try:
        await i.edit_original_response(content=f"ok: {await checks[what](i)}")
    except Exception as err:  # whatever it is, the test wants to read it
        traceback.print_exc()
        await i.edit_original_response(content=f"failed: {err!r}")


# What a bot does by itself. Each check says what it found.
checks = {}


def checked(f):
    checks[f.__name__] = f
    return f


@checked
async def me(i):
    mine, theirs = i.channel.permissions_for(i.guild.me), i.channel.permissions_for(i.guild.get_member(i.user.id))
    roles = ",".join(sorted(r.name for r in i.guild.me.roles))
    return (f"send={mine.send_messages} manage={theirs.manage_messages} owner={i.guild.owner_id == bot.user.id} roles={roles}"
            .replace("True", "true").replace("False", "false"))


@checked
async def sendable(i):
    return ",".join(sorted(c.name for c in i.guild.text_channels if c.permissions_for(i.guild.me).send_messages))


@checked
async def members(i):
    return ",".join(sorted((m.display_name for m in await i.guild.chunk(cache=False)), key=str.lower))


@checked
async def search(i):
    return ",".join(sorted([m.display_name for m in await i.guild.query_members("a", limit=5)]))


@checked
async def history(i):
    everything = [m.content async for m in i.channel.history(limit=None) if not m.author.bot]
    first = [m async for m in i.channel.history(limit=1, oldest_first=True)]
    middle = [m async for m in i.channel.history(limit=2, after=first[0])]
    return f"{','.join(reversed(everything))} {len(middle)}"


@checked
async def reactions(i):
    message = await i.channel.send("React!")
    await message.add_reaction("👍")
    await message.add_reaction("🎲")
    message = await i.channel.fetch_message(message.id)
    users = [u.name async for u in message.reactions[0].users()]
    await message.remove_reaction("🎲", bot.user)
    message = await i.channel.fetch_message(message.id)
    left = ",".join(f"{r.emoji}{r.count}" for r in message.reactions)
    await message.clear_reaction("👍")
    await message.add_reaction("🎲")
    await message.clear_reactions()
    return f"{','.join(users)} {left}"


@checked
async def pins(i):
    message = await i.channel.send("Pin!")
    await message.pin()
    pinned = [m.content for m in await i.channel.pins()]
    await message.unpin()
    return f"{','.join(pinned)} {len(await i.channel.pins())}"


@checked
async def bulk(i):
    sent = [await i.channel.send(text) for text in ("one", "two", "three")]
    await i.channel.delete_messages(sent)
    return f"{len(sent)}"


@checked
async def channels(i):
    channel = await i.guild.create_text_channel("made", topic="first")
    channel = await channel.edit(topic="second")
    await channel.set_permissions(i.guild.default_role, send_messages=False)
    fetched = await bot.fetch_channel(channel.id)
    denied = not fetched.permissions_for(i.guild.default_role).send_messages
    await channel.set_permissions(i.guild.default_role, overwrite=None)
    await channel.delete()
    return f"{channel.topic} {str(denied).lower()}"


@checked
async def threads(i):
    message = await i.channel.send("Discuss!")
    thread = await message.create_thread(name="talk")
    await thread.send("In here.")
    await thread.add_user(i.user)
    people = len(await thread.fetch_members())
    active = ",".join(t.name for t in await i.guild.active_threads())
    await thread.edit(archived=True)
    archived = ",".join([t.name async for t in i.channel.archived_threads()])
    return f"{active} {people} {archived}"


@checked
async def roles(i):
    role = await i.guild.create_role(name="Winner")
    # Members are made of the roles that the library knows: of a new name it hears by an event.
    # It listens from the call on, before it is awaited.
    heard = bot.wait_for("guild_role_update", check=lambda _, after: after.name == "Champion")
    role = await role.edit(name="Champion")
    await heard
    await i.user.add_roles(role)
    has = any(r.name == "Champion" for r in (await i.guild.fetch_member(i.user.id)).roles)
    await i.user.remove_roles(role)
    await role.delete()
    return f"{str(has).lower()} {len((await i.guild.fetch_member(i.user.id)).roles)}"


@checked
async def nick(i):
    member = await i.guild.fetch_member(i.user.id)
    await member.edit(nick="Champ")
    name = (await i.guild.fetch_member(i.user.id)).display_name
    await member.edit(nick=None)
    return name


@checked
async def bans(i):
    victim = (await i.guild.query_members("Mallory", limit=1))[0]
    await i.guild.ban(victim)
    banned = ",".join([b.user.display_name async for b in i.guild.bans()])
    await i.guild.unban(victim)
    return f"{banned} {len([b async for b in i.guild.bans()])}"


@checked
async def webhook(i):
    hook = await i.channel.create_webhook(name="Echo")
    message = await hook.send("From elsewhere.", username="Somebody", wait=True)
    await message.edit(content="From elsewhere, edited.")
    number = len(await i.channel.webhooks())
    await hook.delete()
    return f"{message.author.name} {number}"


@checked
async def guilds(i):
    return ",".join([g.name async for g in bot.fetch_guilds()])


@checked
async def start(i):
    return f"0 {len(await i.guild.fetch_scheduled_events())}"


@checked
async def unserved(i):
    try:
        [entry async for entry in i.guild.audit_logs(limit=1)]
    except discord.HTTPException as err:
        return f"{err.status} {err.text}"
    return "served"


@checked
async def events(i):
    return " ".join(sorted(bot.seen))


bot.run(os.environ["DISCORD_TOKEN"])
