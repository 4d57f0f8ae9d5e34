// The bar above the messages: where one is, whether the app is there, and the
// switches of the page.

import { $, h, icon } from "./dom.js";
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
  title.replaceChildren(icon(!channel.guild_id ? "mail" : parent ? "thread" : channel.private ? "lock" : "hash", 20), channel.guild_id ? channel.name : store.bot.name);
  about.textContent = [
    parent && `Thread in #${parent.name}`, channel.private && "Not everybody sees this channel",
    channel.bot_mute && "The app cannot post here by itself", channel.archived && "Archived",
    !channel.guild_id && "Direct messages",
  ].filter(Boolean).join(" · ");
  const there = store.world.sessions > 0;
  presence.className = there ? "presence presence-on" : "presence presence-off";
  const words = there ? "App online" : "App offline";
  if (presence.textContent !== words) presence.textContent = words; // each change is said
  drawBanner();
}

function drawBanner() {
  const text = !store.linked ? "The server does not answer. Connecting again …" : "";
  banner.hidden = !text;
  banner.textContent = text;
}

export function startTopbar() {
  bar.append(
    h("button", { type: "button", class: "icon-button channels-toggle", "aria-label": "Channels", onclick: () => openSheet("channels") }, icon("menu")),
    h("div", { class: "where" }, title, about), presence,
    h("div", { class: "switches" }, phone, people, tools));
  tools.id = "drawer-toggle";
  tools.setAttribute("aria-expanded", "false");
  setPhone(sessionStorage.getItem("phone") === "1");
  for (const topic of ["world", "channel"]) store.on(topic, drawBar);
  store.on("link", drawBanner);
}
