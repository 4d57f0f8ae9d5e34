// What a message says in one line, for who hears it or sees it in a list.

import { say } from "./announce.js";
import { plain } from "./markdown.js";
import { store } from "./store.js";

// Types of messages that Discord itself writes.
export const PIN = 6, THREAD = 18, STARTER = 21;

export const isSystem = (snap) => snap.type === PIN || snap.type === THREAD || snap.type === STARTER;

/** The message in words. */
export function systemWords(snap) {
  const name = store.nameOf(snap.author_id);
  if (snap.type === PIN) return `${name} pinned a message to this channel.`;
  if (snap.type === THREAD) return `${name} started a thread: ${snap.content}`;
  return `${name} started this thread from a message.`;
}

/** What a message says, in one line. */
export function firstLine(snap) {
  if (isSystem(snap)) return systemWords(snap);
  const texts = [snap.content, ...(snap.embeds ?? []).flatMap((e) => [e.title, e.description])];
  const walk = (list) => {
    for (const c of list ?? []) {
      if (c.type === 10) texts.push(c.content);
      walk(c.components);
    }
  };
  walk(snap.components);
  return plain(texts.find((t) => t?.trim()) ?? "").split("\n")[0].trim() || "Message without text";
}

/** Says a message, or its edit, once and with its first line. */
export function sayMessage(snap, edited) {
  if (document.hidden || snap.author_id === store.world.me) return;
  const line = firstLine(snap);
  const whose = snap.viewer_id ? "Only you can see this. " : "";
  say(edited || isSystem(snap) ? whose + line : `${whose}${store.nameOf(snap.author_id)}: ${line}`);
}
