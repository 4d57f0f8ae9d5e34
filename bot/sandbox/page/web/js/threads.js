// Threads and pinned messages of a channel.

import { h, icon } from "./dom.js";
import { world } from "./api.js";
import { avatar } from "./avatar.js";
import { MAY, act, guildOf, iconOf, may, titleOf } from "./channels.js";
import { fieldOf, textField } from "./fields.js";
import { openForm } from "./modal.js";
import { openPanel, panelRow } from "./panel.js";
import { store } from "./store.js";
import { firstLine } from "./summary.js";
import { failed } from "./toasts.js";
import { count } from "./words.js";

const TICK = 23;

const threadsOf = (channel) => [...store.channels.values()].filter((c) => c.parent_id === channel.id);

function aboutThread(c) {
  return [c.kind === 12 && "private", c.locked && "locked", count(c.people?.length ?? 0, "member")].filter(Boolean).join(" · ");
}

/** The threads of a channel, those that are archived apart. */
export function openThreads(channel) {
  const panel = openPanel({
    title: `Threads in #${channel.name}`,
    draw: () => {
      const all = threadsOf(channel);
      const list = (title, threads) => threads.length > 0 && h("section", {}, h("h3", { class: "list-title", text: title }),
        h("ul", { class: "panel-list" }, threads.map((c) => h("li", {}, panelRow(c.id, {
          mark: iconOf(c, 18), title: c.name, hint: aboutThread(c), press: () => { panel.close(); store.open(c.id); },
        })))));
      return [
        all.length === 0 && h("p", { class: "panel-empty", text: "There are no threads." }),
        list("Active", all.filter((c) => !c.archived)), list("Archived", all.filter((c) => c.archived)),
      ].filter(Boolean);
    },
    foot: () => (may(channel, MAY.createThreads) || may(channel, MAY.createPrivate)
      ? [h("button", { type: "button", class: "button button-primary", data: { key: "new" }, text: "New thread", onclick: () => { panel.close(); newThread(channel); } })] : []),
  });
}

/** Asks for a thread's name, begins it and opens it. message is the id of the one it begins from, if any. */
export function newThread(channel, message) {
  openForm({
    title: message ? "Thread from this message" : `New thread in #${channel.name}`,
    parts: [
      textField({ custom_id: "name", max_length: 100, placeholder: "A name" }, "Name"),
      ...(message || !may(channel, MAY.createPrivate) ? [] : [fieldOf({ type: TICK, custom_id: "private" }, "Private", "Only who joins it sees it, and who manages threads.")]),
    ],
    submitLabel: "Create",
    submit: async (values) => {
      const { id } = await act("threads", {
        name: values.name[0].trim(), ...(message ? { message } : { channel: channel.id, private: values.private?.[0] === "true" }),
      }, channel);
      store.openSoon(id);
    },
  });
}

/** What one may do with a thread, as entries of a menu. */
export function threadEntries(c) {
  const change = (label, body) => ({ label, press: async () => {
    try {
      await world("PATCH", "threads", { as: store.world.me, thread: c.id, ...body }, c.guild_id);
    } catch (err) {
      failed(label, err);
    }
  } });
  const joined = c.people?.includes(store.world.me);
  return [
    !c.archived && change(joined ? "Leave thread" : "Join thread", { joined: !joined }),
    change(c.archived ? "Open thread again" : "Archive thread", { archived: !c.archived }),
    may(c, MAY.manageThreads) && change(c.locked ? "Unlock thread" : "Lock thread", { locked: !c.locked }),
  ].filter(Boolean);
}

/** Pins a message, or takes its pin away. */
export async function pin(snap, on) {
  try {
    await act("pin", { message: snap.id, remove: !on });
  } catch (err) {
    failed(on ? "Pin message" : "Unpin message", err);
  }
}

/** The pinned messages of a channel. jump(id) leads to one. */
export async function openPins(channel, jump) {
  const read = () => world("GET", `pins?${new URLSearchParams({ as: store.world.me, channel: channel.id })}`, undefined, guildOf(channel));
  let pins;
  try {
    ({ messages: pins } = await read());
  } catch (err) {
    failed("Pinned messages", err);
    return;
  }
  const panel = openPanel({
    title: "Pinned messages",
    draw: () => [
      pins.length === 0 && h("p", { class: "panel-empty", text: `Nothing is pinned in ${channel.guild_id ? "#" : ""}${titleOf(channel)}.` }),
      h("ul", { class: "panel-list" }, pins.map((snap) => h("li", { class: "panel-pair" },
        panelRow(snap.id, { mark: avatar(store.person(snap.author_id) ?? store.bot, 24), title: store.nameOf(snap.author_id), hint: firstLine(snap), press: () => { panel.close(); jump(snap.id); } }),
        may(channel, MAY.pin) && h("button", { type: "button", class: "icon-button", "aria-label": `Unpin the message of ${store.nameOf(snap.author_id)}`, title: "Unpin", onclick: async () => {
          await pin(snap, false);
          ({ messages: pins } = await read());
          panel.redraw();
        } }, icon("close", 18))))),
    ].filter(Boolean),
  });
}
