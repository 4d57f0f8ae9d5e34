// A bot in discord.js that uses what the library has, as its guide does it. It
// differs from one for Discord only in where it finds its API.
'use strict';

const {
  ActionRowBuilder, ApplicationCommandOptionType: Option, ApplicationCommandType, ButtonBuilder, ButtonStyle,
  ChannelSelectMenuBuilder, ChannelType, Client, ContainerBuilder, Events, GatewayIntentBits: Intent, LabelBuilder,
  MentionableSelectMenuBuilder, MessageFlags, ModalBuilder, Partials, PermissionFlagsBits, RoleSelectMenuBuilder, StringSelectMenuBuilder,
  TextDisplayBuilder, TextInputBuilder, TextInputStyle, UserSelectMenuBuilder,
} = require('discord.js');

const client = new Client({
  rest: { api: process.env.DISCORD_API_URL.replace(/\/v10$/, '') },
  intents: [
    Intent.Guilds, Intent.GuildMembers, Intent.GuildModeration, Intent.GuildExpressions, Intent.GuildWebhooks, Intent.GuildMessages,
    Intent.GuildMessageReactions, Intent.DirectMessages, Intent.MessageContent,
  ],
  partials: [Partials.Channel],
});

const kinds = {
  text: Option.String, number: Option.Integer, share: Option.Number, yes: Option.Boolean,
  who: Option.User, where: Option.Channel, role: Option.Role, any: Option.Mentionable, file: Option.Attachment,
};

const slash = (name, options = []) => ({ name, description: `Try ${name}.`, options });
const option = (type, name, more = {}) => ({ type, name, description: `The ${name}.`, ...more });

const commands = [
  slash('hello'),
  slash('options', Object.entries(kinds).map(([name, type]) => option(type, name))),
  slash('settings', [option(Option.SubcommandGroup, 'colour', {
    options: [option(Option.Subcommand, 'set', { options: [option(Option.String, 'name', { required: true })] })],
  })]),
  slash('card'),
  slash('form'),
  slash('labels'),
  slash('choose'),
  slash('find', [option(Option.String, 'query', { required: true, autocomplete: true })]),
  slash('file'),
  slash('slow', [option(Option.Boolean, 'private')]),
  slash('follow'),
  slash('check', [option(Option.String, 'what', { required: true })]),
  { type: ApplicationCommandType.User, name: 'Greet' },
  { type: ApplicationCommandType.Message, name: 'Count' },
];

const row = (...components) => new ActionRowBuilder().addComponents(...components);
const button = (id, label) => new ButtonBuilder().setCustomId(id).setLabel(label).setStyle(ButtonStyle.Primary);

const card = (text) => ({
  flags: MessageFlags.IsComponentsV2,
  components: [new ContainerBuilder().setAccentColor(0x5865f2)
    .addTextDisplayComponents(new TextDisplayBuilder().setContent(text))
    .addActionRowComponents(row(button('turn', 'Turn')))],
});

const on = {
  async hello(i) {
    const buttons = row(button('update', 'Update'), button('later', 'Later'), button('whisper', 'Whisper'), button('ask', 'Ask'));
    await i.reply({ content: `Hello, ${i.user}!`, components: [buttons] });
  },
  async options(i) {
    const said = [];
    for (const { name } of i.options.data) {
      switch (kinds[name]) {
        case Option.User: said.push(`${name}=${i.options.getMember(name).displayName}`); break;
        case Option.Channel: said.push(`${name}=${i.options.getChannel(name).name}`); break;
        case Option.Role: said.push(`${name}=${i.options.getRole(name).name}`); break;
        case Option.Mentionable: { const any = i.options.getMentionable(name); said.push(`${name}=${any.name ?? any.displayName}`); break; }
        case Option.Attachment: {
          const file = i.options.getAttachment(name);
          said.push(`${name}=${file.name}:${await (await fetch(file.url)).text()}`);
          break;
        }
        default: said.push(`${name}=${i.options.get(name).value}`);
      }
    }
    await i.reply(said.join(' '));
  },
  async settings(i) {
    await i.reply(`${i.options.getSubcommandGroup()} ${i.options.getSubcommand()} ${i.options.getString('name')}`);
  },
  async card(i) { await i.reply(card('First side')); },
  async form(i) { await i.showModal(form('form')); },
  async labels(i) {
    await i.showModal(new ModalBuilder().setCustomId('labels').setTitle('Labels').addLabelComponents(
      new LabelBuilder().setLabel('Name').setTextInputComponent(new TextInputBuilder().setCustomId('name').setStyle(TextInputStyle.Short)),
      new LabelBuilder().setLabel('Colour').setStringSelectMenuComponent(new StringSelectMenuBuilder().setCustomId('colour').addOptions(
        { label: 'Red', value: 'red' }, { label: 'Blue', value: 'blue' })),
    ));
  },
  async choose(i) {
    await i.reply({
      content: 'Choose.',
      components: [
        row(new StringSelectMenuBuilder().setCustomId('string').setMaxValues(2).addOptions({ label: 'One', value: '1' }, { label: 'Two', value: '2' })),
        row(new UserSelectMenuBuilder().setCustomId('user')),
        row(new RoleSelectMenuBuilder().setCustomId('role')),
        row(new MentionableSelectMenuBuilder().setCustomId('mentionable').setMaxValues(2)),
        row(new ChannelSelectMenuBuilder().setCustomId('channel')),
      ],
    });
  },
  async find(i) { await i.reply(`Found ${i.options.getString('query')}.`); },
  async file(i) {
    await i.reply({ content: 'Here.', files: [{ attachment: Buffer.from('some words'), name: 'notes.txt' }] });
    const message = await i.fetchReply();
    await i.followUp(`It says: ${await (await fetch(message.attachments.first().url)).text()}`);
  },
  async slow(i) {
    await i.deferReply({ flags: i.options.getBoolean('private') ? MessageFlags.Ephemeral : undefined });
    await i.editReply('There.');
  },
  async follow(i) {
    await i.reply('First.');
    const second = await i.followUp('Second.');
    await i.followUp({ content: 'Private.', flags: MessageFlags.Ephemeral });
    await i.webhook.editMessage(second, 'Second, edited.');
    const third = await i.followUp('Third.');
    await i.deleteReply(third);
    await i.deleteReply();
    await i.followUp('Done.');
  },
  async check(i) {
    await i.deferReply();
    try {
      await i.editReply(`ok: ${await checks[i.options.getString('what')](i)}`);
    } catch (err) {
      console.error(err);
      await i.editReply(`failed: ${err}`);
    }
  },
  async Greet(i) { await i.reply(`Hello, ${i.targetMember.displayName}!`); },
  async Count(i) { await i.reply(`${i.targetMessage.content.length} letters.`); },
};

const form = (id) => new ModalBuilder().setCustomId(id).setTitle('Form').addComponents(
  row(new TextInputBuilder().setCustomId('name').setLabel('Name').setStyle(TextInputStyle.Short)),
  row(new TextInputBuilder().setCustomId('text').setLabel('Text').setStyle(TextInputStyle.Paragraph).setRequired(false)));

const pressed = {
  async update(i) { await i.update({ content: 'Updated.', components: [] }); },
  async later(i) { await i.deferUpdate(); await i.editReply('Edited.'); },
  async whisper(i) {
    await i.reply({ content: 'Only you.', flags: MessageFlags.Ephemeral });
    await i.followUp({ content: 'Still only you.', flags: MessageFlags.Ephemeral });
  },
  async ask(i) { await i.showModal(form('ask')); },
  async turn(i) { await i.update(card('Other side')); },
  async string(i) { await i.reply(`Chose ${i.values.join(', ')}.`); },
  async user(i) { await i.reply(`Chose ${i.members.map((m) => m.displayName).join(', ')}.`); },
  async role(i) { await i.reply(`Chose ${i.roles.map((r) => r.name).join(', ')}.`); },
  async mentionable(i) { await i.reply(`Chose ${[...i.members.map((m) => m.displayName), ...i.roles.map((r) => r.name)].join(', ')}.`); },
  async channel(i) { await i.reply(`Chose ${i.channels.map((c) => c.name).join(', ')}.`); },
};

const submitted = {
  async form(i) { await i.reply(`${i.fields.getTextInputValue('name')}: ${i.fields.getTextInputValue('text')}`); },
  async ask(i) { await i.update({ content: `Asked ${i.fields.getTextInputValue('name')}.`, components: [] }); },
  async labels(i) { await i.reply(`${i.fields.getTextInputValue('name')} likes ${i.fields.getStringSelectValues('colour').join(', ')}.`); },
};

// What a bot does by itself. Each check says what it found.
const checks = {
  async me(i) {
    const mine = i.channel.permissionsFor(i.guild.members.me);
    const theirs = i.channel.permissionsFor(i.member);
    return `send=${mine.has(PermissionFlagsBits.SendMessages)} manage=${theirs.has(PermissionFlagsBits.ManageMessages)} ` +
      `owner=${i.guild.ownerId === client.user.id} roles=${i.guild.members.me.roles.cache.map((r) => r.name).sort().join(',')}`;
  },
  async sendable(i) {
    const able = i.guild.channels.cache.filter((c) => c.type === ChannelType.GuildText && c.permissionsFor(i.guild.members.me).has(PermissionFlagsBits.SendMessages));
    return able.map((c) => c.name).sort().join(',');
  },
  async members(i) { return (await i.guild.members.fetch()).map((m) => m.displayName).sort().join(','); },
  async search(i) { return (await i.guild.members.search({ query: 'a', limit: 5 })).map((m) => m.displayName).sort().join(','); },
  async history(i) {
    const all = [];
    for (let before; ;) {
      const page = await i.channel.messages.fetch({ limit: 3, before, cache: false });
      if (page.size === 0) break;
      all.push(...page.filter((m) => !m.author.bot).map((m) => m.content));
      before = page.last().id;
    }
    const middle = await i.channel.messages.fetch({ limit: 2, after: (await i.channel.messages.fetch({ limit: 1, after: '0' })).first().id });
    return `${all.reverse().join(',')} ${middle.size}`;
  },
  async reactions(i) {
    const message = await i.channel.send('React!');
    await message.react('👍');
    await message.react('🎲');
    const users = await message.reactions.resolve('👍').users.fetch();
    await message.reactions.resolve('🎲').users.remove();
    const left = (await message.fetch(true)).reactions.cache.map((r) => r.emoji.name + r.count);
    await message.reactions.resolve('👍').remove();
    await message.react('🎲');
    await message.reactions.removeAll();
    return `${users.map((u) => u.username).join(',')} ${left.join(',')}`;
  },
  async pins(i) {
    const message = await i.channel.send('Pin!');
    await message.pin();
    const pinned = (await i.channel.messages.fetchPins()).items.map((p) => p.message.content);
    await message.unpin();
    return `${pinned.join(',')} ${(await i.channel.messages.fetchPins()).items.length}`;
  },
  async bulk(i) {
    const sent = [await i.channel.send('one'), await i.channel.send('two'), await i.channel.send('three')];
    return `${(await i.channel.bulkDelete(sent)).size}`;
  },
  async channels(i) {
    const channel = await i.guild.channels.create({ name: 'made', topic: 'first' });
    await channel.setTopic('second');
    await channel.permissionOverwrites.edit(i.guild.roles.everyone, { SendMessages: false });
    const denied = !(await channel.fetch(true)).permissionsFor(i.guild.roles.everyone).has(PermissionFlagsBits.SendMessages);
    await channel.permissionOverwrites.delete(i.guild.roles.everyone);
    await channel.delete();
    return `${channel.topic} ${denied}`;
  },
  async threads(i) {
    const message = await i.channel.send('Discuss!');
    const thread = await message.startThread({ name: 'talk' });
    await thread.send('In here.');
    await thread.members.add(i.user.id);
    const people = (await thread.members.fetch()).size;
    const active = (await i.guild.channels.fetchActiveThreads()).threads.map((t) => t.name);
    await thread.setArchived(true);
    const archived = (await i.channel.threads.fetchArchived()).threads.map((t) => t.name);
    return `${active.join(',')} ${people} ${archived.join(',')}`;
  },
  async roles(i) {
    const role = await i.guild.roles.create({ name: 'Winner', permissions: [] });
    await role.edit({ name: 'Champion' });
    await i.member.roles.add(role);
    const has = (await i.member.fetch(true)).roles.cache.some((r) => r.name === 'Champion');
    await i.member.roles.remove(role);
    await role.delete();
    return `${has} ${(await i.member.fetch(true)).roles.cache.size}`;
  },
  async nick(i) {
    const member = await i.guild.members.fetch(i.user.id);
    await member.setNickname('Champ');
    const name = (await member.fetch(true)).displayName;
    await member.setNickname(null);
    return name;
  },
  async bans(i) {
    const victim = (await i.guild.members.fetch({ query: 'Mallory', limit: 1 })).first();
    await i.guild.bans.create(victim);
    const banned = (await i.guild.bans.fetch()).map((b) => b.user.displayName);
    await i.guild.bans.remove(victim);
    return `${banned.join(',')} ${(await i.guild.bans.fetch()).size}`;
  },
  async webhook(i) {
    const hook = await i.channel.createWebhook({ name: 'Echo' });
    const message = await hook.send({ content: 'From elsewhere.', username: 'Somebody' });
    await hook.editMessage(message, 'From elsewhere, edited.');
    const count = (await i.channel.fetchWebhooks()).size;
    await hook.delete();
    return `${message.author.username} ${count}`;
  },
  async emojis() {
    const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    const emoji = await client.application.emojis.create({ attachment: pixel, name: 'dot' });
    await client.application.emojis.edit(emoji.id, { name: 'point' });
    const names = (await client.application.emojis.fetch()).map((e) => e.name).join(',');
    await client.application.emojis.delete(emoji.id);
    return names;
  },
  async guilds() { return (await client.guilds.fetch()).map((g) => g.name).join(','); },
  async start(i) {
    return `${(await client.application.entitlements.fetch()).size} ${(await i.guild.scheduledEvents.fetch()).size}`;
  },
  async poll(i) {
    try {
      await i.channel.send({ poll: { question: { text: 'Which?' }, answers: [{ text: 'One' }], duration: 1, allowMultiselect: false } });
    } catch (err) { return `refused ${err.status}`; }
    return 'sent';
  },
  async forward(i) {
    const message = await i.channel.send('Forward me.');
    try { await message.forward(i.channel); } catch (err) { return `refused ${err.status}`; }
    return 'sent';
  },
  async unserved(i) {
    try { await i.guild.fetchAuditLogs(); } catch (err) { return `${err.status} ${err.message}`; }
    return 'served';
  },
  async events() { return [...seen].sort().join(' '); },
};

client.on(Events.InteractionCreate, async (i) => {
  try {
    if (i.isAutocomplete()) {
      const typed = i.options.getFocused();
      await i.respond(['apple', 'apricot', 'banana'].filter((w) => w.startsWith(typed)).map((w) => ({ name: w, value: w })));
    } else if (i.isModalSubmit()) await submitted[i.customId](i);
    else if (i.isMessageComponent()) await pressed[i.customId](i);
    else await on[i.commandName](i);
  } catch (err) {
    console.error(err);
  }
});

client.on(Events.MessageCreate, async (message) => {
  if (message.author.bot) return;
  try {
    if (message.content === '!ping') await message.reply('pong');
    if (message.content === '!read') await message.reply(await (await fetch(message.attachments.first().url)).text());
    if (message.content === '!may') await message.reply(`${message.member.permissions.has(PermissionFlagsBits.Administrator)}`);
  } catch (err) { console.error(err); }
});

client.on(Events.MessageReactionAdd, async (reaction, user) => {
  if (user.id !== client.user.id && reaction.emoji.name === '🏓') await reaction.message.reply('pong');
});

// What the library made of events: by their names on the wire.
const names = {
  channelCreate: 'CHANNEL_CREATE', channelUpdate: 'CHANNEL_UPDATE', channelDelete: 'CHANNEL_DELETE', channelPinsUpdate: 'CHANNEL_PINS_UPDATE',
  guildCreate: 'GUILD_CREATE', guildUpdate: 'GUILD_UPDATE', guildMemberAdd: 'GUILD_MEMBER_ADD', guildMemberRemove: 'GUILD_MEMBER_REMOVE',
  guildMemberUpdate: 'GUILD_MEMBER_UPDATE', guildMembersChunk: 'GUILD_MEMBERS_CHUNK', roleCreate: 'GUILD_ROLE_CREATE', roleUpdate: 'GUILD_ROLE_UPDATE', roleDelete: 'GUILD_ROLE_DELETE',
  interactionCreate: 'INTERACTION_CREATE', messageCreate: 'MESSAGE_CREATE', messageUpdate: 'MESSAGE_UPDATE', messageDelete: 'MESSAGE_DELETE',
  messageDeleteBulk: 'MESSAGE_DELETE_BULK', messageReactionAdd: 'MESSAGE_REACTION_ADD', messageReactionRemove: 'MESSAGE_REACTION_REMOVE',
  messageReactionRemoveAll: 'MESSAGE_REACTION_REMOVE_ALL', messageReactionRemoveEmoji: 'MESSAGE_REACTION_REMOVE_EMOJI',
  threadCreate: 'THREAD_CREATE', threadUpdate: 'THREAD_UPDATE', threadDelete: 'THREAD_DELETE', threadMembersUpdate: 'THREAD_MEMBERS_UPDATE',
  threadListSync: 'THREAD_LIST_SYNC', webhooksUpdate: 'WEBHOOKS_UPDATE', clientReady: 'READY', shardResume: 'RESUMED', userUpdate: 'USER_UPDATE',
  guildBanAdd: 'GUILD_BAN_ADD', guildBanRemove: 'GUILD_BAN_REMOVE', typingStart: 'TYPING_START', emojiCreate: 'GUILD_EMOJIS_UPDATE', guildDelete: 'GUILD_DELETE',
};
const seen = new Set();
for (const [mine, wire] of Object.entries(names)) client.on(mine, () => seen.add(wire));

client.once(Events.ClientReady, async () => { await client.application.commands.set(commands); });
client.on('error', console.error);
client.login(process.env.DISCORD_TOKEN);
