const { Client, Events, ActionRowBuilder, ButtonBuilder, ButtonStyle } = require('discord.js');

const client = new Client({ intents: [], rest: { api: process.env.DISCORD_API_BASE ?? 'https://discord.com/api' } });
client.once(Events.ClientReady, () => client.application.commands.set([{ name: 'hello', description: 'Says hello' }]));
client.on(Events.InteractionCreate, async (interaction) => {
  if (interaction.isChatInputCommand()) {
    const button = new ButtonBuilder().setCustomId('again').setLabel('Again').setStyle(ButtonStyle.Primary);
    await interaction.reply({ content: `Hello ${interaction.user}!`, components: [new ActionRowBuilder().addComponents(button)] });
  } else if (interaction.isButton()) {
    await interaction.update(`Hello again, ${interaction.user}!`);
  }
});
client.login(process.env.DISCORD_TOKEN);
