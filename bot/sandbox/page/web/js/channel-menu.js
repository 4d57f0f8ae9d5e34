// Menus of channels and of guilds, and what makes new ones.

import { h } from "./dom.js";
import { world } from "./api.js";
import { MAY, may, titleOf } from "./channels.js";
import { fieldOf, textField } from "./fields.js";
import { copy, openMenu } from "./menu.js";
import { openForm } from "./modal.js";
import { showMessage } from "./messages.js";
import { openOverwrites, openRoles } from "./roles.js";
import { newThread, openPins, openThreads, threadEntries } from "./threads.js";
import { store } from "./store.js";
import { failed } from "./toasts.js";

const CHECKBOXES = 22, TICK = 23;

/** Opens the menu of a channel. */
export function channelMenu(anchor, channel, point) {
  const inGuild = Boolean(channel.guild_id), thread = Boolean(channel.parent_id);
  const jump = async (id) => {
    if (store.current.id !== channel.id) await store.open(channel.id);
    showMessage(id);
  };
  const entries = [
    { title: titleOf(channel) },
    { label: "Pinned messages", press: () => openPins(channel, jump) },
    ...(thread ? threadEntries(channel) : []),
    ...(inGuild && !thread ? [{ label: "Threads", press: () => openThreads(channel) }] : []),
    ...(inGuild && !thread && may(channel, MAY.createThreads) ? [{ label: "New thread …", press: () => newThread(channel) }] : []),
    ...(inGuild && !thread ? [null, { label: "Permissions …", press: () => openOverwrites(channel) }] : []),
    null,
    { label: "Copy channel ID", press: () => copy(channel.id) },
    ...(inGuild ? [{ label: thread ? "Delete thread" : "Delete channel", danger: true, press: () => remove(channel) }] : []),
  ];
  openMenu(anchor, titleOf(channel), entries, point);
}

async function remove(channel) {
  try {
    await world("DELETE", `channels/${channel.id}`, undefined, channel.guild_id);
  } catch (err) {
    failed("Delete channel", err);
  }
}

/** Opens the menu of a guild. */
export function guildMenu(anchor, guild) {
  openMenu(anchor, guild.name, [
    { title: guild.name },
    { label: "Roles …", press: () => openRoles(guild) },
    { label: "New channel …", press: () => newChannel(guild) },
    null,
    { label: "Copy guild ID", press: () => copy(guild.id) },
  ]);
}

function newChannel(guild) {
  openForm({
    title: `New channel in ${guild.name}`,
    parts: [
      textField({ custom_id: "name", max_length: 100, placeholder: "new-channel" }, "Name"),
      textField({ custom_id: "topic", max_length: 1024, required: false, placeholder: "What it is about" }, "Topic"),
      fieldOf({ type: TICK, custom_id: "private" }, "Private", "Only you, the app and administrators see it; its permissions let others in."),
    ],
    submitLabel: "Create",
    submit: async ({ name: [name], topic: [topic], private: [hidden] }) => {
      const wanted = name.trim().toLowerCase().replace(/\s+/g, "-");
      if (!wanted) throw new Error("A channel needs a name.");
      if ([...store.channels.values()].some((c) => c.guild_id === guild.id && c.name === wanted)) throw new Error("There is a channel of that name already.");
      const { id } = await world("POST", "channels", { name: wanted, ...(topic && { topic }) }, guild.id);
      if (hidden === "true") {
        const overwrite = (target, allow, deny) => world("PUT", `channels/${id}/overwrites/${target}`, { allow: String(allow), deny: String(deny) }, guild.id);
        await overwrite(store.world.me, MAY.view, 0n);
        for (const app of store.apps) await overwrite(app.id, MAY.view, 0n);
        await overwrite(guild.id, 0n, MAY.view);
      }
      store.openSoon(id);
    },
  });
}

/** Asks whom to write to, and opens the direct messages with them. */
export function newMessage() {
  const [guild] = store.guilds.values();
  const others = [...store.people.values()].filter((p) => !p.bot && !p.crowd && p.id !== store.world.me && p.guilds.includes(guild?.id));
  if (!others.length) {
    failed("New message", new Error("There is nobody else here."));
    return;
  }
  openForm({
    title: "New message",
    parts: [
      h("p", { class: "field muted", text: "Between people, without the app: there it hears only of its own commands, if they may be used there." }),
      fieldOf({ type: CHECKBOXES, custom_id: "people", min_values: 1, max_values: 9, options: others.map((p) => ({ label: p.name, value: p.id, description: "@" + p.username })) }, "To"),
    ],
    submitLabel: "Write",
    submit: async ({ people }) => {
      const { id } = await world("POST", "private", { people: [store.world.me, ...people] }, guild.id);
      store.openSoon(id);
    },
  });
}
