// The developer's drawer: faults to cause, many games to watch, and the last
// interactions with everything that was sent and answered.

import { $, fill, h, icon } from "./dom.js";
import { get, post } from "./api.js";
import { store } from "./store.js";
import { toast } from "./toasts.js";
import { isSheet, openSheet, closeSheets } from "./sheets.js";

const drawer = $("drawer");
const KEEP = 200;

/** The faults that stand first, with the words for their buttons. */
const FEATURED = [
  ["DropGateway", "Drop the Gateway"],
  ["FailNext", "Answer 500 next"],
  ["SlowNext", "Be slow next"],
  ["RateLimitNext", "Rate-limit next"],
];

let calls = new Map(); // id → brief info, oldest first
let open = false;
let onlyProblems = false;

const faults = h("div", { class: "drawer-part" });
const rows = h("div", { class: "calls" });
const filter = h("input", { type: "checkbox", id: "only-problems", onchange: () => { onlyProblems = filter.checked; drawCalls(); } });

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
  if (isSheet("drawer")) openSheet("drawer");
  else drawer.querySelector("button")?.focus();
  await load();
}

function closeDrawer() {
  open = false;
  drawer.hidden = true;
  $("app").classList.remove("with-drawer");
  $("drawer-toggle").setAttribute("aria-expanded", "false");
  store.stream.watch(false);
  closeSheets();
  $("drawer-toggle").focus();
}

async function load() {
  try {
    const { interactions } = await get("interactions");
    // What the stream told meanwhile is newer than this answer.
    const told = calls;
    calls = new Map(interactions.reverse().map((c) => [c.id, c]));
    for (const [id, c] of told) if (!calls.has(id) || calls.get(id).state === "pending") calls.set(id, c);
    drawCalls();
  } catch {
    // read again when the connection is back
  }
}

async function cause(name, label) {
  try {
    await post("fault", { name });
    toast({ title: label, text: name ? "Done. Watch how the app copes." : "Nothing is armed any more." });
  } catch (err) {
    toast({ title: label, text: err.message });
  }
}

async function restart(e) {
  const button = e.currentTarget;
  button.setAttribute("aria-disabled", "true");
  try {
    await post("restart", {});
    toast({ title: "Restart the bot's session", text: "The bot has a new session." });
  } catch (err) {
    toast({ title: "Restart the bot's session", text: err.message });
  } finally {
    button.removeAttribute("aria-disabled");
  }
}

function drawFaults() {
  if (!store.world) return;
  const known = new Map(store.world.faults.map((f) => [f.name, f]));
  const armed = store.world.faults.filter((f) => f.armed);
  const featured = FEATURED.filter(([name]) => known.has(name));
  const button = (name, label) => h("button", { type: "button", class: "fault", title: known.get(name)?.about, data: { fault: name }, onclick: () => cause(name, label) }, label);
  const wasOpen = faults.querySelector("details")?.open;
  const focused = faults.contains(document.activeElement) ? document.activeElement.dataset.fault : undefined;
  const { crowd } = store.world;
  fill(faults,
    h("h3", { class: "list-title", text: "Cause a fault" }),
    h("div", { class: "fault-grid" }, featured.map(([name, label]) => button(name, label)),
      store.world.can_restart && h("button", { type: "button", class: "fault", data: { fault: "restart" }, onclick: restart, text: "Restart the bot's session" })),
    armed.length > 0 && h("p", { class: "armed" }, icon("warn", 16), h("span", { text: armed.map((f) => f.name + (f.armed > 1 ? ` ×${f.armed}` : "")).join(", ") + " waiting to strike" }),
      h("button", { type: "button", class: "text-button", data: { fault: "" }, text: "Disarm", onclick: () => cause("", "Faults") })),
    known.size > 0 && h("details", { class: "all-faults", open: wasOpen }, h("summary", { text: `All ${known.size} faults` }),
      h("ul", {}, [...known.values()].map((f) => h("li", {}, h("button", { type: "button", class: "fault-name", data: { fault: "all-" + f.name }, text: f.name, onclick: () => cause(f.name, f.name) }), h("p", { class: "muted", text: f.about }))))),
    h("h3", { class: "list-title", text: "Many games" }),
    h("label", { class: "switch" }, h("input", { type: "checkbox", role: "switch", checked: crowd.on, data: { fault: "crowd" }, onchange: (e) => setCrowd(e.target) }), h("span", { class: "switch-track", "aria-hidden": "true" }),
      h("span", {}, "Let simulated people play", h("span", { class: "muted", text: ` at ${crowd.tables} tables` }))));
  if (focused !== undefined) faults.querySelector(`[data-fault="${focused}"]`)?.focus();
}

async function setCrowd(input) {
  try {
    await post("crowd", { on: input.checked });
  } catch (err) {
    input.checked = !input.checked;
    toast({ title: "Many games", text: err.message });
  }
}

const TYPES = { 1: "pong", 4: "message", 5: "deferred", 6: "deferred update", 7: "update", 8: "choices", 9: "modal" };
const KINDS = { 2: "command", 3: "component", 4: "autocomplete", 5: "modal" };

function callRow(c) {
  const who = store.person(c.user_id)?.name ?? c.user_id;
  const bad = c.state === "failed" || c.problems?.length > 0;
  const ms = c.latency / 1e6;
  const state = c.state === "answered" ? TYPES[c.type] ?? `type ${c.type}` : c.state;
  const el = h("details", { class: `call call-${c.state}${bad ? " call-bad" : ""}`, data: { call: c.id } },
    h("summary", {},
      h("span", { class: "call-dot", "aria-hidden": "true" }),
      h("span", { class: "call-name" }, h("b", { text: who }), " ", c.name),
      h("span", { class: "call-state", text: state }),
      h("span", { class: "call-ms", text: c.latency ? (ms < 10 ? ms.toFixed(1) : Math.round(ms)) + " ms" : "" })),
    h("div", { class: "call-detail" }));
  el.addEventListener("toggle", () => { if (el.open) show(el, c.id); });
  return el;
}

async function show(el, id) {
  const box = el.querySelector(".call-detail");
  try {
    const c = await get("interactions/" + id);
    const channel = store.channels.get(c.channel_id)?.name;
    fill(box,
      h("p", { class: "muted", text: `${KINDS[c.kind] ?? "interaction"} ${c.id}${channel ? ` in #${channel}` : ""}, ${new Date(c.sent).toLocaleTimeString()}` }),
      c.failed && h("p", { class: "failed" }, icon("warn", 16), c.failed),
      (c.problems ?? []).map((p) => h("p", { class: "problem", text: p })),
      h("h4", { text: "Payload" }), json(c.payload),
      h("h4", { text: "Answer" }), c.answer ? json(c.answer) : h("p", { class: "muted", text: "None yet." }));
  } catch (err) {
    fill(box, h("p", { class: "muted", text: err.message }));
  }
}

function json(value) {
  return h("pre", { class: "json", tabindex: "0", role: "group", "aria-label": "JSON" }, h("code", { text: JSON.stringify(value, null, 2) }));
}

function drawCalls() {
  const opened = new Set([...rows.querySelectorAll("details[open]")].map((d) => d.dataset.call));
  const shown = [...calls.values()].reverse().filter((c) => !onlyProblems || c.state === "failed" || c.problems?.length);
  fill(rows, shown.length ? shown.map(callRow) : h("p", { class: "muted", text: onlyProblems ? "No problems." : "Nothing yet: press something." }));
  for (const d of rows.querySelectorAll("details")) if (opened.has(d.dataset.call)) d.open = true;
}

/** Takes in one interaction without disturbing what is open. */
function onCall(c) {
  const had = calls.has(c.id);
  calls.set(c.id, c);
  if (calls.size > KEEP) {
    const [oldest] = calls.keys();
    calls.delete(oldest);
    rows.querySelector(`[data-call="${oldest}"]`)?.remove();
  }
  if (onlyProblems) return drawCalls();
  const row = callRow(c);
  const old = had && rows.querySelector(`[data-call="${c.id}"]`);
  if (old) {
    row.open = old.open;
    old.replaceWith(row);
  } else {
    rows.querySelector(":scope > p")?.remove();
    rows.prepend(row);
  }
}

export function startDrawer() {
  drawer.append(
    h("div", { class: "drawer-head" }, h("h2", { text: "Developer" }), h("button", { type: "button", class: "icon-button", "aria-label": "Close the developer's drawer", onclick: closeDrawer }, icon("close"))),
    h("div", { class: "drawer-scroll" }, faults,
      h("div", { class: "drawer-part" },
        h("div", { class: "calls-head" }, h("h3", { class: "list-title", text: "Interactions" }), h("label", { class: "check" }, filter, "Only problems")),
        rows)));
  store.on("world", drawFaults);
  store.on("watched", onCall);
  store.on("link", (linked) => { if (linked && open) load(); });
  store.on("restart", () => { calls.clear(); drawCalls(); });
}
