// The bar above the messages: where one is, whether the app is there, and the
// switches of the page.

import { $, h, icon } from "./dom.js";
import { channelMenu } from "./channel-menu.js";
import { iconOf, isParty, titleOf } from "./channels.js";
import { store } from "./store.js";
import { isSheet, openSheet, closeSheets } from "./sheets.js";
import { toggleDrawer } from "./drawer.js";

const bar = $("topbar");
const banner = $("banner");
const app = $("app");

const title = h("h1", { id: "channel-title", class: "title" });
const about = h("span", { class: "about" });
const presence = h("span", { class: "presence", role: "status" });
const phone = toggle("phone", "Phone width", () => setPhone(!app.classList.contains("phone")));
const people = toggle("people", "People", () => {
  if (!isSheet("people")) return;
  if ($("people").classList.contains("sheet-open")) closeSheets();
  else openSheet("people");
});
const tools = toggle("tools", "Developer", () => {
  toggleDrawer();
});
const options = toggle("more", "Channel options", (e) => { if (store.current) channelMenu(e.currentTarget, store.current); });
options.setAttribute("aria-haspopup", "menu");
options.title = "Pins, threads, permissions";
people.classList.add("people-toggle");
phone.classList.add("phone-toggle");

function toggle(name, label, press) {
  return h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick: press }, icon(name));
}

/** Shows the page as on a phone, rows and all. */
function setPhone(on) {
  closeSheets();
  app.classList.toggle("phone", on);
  phone.setAttribute("aria-pressed", String(on));
  sessionStorage.setItem("phone", on ? "1" : "");
}

function drawBar() {
  const channel = store.current;
  if (!channel) return;
  const parent = channel.parent_id && store.channels.get(channel.parent_id);
  title.replaceChildren(iconOf(channel, 20), h("span", { class: "title-text", text: titleOf(channel) }));
  about.textContent = [
    channel.topic, parent && `Thread in #${parent.name}`, channel.private && "Not everybody sees this channel",
    channel.bot_mute && "The app cannot post here by itself", channel.archived && "Archived", channel.locked && "Locked",
    !channel.guild_id && (isParty(channel) ? "Between people, without the app" : "Direct messages"),
  ].filter(Boolean).join(" · ");
  drawBanner();
}

/** Whose app it is and whether it is there, which nobody knows while the server does not answer. */
function drawPresence() {
  const { apps, online } = store;
  presence.className = store.linked && online.length === apps.length ? "presence presence-on" : "presence presence-off";
  const state = (app) => (app.sessions > 0 ? "online" : "offline");
  const [name, rest] = !store.linked ? ["", "Not connected"]
    : apps.length === 1 ? [apps[0].name, " " + state(apps[0])] : ["", `${online.length} of ${apps.length} apps online`];
  presence.title = store.linked ? apps.map((a) => `${a.name}: ${state(a)}, application ${a.id}`).join("\n") : "";
  if (presence.textContent === name + rest) return; // each change is said
  presence.replaceChildren(h("span", { class: "presence-name", text: name }), h("span", { text: rest }));
}

function drawBanner() {
  const text = !store.linked ? "The server does not answer. Connecting again …" : "";
  banner.hidden = !text;
  banner.textContent = text;
  if (store.world) drawPresence();
}

export function startTopbar() {
  bar.append(
    h("button", { type: "button", class: "icon-button channels-toggle", "aria-label": "Channels", onclick: () => openSheet("channels") }, icon("menu")),
    h("div", { class: "where" }, title, about), presence,
    h("div", { class: "switches" }, options, phone, people, tools));
  tools.id = "drawer-toggle";
  tools.setAttribute("aria-expanded", "false");
  setPhone(sessionStorage.getItem("phone") === "1");
  for (const topic of ["world", "channel"]) store.on(topic, drawBar);
  store.on("link", drawBanner);
}
