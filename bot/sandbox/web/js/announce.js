// What a screen reader is told. The log itself is silent: each message and each
// edit is said here once, with its first line, so that redrawn boards and ticking
// clocks are not read out.

import { $ } from "./dom.js";
import { plain } from "./markdown.js";
import { store } from "./store.js";

function put(region, text) {
  // The same words twice must be two changes.
  region.textContent = region.textContent === text ? text + "\u00a0" : text;
}

export const say = (text) => put($("polite"), text);
export const alert = (text) => put($("assertive"), text);

/** The first line of what a message says. */
export function firstLine(snap) {
  const texts = [snap.content];
  const walk = (list) => {
    for (const c of list ?? []) {
      if (c.type === 10) texts.push(c.content);
      walk(c.components);
    }
  };
  walk(snap.components);
  return plain(texts.find((t) => t?.trim()) ?? "").split("\n")[0].trim();
}

export function sayMessage(snap, edited) {
  if (document.hidden || snap.author_id === store.world.me) return;
  const line = firstLine(snap) || "Message without text";
  const whose = snap.viewer_id ? "Only you can see this. " : "";
  say(edited ? whose + line : `${whose}${store.nameOf(snap.author_id)}: ${line}`);
}
