// For tests in any runner: it starts the program and a bot, and lets people act.
// index.d.ts says what each method takes.
'use strict';
const { spawn } = require('node:child_process');

function program() {
  const name = `@guildbox/${process.platform}-${process.arch}`;
  try {
    return require.resolve(`${name}/guildbox${process.platform === 'win32' ? '.exe' : ''}`);
  } catch {
    throw new Error(`guildbox: ${name} is not installed, which has the program; npm leaves it out with --omit=optional, and there is none for some platforms`);
  }
}

async function start({ bot = [], args = [], env, cwd, ready = 'ready', timeout = '30s' } = {}) {
  const command = ['--json', '--stdin', '--addr', '127.0.0.1:0', ...args, ...(bot.length ? ['--', ...bot] : [])];
  const discord = new Discord(spawn(program(), command, { cwd, env: { ...process.env, ...env } }));
  try {
    await discord.first();
    if (bot.length) await discord.unlessEnded(discord.api('POST', '/wait', { for: ready, timeout }));
    return discord;
  } catch (error) {
    await discord.stop();
    throw new Error(`guildbox: ${error.message}\n${discord.said}`);
  }
}

class Discord {
  said = ''; // what program and bot have written, the end of it
  #child;
  #ended;

  constructor(child) {
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.on('error', (error) => resolve(error.message));
      child.on('close', (code, signal) => resolve(`it ended by ${signal ?? `code ${code}`}`));
    });
    child.stdin.on('error', () => {}); // it has ended
    child.stderr.on('data', (data) => this.#hear(data));
  }

  #hear(data) {
    this.said = (this.said + data).slice(-10_000);
  }

  unlessEnded(promise) {
    return Promise.race([promise, this.#ended.then((how) => Promise.reject(new Error(how)))]);
  }

  // first reads the first line, which is what a bot needs. Behind it stands what the bot writes.
  first() {
    return this.unlessEnded(new Promise((resolve) => {
      let out = '';
      this.#child.stdout.on('data', (data) => {
        if (this.env) return this.#hear(data);
        out += data;
        if (!out.includes('\n')) return;
        this.env = JSON.parse(out.slice(0, out.indexOf('\n')));
        this.#hear(out.slice(out.indexOf('\n') + 1));
        resolve();
      });
    }));
  }

  async stop() {
    this.#child.stdin.end();
    await this.#ended;
  }

  async api(method, path, body) {
    const answer = await fetch(this.env.SANDBOX_URL + path, {
      method,
      headers: { authorization: `Bearer ${this.env.SANDBOX_KEY}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const json = await answer.json();
    if (!answer.ok) throw new Error(json.error.message);
    return json;
  }

  async world(use) {
    const made = await this.api('POST', '/worlds', { name: 'a test', channels: [{ name: 'general' }] });
    const world = new World(this, made.id);
    try {
      return await use(world);
    } catch (error) {
      console.error(await world.transcript().catch((why) => `There is no transcript: ${why.message}`));
      throw error;
    } finally {
      await world.api('DELETE', '').catch(() => {}); // the program has ended, and the test told
    }
  }
}

class World {
  acts = [];
  #names = {};

  constructor(discord, id) {
    Object.assign(this, { discord, id });
    this.#names[discord.env.DISCORD_APPLICATION_ID] = 'the bot';
  }

  api(method, path, body) {
    return this.discord.api(method, `/worlds/${this.id}${path}`, body);
  }

  async person(name, more) {
    const made = await this.api('POST', '/people', { name, ...more });
    this.#names[made.id] = made.name;
    return new Person(this, made);
  }

  channel(name, more) {
    return this.api('POST', '/channels', { name, ...more });
  }

  async messages(channel = 'general', as = '') {
    const { messages } = await this.api('GET', `/messages?${new URLSearchParams({ channel, as })}`);
    return messages;
  }

  async transcript() {
    const lines = [...this.acts];
    for (const { name } of (await this.api('GET', '')).channels) {
      for (const m of await this.messages(name)) lines.push(`#${name} ${show(m)}`);
    }
    return [...lines, this.discord.said].join('\n').replace(/<@!?(\d+)>/g, (text, id) => (id in this.#names ? `@${this.#names[id]}` : text));
  }
}

// parts are a message's components, those inside of others too.
const parts = (list = []) => list.flatMap((c) => [c, ...parts([...(c.components ?? []), c.accessory, c.component].filter(Boolean))]);

const show = (m) => [`<@${m.author_id}>:`, m.content, ...parts(m.components).map((c) => (c.type === 2 ? `[${c.label ?? c.emoji?.name}]` : c.content ?? ''))].filter(Boolean).join(' ');

class Person {
  constructor(world, { id, name }) {
    Object.assign(this, { world, id, name, mention: `<@${id}>`, channel: 'general', last: undefined });
  }

  // act does anything that the test API knows, and notes it.
  async act(what, body) {
    const told = `${this.name}: ${what} ${JSON.stringify(body)}`;
    this.world.acts.push(told);
    try {
      this.last = await this.world.api('POST', `/${what}?wait=settled`, { as: this.name, ...body });
    } catch (error) {
      throw new Error(`${told}: ${error.message}`, { cause: error });
    }
    const { call, message, follow_ups } = this.last;
    this.world.acts.push(...[message, ...follow_ups].filter(Boolean).map((m) => `  ${show(m)}`));
    if (call?.failed) throw new Error(`${told}: ${[call.failed, ...(call.problems ?? [])].join('\n')}`);
    return this.last;
  }

  command(path, options) {
    return this.act('command', { channel: this.channel, path, options });
  }

  say(text) {
    return this.act('say', { channel: this.channel, text });
  }

  async click(button, message) {
    const which = typeof button === 'string' ? { label: button } : button;
    return this.act('click', { message: await this.#find(message, which), ...which });
  }

  async select(custom_id, values, message) {
    return this.act('select', { message: await this.#find(message, { custom_id }), custom_id, values });
  }

  modal(values, call = this.last?.call) {
    const lists = Object.entries(values).map(([id, value]) => [id, [value].flat()]);
    return this.act('modal', { call: call?.id ?? '', values: Object.fromEntries(lists) });
  }

  // find is the newest message with what is meant; where none has it, the newest with anything, and it is told what there is.
  async #find(message, { label, custom_id }) {
    if (message) return message.id;
    const all = (await this.world.messages(this.channel, this.name)).reverse();
    const has = (m) => parts(m.components).some((c) => (label && c.label === label) || (custom_id && c.custom_id === custom_id));
    return (all.find(has) ?? all.find((m) => m.components?.length))?.id ?? '';
  }
}

module.exports = { start, program };
