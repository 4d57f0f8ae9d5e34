// What Discord itself writes into a channel: that somebody pinned a message or began
// a thread.

import { h, icon } from "./dom.js";
import { clock } from "./timestamps.js";
import { openPins, openThreads } from "./threads.js";
import { store } from "./store.js";
import { PIN, STARTER, THREAD } from "./summary.js";

/** Draws it. actions: openChannel(channel, message), showMessage(id), person(id). */
export function drawSystem(snap, { openChannel, showMessage, person }) {
  const link = (text, press) => h("button", { type: "button", class: "text-button", onclick: press, text });
  const channel = store.channels.get(snap.channel_id);
  const parts = {
    [PIN]: () => ["pin", [" pinned ", link("a message", () => showMessage(snap.reply_to)), " to this channel. ", link("See all pinned messages", () => openPins(channel, showMessage))]],
    [THREAD]: () => ["thread", [" started a thread: ", store.channels.has(snap.thread_id) ? link(snap.content, () => openChannel(snap.thread_id)) : h("b", { text: snap.content }), ". ", link("See all threads", () => openThreads(channel))]],
    [STARTER]: () => ["thread", [" started this thread from ", link("a message", () => openChannel(channel.parent_id, snap.reply_to)), "."]],
  };
  const [mark, words] = parts[snap.type]();
  return [
    h("div", { class: "gutter system-mark" }, icon(mark, 20)),
    h("div", { class: "body" }, h("p", { class: "system-words" }, person(snap.author_id), words, clock(snap.created))),
  ];
}

/** The thread that was begun from a message, to be opened. */
export function drawThreadLink(snap, openChannel) {
  const thread = snap.type === THREAD ? undefined : store.channels.get(snap.thread_id);
  if (!thread) return null;
  return h("button", { type: "button", class: "thread-link", onclick: () => openChannel(thread.id) }, icon("thread", 18), h("b", { text: thread.name }), h("span", { class: "muted", text: thread.archived ? "Archived thread" : "See thread" }));
}
