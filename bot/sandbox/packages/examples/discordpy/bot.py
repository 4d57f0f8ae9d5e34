import os

import discord
import yarl

if "DISCORD_API_URL" in os.environ:
    discord.http.Route.BASE = os.environ["DISCORD_API_URL"]
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["DISCORD_GATEWAY_URL"])


class Bot(discord.Client):
    async def setup_hook(self):
        await tree.sync()


class Greeting(discord.ui.View):
    @discord.ui.button(label="Again")
    async def again(self, interaction, _):
        await interaction.response.edit_message(content=f"Hello again, {interaction.user.mention}!")


bot = Bot(intents=discord.Intents.none())
tree = discord.app_commands.CommandTree(bot)


@tree.command(description="Says hello")
async def hello(interaction):
    await interaction.response.send_message(f"Hello {interaction.user.mention}!", view=Greeting())


bot.run(os.environ["DISCORD_TOKEN"])
