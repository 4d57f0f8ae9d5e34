// What an empty channel says: who one is, and how to begin.

import { h } from "./dom.js";
import { avatar } from "./avatar.js";
import { titleOf } from "./channels.js";
import { sendable } from "./commands.js";
import { store } from "./store.js";

export function emptyState(start) {
  const [first] = sendable();
  const channel = store.current;
  return h("div", { class: "empty" },
    h("div", { class: "empty-board", "aria-hidden": "true" }, "X··OX··O·".split("").map((m) => h("i", { class: m === "X" ? "x" : m === "O" ? "o" : undefined }))),
    h("h2", { text: channel.guild_id ? `Welcome to #${channel.name}` : `You and ${titleOf(channel)}` }),
    first
      ? h("button", { type: "button", class: "invite", onclick: () => start(first.path) },
          avatar(store.me, 32),
          h("span", {}, h("b", { text: `You are ${store.me.name}.` }), " Press here or type ", h("kbd", { text: "/" }), " to play"))
      : h("p", { class: "muted", text: store.online.length ? "The app has not registered a command here." : "Waiting for the app to connect …" }),
    h("p", { class: "muted empty-hint", text: "Everything here runs on this machine. Be somebody else from the list of people, or open a second tab as them, and play together." }));
}
