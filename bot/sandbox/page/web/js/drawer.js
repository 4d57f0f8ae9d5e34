// The developer's drawer: faults to cause, many games to watch, and the last
// interactions with everything that was sent and answered.

import { $, h, icon, refill } from "./dom.js";
import { api, post } from "./api.js";
import { Calls } from "./calls.js";
import { store } from "./store.js";
import { failed, toast } from "./toasts.js";
import { isSheet, openSheet, closeSheets } from "./sheets.js";

const drawer = $("drawer");

/** The faults that stand first, with the words for their buttons. */
const FEATURED = [
  ["DropGateway", "Drop the Gateway"],
  ["FailNext", "Answer 500 next"],
  ["SlowNext", "Be slow next"],
  ["RateLimitNext", "Rate-limit next"],
];

let open = false;

const faults = h("div", {});
const calls = new Calls();
const filter = h("input", { type: "checkbox", id: "only-problems", onchange: () => calls.filter(filter.checked) });

export function toggleDrawer() {
  if (open) closeDrawer();
  else openDrawer();
}

async function openDrawer() {
  open = true;
  drawer.hidden = false;
  calls.clear();
  $("app").classList.add("with-drawer");
  $("drawer-toggle").setAttribute("aria-expanded", "true");
  store.stream.watch(true);
  if (isSheet("drawer")) openSheet("drawer", shut);
  else drawer.querySelector("button")?.focus();
  await calls.load();
}

function closeDrawer() {
  if (drawer.classList.contains("sheet-open")) return closeSheets();
  shut();
  $("drawer-toggle").focus();
}

/** What closing means, whether it stood beside the messages or lay over them. */
function shut() {
  open = false;
  drawer.hidden = true;
  $("app").classList.remove("with-drawer");
  $("drawer-toggle").setAttribute("aria-expanded", "false");
  store.stream.watch(false);
}

async function cause(name, label) {
  try {
    await (name ? api("POST", "faults", { name }) : api("DELETE", "faults"));
    toast({ title: label, text: name ? "Done. Watch how the app copes." : "Nothing is armed any more." });
  } catch (err) {
    failed(label, err);
  }
}

async function restart(e) {
  const button = e.currentTarget;
  button.setAttribute("aria-disabled", "true");
  try {
    await post("restart", {});
    toast({ title: "Restart the bot's session", text: "The bot has a new session." });
  } catch (err) {
    failed("Restart the bot's session", err);
  } finally {
    button.removeAttribute("aria-disabled");
  }
}

function drawFaults() {
  const known = new Map(store.world.faults.map((f) => [f.name, f]));
  const armed = store.world.faults.filter((f) => f.armed);
  const featured = FEATURED.filter(([name]) => known.has(name));
  const button = (name, label) => h("button", { type: "button", class: "fault", title: known.get(name)?.about, data: { key: name }, onclick: () => cause(name, label) }, label);
  const wasOpen = faults.querySelector("details")?.open;
  const { crowd } = store.world;
  refill(faults,
    h("h3", { class: "list-title", text: "Cause a fault" }),
    h("div", { class: "fault-grid" }, featured.map(([name, label]) => button(name, label)),
      store.world.can_restart && h("button", { type: "button", class: "fault", data: { key: "restart" }, onclick: restart, text: "Restart the bot's session" })),
    armed.length > 0 && h("p", { class: "armed" }, icon("warn", 16), h("span", { text: armed.map((f) => f.name + (f.armed > 1 ? ` ×${f.armed}` : "")).join(", ") + " waiting to strike" }),
      h("button", { type: "button", class: "text-button", data: { key: "" }, text: "Disarm", onclick: () => cause("", "Faults") })),
    known.size > 0 && h("details", { class: "all-faults", open: wasOpen }, h("summary", { data: { key: "summary" }, text: `All ${known.size} faults` }),
      h("ul", {}, [...known.values()].map((f) => h("li", {}, h("button", { type: "button", class: "fault-name", data: { key: "all-" + f.name }, text: f.name, onclick: () => cause(f.name, f.name) }), h("p", { class: "muted", text: f.about }))))),
    h("h3", { class: "list-title", text: "Many games" }),
    h("label", { class: "switch" }, h("input", { type: "checkbox", role: "switch", checked: crowd.on, data: { key: "crowd" }, onchange: (e) => setCrowd(e.target) }), h("span", { class: "switch-track", "aria-hidden": "true" }),
      h("span", {}, "Let simulated people play", h("span", { class: "muted", text: ` at ${crowd.tables} tables` }))));
}

async function setCrowd(input) {
  try {
    await post("crowd", { on: input.checked });
  } catch (err) {
    input.checked = !input.checked;
    failed("Many games", err);
  }
}

export function startDrawer() {
  drawer.append(
    h("div", { class: "drawer-head" }, h("h2", { text: "Developer" }), h("button", { type: "button", class: "icon-button", "aria-label": "Close the developer's drawer", onclick: closeDrawer }, icon("close"))),
    h("div", { class: "drawer-scroll" }, faults,
      h("div", {},
        h("div", { class: "calls-head" }, h("h3", { class: "list-title", text: "Interactions" }), h("label", { class: "check" }, filter, "Only problems")),
        calls.el)));
  store.on("world", drawFaults);
  store.on("watched", (call) => calls.take(call));
  store.on("link", (linked) => { if (linked && open) calls.load(); });
  store.on("restart", () => calls.clear());
  // A drawer beside the messages has no room on a page that has become narrow.
  new ResizeObserver(() => { if (open && isSheet("drawer") && !drawer.classList.contains("sheet-open")) shut(); }).observe($("app"));
}
