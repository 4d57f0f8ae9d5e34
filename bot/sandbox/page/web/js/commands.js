// The registered commands as one can type them: found by what was typed, with
// options checked before anything is sent.

import { isParty } from "./channels.js";
import { store } from "./store.js";

export const OPTION = { subcommand: 1, group: 2, string: 3, integer: 4, boolean: 5, user: 6, channel: 7, role: 8, mentionable: 9, number: 10, attachment: 11 };

/** Every slash command that can be sent, subcommands one by one: {path, words, description, options, app}. */
export function sendable() {
  const out = [];
  const walk = (app, path, words, node) => {
    const inner = (node.options ?? []).filter((o) => o.type <= OPTION.group);
    if (inner.length === 0) {
      out.push({ app, path: path.join(" "), words: words.join(" "), description: node.description, options: node.options ?? [] });
      return;
    }
    for (const o of inner) walk(app, [...path, o.name], [...words, o.label], o);
  };
  for (const c of store.commands) if (c.type === 1) walk(c.app, [c.name], [c.label], c);
  return out;
}

const fold = (s) => s.toLocaleLowerCase(store.me?.locale).normalize("NFKC");

/** The commands that match what was typed after the slash, best first. */
export function search(typed) {
  const words = fold(typed.trim()).split(/\s+/).filter(Boolean);
  return sendable().map((c) => {
    const names = [fold(c.words), fold(c.path)];
    const whole = words.join(" ");
    let rank = 3;
    if (names.some((n) => n.startsWith(whole))) rank = 0;
    else if (words.every((w) => names.some((n) => n.split(" ").some((part) => part.startsWith(w))))) rank = 1;
    else if (words.every((w) => names.some((n) => n.includes(w)) || fold(c.description).includes(w))) rank = 2;
    return { c, rank };
  }).filter(({ rank }) => rank < 3).sort((a, b) => a.rank - b.rank).map(({ c }) => c);
}

/** Whose a command is, said only where there are several apps. */
export const appOf = (command) => (store.apps.length > 1 ? store.person(command.app)?.name ?? "" : "");

/** The apps' entries in the context menus of people (2) or messages (3). */
export const contextCommands = (type) => store.commands.filter((c) => c.type === type);

/**
 * What an option offers for what was typed: {label, hint, value, person}. Null
 * means that it takes free text, undefined that the app has to be asked.
 */
export function offers(option, typed) {
  const match = (...texts) => !typed || texts.some((t) => t && fold(t).includes(fold(typed)));
  if (option.choices?.length) {
    return option.choices.filter((c) => match(c.name, String(c.value))).map((c) => ({ label: c.name, value: c.value }));
  }
  switch (option.type) {
    case OPTION.boolean:
      return [{ label: "True", value: true }, { label: "False", value: false }].filter((c) => match(c.label));
    case OPTION.user:
      return peopleOffers(match);
    case OPTION.mentionable:
      return [...peopleOffers(match), ...roleOffers(match)];
    case OPTION.channel: {
      const { guild_id: guild } = store.current;
      const fits = (c) => c.guild_id && (!guild || c.guild_id === guild) && (!option.channel_types?.length || option.channel_types.includes(c.kind)) && match("#" + c.name);
      return [...store.channels.values()].filter(fits).map((c) => ({ label: "#" + c.name, value: c.id }));
    }
    case OPTION.role:
      return roleOffers(match);
    case OPTION.attachment:
      return [];
  }
  return option.autocomplete ? undefined : null;
}

/** Whoever is in the open channel's guild or among its people; in direct messages with an app, everybody. */
function peopleOffers(match) {
  const { guild_id: guild, people } = store.current;
  const isHere = (p) => (isParty(store.current) ? people.includes(p.id) : !guild || p.guilds.includes(guild));
  return [...store.people.values()].filter((p) => (isHere(p) || store.apps.some((a) => a.id === p.id)) && match("@" + p.name, p.nick && "@" + p.nick, "@" + p.username))
    .map((p) => ({ label: store.nameOf(p.id), hint: "@" + p.username + (p.bot ? " · app" : ""), value: p.id, person: p }));
}

function roleOffers(match) {
  const roles = store.guilds.get(store.current.guild_id)?.roles ?? [];
  return [...roles].reverse().filter((r) => match("@" + r.name)).map((r) => ({ label: r.name, hint: "role", value: r.id }));
}

/** Reads free text as the option's type: {value} or {error}. */
export function read(option, text) {
  if (option.type === OPTION.integer || option.type === OPTION.number) {
    const n = Number(text);
    const whole = option.type === OPTION.integer;
    if (text.trim() === "" || !Number.isFinite(n) || (whole && !Number.isInteger(n))) return { error: whole ? "Enter a whole number." : "Enter a number." };
    if (option.min_value !== undefined && n < option.min_value) return { error: `The smallest is ${option.min_value}.` };
    if (option.max_value !== undefined && n > option.max_value) return { error: `The largest is ${option.max_value}.` };
    return { value: n };
  }
  const length = [...text].length;
  if (option.min_length !== undefined && length < option.min_length) return { error: `At least ${option.min_length} characters.` };
  if (length > (option.max_length ?? 6000)) return { error: `At most ${option.max_length ?? 6000} characters.` };
  return { value: text };
}
