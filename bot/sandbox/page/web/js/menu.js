// Context menus: of people and of messages.

import { h } from "./dom.js";
import { appOf, contextCommands } from "./commands.js";
import { showDialog } from "./dialog.js";
import { sendContext } from "./actions.js";
import { store } from "./store.js";
import { failed, toast } from "./toasts.js";
import { newPerson } from "./people.js";
import { MAY, act, may } from "./channels.js";
import { chooseReaction, mayReact } from "./reactions.js";
import { openPersonRoles } from "./roles.js";
import { isSystem } from "./summary.js";
import { newThread, pin } from "./threads.js";

/** Opens a menu beside anchor. entries: {label, press, danger} or null for a line. */
export function openMenu(anchor, label, entries, point) {
  const items = [];
  const dialog = h("dialog", { class: "menu", "aria-label": label }, h("div", { role: "menu", "aria-label": label }, entries.map((entry) => {
    if (!entry) return h("hr", { role: "separator" });
    if (entry.title) return h("div", { class: "menu-title", role: "presentation", text: entry.title });
    const item = h("button", {
      type: "button", role: "menuitem", tabindex: "-1", class: entry.danger ? "menu-item danger" : "menu-item", text: entry.label,
      onclick: () => { dialog.close(); entry.press(); },
    });
    items.push(item);
    return item;
  })));
  dialog.addEventListener("keydown", (e) => {
    const at = items.indexOf(document.activeElement);
    const to = { ArrowDown: (at + 1) % items.length, ArrowUp: (at - 1 + items.length) % items.length, Home: 0, End: items.length - 1 }[e.key];
    if (to !== undefined) {
      e.preventDefault();
      items[to].focus();
    } else if (e.key === "Tab") {
      e.preventDefault();
      dialog.close();
    }
  });
  showDialog(dialog, { beside: point ? pointed(point) : anchor });
  items[0]?.focus();
}

/** A point as something to stand at. */
const pointed = (point) => ({ getBoundingClientRect: () => new DOMRect(point.x, point.y, 0, 0) });

/** An app's entry in a menu, with whose it is where there are several apps. */
const entryOf = (c) => c.label + (appOf(c) && ` · ${appOf(c)}`);

/** The menu of a person: the app's commands for people, and being them. */
function personMenu(anchor, id, point) {
  const person = store.person(id);
  if (!person) return;
  const self = id === store.world.me;
  const apps = contextCommands(2).map((c) => ({ label: entryOf(c), press: () => sendContext(c, { user: id }) }));
  const entries = [{ title: person.name }];
  const guild = store.guilds.get(store.current?.guild_id) ?? [...store.guilds.values()].find((g) => person.guilds.includes(g.id));
  if (apps.length) entries.push(...apps);
  if (self) entries.push(...(apps.length ? [null] : []), ...otherPeople(), { label: "Somebody new …", press: newPerson });
  else if (!person.bot) {
    entries.push(...(apps.length ? [null] : []),
      { label: `Be ${person.name}`, press: () => store.become(id) },
      { label: `Open as ${person.name} in a new tab`, press: () => window.open(`/?as=${encodeURIComponent(person.username)}${location.hash}`, "_blank", "noopener") });
  }
  if (guild && !store.apps.some((a) => a.id === person.id) && !person.crowd) entries.push(null, { label: "Roles …", press: () => openPersonRoles(person, guild) });
  entries.push(null, { label: "Copy user ID", press: () => copy(id) });
  openMenu(anchor, person.name, entries, point);
}

function otherPeople() {
  return [...store.people.values()].filter((p) => !p.bot && !p.crowd && p.id !== store.world.me)
    .map((p) => ({ label: `Be ${p.name}`, press: () => store.become(p.id) }));
}

export function messageMenu(anchor, snap, point) {
  const own = snap.author_id === store.world.me;
  const entries = [
    ...contextCommands(3).map((c) => ({ label: entryOf(c), press: () => sendContext(c, { message: snap.id }) })),
  ];
  if (entries.length) entries.push(null);
  entries.push({ label: "Copy message link", press: () => copy(`https://discord.com/channels/${snap.guild_id ?? "@me"}/${snap.channel_id}/${snap.id}`) },
    { label: "Copy message ID", press: () => copy(snap.id) });
  const channel = store.channels.get(snap.channel_id) ?? store.current;
  if (!snap.viewer_id) {
    const things = [
      mayReact(snap) && { label: "Add a reaction …", press: () => chooseReaction(anchor, snap, point && pointed(point)) },
      may(channel, MAY.pin) && !isSystem(snap) && { label: snap.pinned ? "Unpin message" : "Pin message", press: () => pin(snap, !snap.pinned) },
      channel.guild_id && !channel.parent_id && !snap.thread_id && !isSystem(snap) && may(channel, MAY.createThreads) && { label: "Start a thread …", press: () => newThread(channel, snap.id) },
    ].filter(Boolean);
    if (things.length) entries.unshift(...things, null);
  }
  if (!snap.viewer_id && snap.type !== 21 && (own || may(channel, MAY.manageMessages))) {
    entries.push(null, { label: "Delete message", danger: true, press: async () => {
      try {
        await act("delete", { message: snap.id });
      } catch (err) {
        failed("Delete message", err);
      }
    } });
  }
  openMenu(anchor, "Message", entries, point);
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast({ mark: "check", title: "Copied", text });
  } catch {
    toast({ title: "Copy this", text });
  }
}

/** The message that an element belongs to. */
const messageOf = (el) => store.messages.get(el.closest?.(".message")?.dataset.message);

export function startMenus() {
  const open = (e, point) => {
    const person = e.target.closest("[data-person]");
    const message = messageOf(e.target);
    if (person) personMenu(person, person.dataset.person, point);
    else if (message && !e.target.closest("a")) messageMenu(e.target, message, point);
    else return;
    e.preventDefault();
  };
  document.addEventListener("contextmenu", (e) => {
    // A menu asked for by keyboard has no point to stand at.
    if (e.target.closest("dialog")) return;
    open(e, e.clientX || e.clientY ? { x: e.clientX, y: e.clientY } : undefined);
  });
  document.addEventListener("keydown", (e) => {
    if ((e.key === "F10" && e.shiftKey) || e.key === "ContextMenu") open(e);
  });
  document.addEventListener("click", (e) => {
    const person = e.target.closest("button[data-person]");
    if (person) personMenu(person, person.dataset.person);
  });
}
