// Context menus: of people and of messages.

import { $, h } from "./dom.js";
import { contextCommands } from "./commands.js";
import { place } from "./picker.js";
import { sendContext } from "./actions.js";
import { post } from "./api.js";
import { store } from "./store.js";
import { failed, toast } from "./toasts.js";
import { messageOf } from "./messages.js";
import { newPerson } from "./people.js";

/** Opens a menu beside anchor. entries: {label, press, danger} or null for a line. */
function openMenu(anchor, label, entries, point) {
  const back = document.activeElement;
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
  dialog.addEventListener("click", (e) => { if (e.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (back?.isConnected) back.focus({ preventScroll: true });
  });
  $("layer").append(dialog);
  place(dialog, point ? { getBoundingClientRect: () => new DOMRect(point.x, point.y, 0, 0) } : anchor);
  dialog.showModal();
  items[0]?.focus();
}

/** The menu of a person: the app's commands for people, and being them. */
function personMenu(anchor, id, point) {
  const person = store.person(id);
  if (!person) return;
  const self = id === store.world.me;
  const apps = contextCommands(2).map((c) => ({ label: c.label, press: () => sendContext(c.name, { user: id }) }));
  const entries = [{ title: person.name }];
  if (apps.length) entries.push(...apps);
  if (self) entries.push(...(apps.length ? [null] : []), ...otherPeople(), { label: "Somebody new …", press: newPerson });
  else if (!person.bot) {
    entries.push(...(apps.length ? [null] : []),
      { label: `Be ${person.name}`, press: () => store.become(id) },
      { label: `Open as ${person.name} in a new tab`, press: () => window.open(`/?as=${encodeURIComponent(person.username)}${location.hash}`, "_blank", "noopener") });
  }
  entries.push(null, { label: "Copy user ID", press: () => copy(id) });
  openMenu(anchor, person.name, entries, point);
}

function otherPeople() {
  return [...store.people.values()].filter((p) => !p.bot && !p.crowd && p.id !== store.world.me)
    .map((p) => ({ label: `Be ${p.name}`, press: () => store.become(p.id) }));
}

function messageMenu(anchor, snap, point) {
  const own = snap.author_id === store.world.me;
  const entries = [
    ...contextCommands(3).map((c) => ({ label: c.label, press: () => sendContext(c.name, { message: snap.id }) })),
  ];
  if (entries.length) entries.push(null);
  entries.push({ label: "Copy message link", press: () => copy(`https://discord.com/channels/${snap.guild_id ?? "@me"}/${snap.channel_id}/${snap.id}`) },
    { label: "Copy message ID", press: () => copy(snap.id) });
  if (!snap.viewer_id && (own || store.me.moderator)) {
    entries.push(null, { label: "Delete message", danger: true, press: async () => {
      try {
        await post("delete", { as: store.world.me, message: snap.id });
      } catch (err) {
        failed("Delete message", err);
      }
    } });
  }
  openMenu(anchor, "Message", entries, point);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast({ title: "Copied", text });
  } catch {
    toast({ title: "Copy this", text });
  }
}

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
