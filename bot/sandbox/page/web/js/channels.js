// What a channel is to its client: its name, its icon, and what one may do in it.

import { icon } from "./dom.js";
import { world } from "./api.js";
import { store } from "./store.js";

/** Direct messages between people, without the app. */
export const isParty = (channel) => !channel.guild_id && channel.people?.length > 0;

/** A channel's name, for direct messages those of the others. */
export const titleOf = (channel) => (channel.guild_id || isParty(channel) ? channel.name : (store.person(channel.app) ?? store.bot).name);

/** The same with the sign that Discord writes before it. */
export const signedTitle = (channel) => (channel.guild_id ? "#" : "@") + titleOf(channel);

export function iconOf(channel, size) {
  if (isParty(channel)) return icon(channel.people.length > 2 ? "people" : "mail", size);
  if (!channel.guild_id) return icon("mail", size);
  return icon(channel.parent_id ? "thread" : channel.private ? "lock" : "hash", size);
}

/** The guild by which the test API is asked: the channel's, or for direct messages one's own. People in no guild have those too: theirs is anybody's. */
export const guildOf = (channel) => channel.guild_id ?? store.guilds.keys().next().value ?? [...store.people.values()].flatMap((p) => p.guilds)[0];

/** Does something as this person, who looks at a channel. */
export const act = (path, body, channel = store.current) => world("POST", path, { as: store.world.me, ...body }, guildOf(channel));

/** Permission bits, as specified by Discord's documentation. */
export const MAY = {
  administrator: 1n << 3n, react: 1n << 6n, view: 1n << 10n, manageMessages: 1n << 13n, manageThreads: 1n << 34n, createThreads: 1n << 35n,
  createPrivate: 1n << 36n, pin: 1n << 51n,
};

/** Whether one may do that in a channel. Direct messages have no permissions but few limits. */
export function may(channel, bit) {
  if (!channel.guild_id) return bit === MAY.pin || bit === MAY.react;
  return (BigInt(channel.may) & bit) !== 0n;
}
