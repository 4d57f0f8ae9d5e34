// What an empty channel says: who one is, and how to begin.

import { h } from "./dom.js";
import { avatar } from "./avatar.js";
import { titleOf } from "./channels.js";
import { store } from "./store.js";

/** The first thing that can be sent: a command, or its first subcommand. */
export function firstCommand() {
  const command = store.commands.find((c) => c.type === 1);
  if (!command) return null;
  let path = command.name, options = command.options;
  while (options[0] && options[0].type <= 2) {
    path += " " + options[0].name;
    options = options[0].options;
  }
  return { path, id: command.id };
}

export function emptyState(start) {
  const first = firstCommand();
  const channel = store.current;
  return h("div", { class: "empty" },
    h("div", { class: "empty-board", "aria-hidden": "true" }, "X··OX··O·".split("").map((m) => h("i", { class: m === "X" ? "x" : m === "O" ? "o" : undefined }))),
    h("h2", { text: channel.guild_id ? `Welcome to #${channel.name}` : `You and ${titleOf(channel)}` }),
    first
      ? h("button", { type: "button", class: "invite", onclick: () => start(first.path) },
          avatar(store.me, 32),
          h("span", {}, h("b", { text: `You are ${store.me.name}.` }), " Press here or type ", h("kbd", { text: "/" }), " to play"))
      : h("p", { class: "muted", text: store.world.sessions ? "The app has not registered a command here." : "Waiting for the app to connect …" }),
    h("p", { class: "muted empty-hint", text: "Everything here runs on this machine. Be somebody else from the list of people, or open a second tab as them, and play together." }));
}
