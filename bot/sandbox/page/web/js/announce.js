// What a screen reader is told. The log itself is silent: each message and each
// edit is said here once, with its first line, so that redrawn boards and ticking
// clocks are not read out.
//
// The regions take each sentence as a line of its own, which readers queue: a
// sentence that replaced the one before would cut it off, or hide it altogether.

import { $, h } from "./dom.js";
import { plain } from "./markdown.js";
import { store } from "./store.js";
import { isSystem, systemWords } from "./system.js";

const STALE = 10_000; // ms after which a line is of no use to who reads the page's end
const MOST = 50;

function put(region, text) {
  const now = performance.now();
  for (const line of [...region.children].slice(0, -1)) if (now - line.dataset.at > STALE) line.remove();
  while (region.children.length >= MOST) region.firstElementChild.remove();
  region.append(h("p", { data: { at: String(now) }, text }));
}

export const say = (text) => put($("polite"), text);
export const alert = (text) => put($("assertive"), text);

/** The first line of what a message says. */
export function firstLine(snap) {
  if (isSystem(snap)) return systemWords(snap);
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
  say(edited || isSystem(snap) ? whose + line : `${whose}${store.nameOf(snap.author_id)}: ${line}`);
}
