// A bot that interactions are posted to, with what Discord's own examples check them by. It
// differs from one for Discord only in where it finds its API.
'use strict';

const http = require('node:http');
const {
  ButtonStyleTypes, InteractionResponseFlags: Flag, InteractionResponseType: Answer, InteractionType,
  MessageComponentTypes: Component, TextStyleTypes, verifyKeyMiddleware,
} = require('discord-interactions');

const { DISCORD_API_URL, DISCORD_APPLICATION_ID: app, DISCORD_PUBLIC_KEY, DISCORD_TOKEN, PORT } = process.env;

const api = async (method, path, body) => {
  const answer = await fetch(DISCORD_API_URL + path, {
    method,
    headers: { Authorization: `Bot ${DISCORD_TOKEN}`, 'Content-Type': 'application/json', 'User-Agent': 'DiscordBot (https://example.org, 1)' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

const slash = (name, ...options) => ({ name, description: `Try ${name}.`, options });
const commands = [
  slash('hello'), slash('form'), slash('slow'), slash('finish'),
  slash('find', { type: 3, name: 'fruit', description: 'Which one.', required: true, autocomplete: true }),
];

const message = (content, more) => ({ type: Answer.CHANNEL_MESSAGE_WITH_SOURCE, data: { content, ...more } });
const row = (component) => ({ components: [{ type: Component.ACTION_ROW, components: [component] }] });

let deferred; // the token of an interaction whose answer is to come

const on = {
  hello: () => message('Hello!', row({ type: Component.BUTTON, style: ButtonStyleTypes.PRIMARY, label: 'Again', custom_id: 'again' })),
  again: (i) => ({ type: Answer.UPDATE_MESSAGE, data: { content: `Hello again, <@${i.member.user.id}>!` } }),
  find({ type, data: { options: [fruit] } }) {
    if (type === InteractionType.APPLICATION_COMMAND) return message(`Found ${fruit.value}.`);
    const choices = ['apple', 'apricot', 'plum'].filter((name) => name.startsWith(fruit.value)).map((name) => ({ name, value: name }));
    return { type: Answer.APPLICATION_COMMAND_AUTOCOMPLETE_RESULT, data: { choices } };
  },
  form: () => ({
    type: Answer.MODAL,
    data: { custom_id: 'name', title: 'Form', ...row({ type: Component.INPUT_TEXT, custom_id: 'name', label: 'Name', style: TextStyleTypes.SHORT }) },
  }),
  name: (i) => message(`Hello, ${i.data.components[0].components[0].value}!`, { flags: Flag.EPHEMERAL }),
  slow(i) {
    deferred = i.token;
    return { type: Answer.DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE };
  },
  async finish() {
    const hook = `/webhooks/${app}/${deferred}`;
    await api('PATCH', `${hook}/messages/@original`, { content: 'There.' });
    const more = await api('POST', hook, { content: 'More', flags: Flag.EPHEMERAL });
    await api('PATCH', `${hook}/messages/${more.id}`, { content: 'More.' });
    return message('Finished.');
  },
};

const verify = verifyKeyMiddleware(DISCORD_PUBLIC_KEY); // which answers a PING, too
const server = http.createServer((req, res) => {
  req.header = (name) => req.headers[name.toLowerCase()]; // as Express has it
  verify(req, res, async () => {
    const { data } = req.body;
    const answer = await on[data.name ?? data.custom_id](req.body);
    res.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
  });
});
server.listen(PORT ?? 0, '127.0.0.1', async () => {
  if (!PORT) await api('PATCH', '/applications/@me', { interactions_endpoint_url: `http://127.0.0.1:${server.address().port}/` });
  await api('PUT', `/applications/${app}/commands`, commands);
});
