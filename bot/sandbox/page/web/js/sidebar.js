// The channels, the guild's language, and who one is.

import { $, h, icon, newId, refill } from "./dom.js";
import { avatar } from "./avatar.js";
import { channelMenu, guildMenu, newMessage } from "./channel-menu.js";
import { guildOf, iconOf, titleOf } from "./channels.js";
import { LOCALES } from "./locales.js";
import { post, world } from "./api.js";
import { enableSteps } from "./roving.js";
import { store } from "./store.js";
import { failed } from "./toasts.js";
import { closeSheets } from "./sheets.js";
import { count } from "./words.js";

const nav = $("channels");

function languagePicker(label, value, change) {
  const id = newId("language");
  const select = h("select", { id, class: "language", onchange: async (e) => {
    try {
      await change(e.target.value);
    } catch (err) {
      failed(label, err);
    }
  } }, Object.entries(LOCALES).map(([code, name]) => h("option", { value: code, selected: code === value, text: name, lang: code })));
  return h("div", { class: "language-row" }, h("label", { for: id, title: label }, icon("globe", 16), h("span", { text: label })), select);
}

function channelItem(channel) {
  const here = channel.id === store.current?.id;
  const unread = store.unread.get(channel.id);
  const about = [
    channel.parent_id && "thread", channel.archived && "archived", channel.private && "private",
    unread && !here && (unread.badges ? count(unread.badges, "mention") : `${unread.count} unread`),
  ].filter(Boolean).join(", ");
  return h("li", {}, h("button", {
    type: "button", class: `channel${unread && !here ? " unread" : ""}${channel.parent_id ? " channel-thread" : ""}`,
    "aria-current": here ? "page" : undefined, data: { channel: channel.id, key: channel.id },
    onclick: () => { store.open(channel.id); closeSheets(); },
  },
    iconOf(channel, 18), h("span", { class: "channel-name", text: titleOf(channel) }),
    about && h("span", { class: "spoken", text: about }),
    unread?.badges && !here ? h("span", { class: "count", "aria-hidden": "true", text: String(unread.badges) }) : null));
}

function guildSection(guild) {
  // Archived threads are found in the list of threads.
  const all = [...store.channels.values()].filter((c) => c.guild_id === guild.id && (!c.archived && !c.hidden || c.id === store.current?.id));
  const ordered = all.filter((c) => !c.parent_id).flatMap((c) => [c, ...all.filter((t) => t.parent_id === c.id)]);
  const tables = ordered.filter((c) => c.crowd);
  return h("section", { class: "guild" },
    h("div", { class: "guild-head" }, h("h2", { class: "guild-name" }, guild.name, !guild.has_bot && h("span", { class: "badge badge-off", text: guild.has_commands ? "commands only" : "no app" })),
      h("button", { type: "button", class: "icon-button", "aria-label": `Options of ${guild.name}`, title: "Roles, new channel", "aria-haspopup": "menu", data: { key: guild.id }, onclick: (e) => guildMenu(e.currentTarget, guild) }, icon("more"))),
    languagePicker("Guild language", guild.locale, (locale) => post("guild", { guild: guild.id, locale })),
    h("ul", {}, ordered.filter((c) => !c.crowd).map(channelItem)),
    tables.length > 0 && h("h3", { class: "list-title", text: "Many games" }),
    tables.length > 0 && h("ul", {}, tables.map(channelItem)));
}

function meCard() {
  return h("div", { class: "me" },
    h("button", { type: "button", class: "me-who", data: { person: store.me.id, key: "me" }, "aria-haspopup": "menu", title: "Be somebody else" },
      avatar(store.me, 32), h("span", { class: "me-text" }, h("span", { class: "spoken", text: "You are " }), h("b", { text: store.me.name }), h("span", { class: "muted", text: "@" + store.me.username }))),
    languagePicker("Your language", store.me.locale, (locale) => world("PATCH", "people", { name: store.me.id, locale }, guildOf(store.current ?? {}))));
}

function drawSidebar() {
  // Redrawing must not close the list of whoever is choosing.
  const active = document.activeElement;
  if (nav.contains(active) && active.matches("select")) {
    active.onblur = () => setTimeout(drawSidebar);
    for (const el of nav.querySelectorAll("[data-channel]")) refresh(el);
    return;
  }
  const direct = [...store.channels.values()].filter((c) => !c.guild_id);
  const scroll = nav.querySelector(".channels-scroll")?.scrollTop ?? 0;
  refill(nav,
    h("div", { class: "channels-scroll" },
      [...store.guilds.values()].map(guildSection),
      h("section", { class: "guild" }, h("div", { class: "guild-head" }, h("h2", { class: "guild-name", text: "Direct messages" }),
        h("button", { type: "button", class: "icon-button new-message", data: { key: "new" }, "aria-label": "New message", title: "New message", "aria-haspopup": "dialog", onclick: newMessage }, icon("plus", 18))), h("ul", {}, direct.map(channelItem)))),
    meCard());
  nav.querySelector(".channels-scroll").scrollTop = scroll;
}

function refresh(el) {
  if (el.dataset.channel === store.current?.id) el.setAttribute("aria-current", "page");
  else el.removeAttribute("aria-current");
}

export function startSidebar() {
  for (const topic of ["world", "channel", "unread"]) store.on(topic, drawSidebar);
  nav.addEventListener("contextmenu", (e) => {
    const el = e.target.closest("[data-channel]");
    const channel = store.channels.get(el?.dataset.channel);
    if (!channel) return;
    e.preventDefault();
    channelMenu(el, channel, e.clientX || e.clientY ? { x: e.clientX, y: e.clientY } : undefined);
  });
  enableSteps(nav, () => [...nav.querySelectorAll(".channel")], { ArrowDown: 1, ArrowUp: -1 });
}
