// The list of the last interactions: who sent what, how it was answered, and on
// demand everything that was sent. Each has one row, which stays the same element
// while it changes, so that what is open or has the focus stays so.

import { fill, h, icon } from "./dom.js";
import { get } from "./api.js";
import { byAge, store } from "./store.js";

const KEEP = 200;
const TYPES = { 1: "pong", 4: "message", 5: "deferred", 6: "deferred update", 7: "update", 8: "choices", 9: "modal" };
const KINDS = { 2: "command", 3: "component", 4: "autocomplete", 5: "modal" };

const isBad = (c) => c.state === "failed" || c.problems?.length > 0;

export class Calls {
  #calls = new Map(); // id → brief info, oldest first
  #rows = new Map(); // id → its row, once it was shown
  #onlyProblems = false;

  constructor() {
    this.note = h("p", { class: "muted" });
    this.list = h("div", {});
    this.el = h("div", { class: "calls" }, this.note, this.list);
    this.#tellEmpty();
  }

  /** Reads what has happened so far. */
  async load() {
    let interactions;
    try {
      ({ interactions } = await get("interactions"));
    } catch {
      return; // read again when the connection is back
    }
    // What the stream told meanwhile is newer than this answer.
    const told = this.#calls;
    this.#calls = new Map(interactions.reverse().map((c) => [c.id, c]));
    for (const [id, c] of told) if (!this.#calls.has(id) || this.#calls.get(id).state === "pending") this.#calls.set(id, c);
    for (const id of this.#rows.keys()) if (!this.#calls.has(id)) this.#drop(id);
    this.#show();
  }

  clear() {
    this.#calls.clear();
    for (const id of [...this.#rows.keys()]) this.#drop(id);
    this.#tellEmpty();
  }

  /** Shows only interactions with problems, or all again. */
  filter(onlyProblems) {
    this.#onlyProblems = onlyProblems;
    this.#show();
  }

  /** Takes in one interaction. */
  take(c) {
    this.#calls.set(c.id, c);
    if (this.#calls.size > KEEP) {
      const [oldest] = this.#calls.keys();
      this.#calls.delete(oldest);
      this.#drop(oldest);
    }
    this.#place(c);
    this.#tellEmpty();
  }

  #show() {
    for (const c of this.#calls.values()) this.#place(c);
    this.#tellEmpty();
  }

  #tellEmpty() {
    this.note.hidden = this.list.childElementCount > 0;
    this.note.textContent = this.#onlyProblems ? "No problems." : "Nothing yet: press something.";
  }

  #drop(id) {
    this.#rows.get(id)?.el.remove();
    this.#rows.delete(id);
  }

  /** Gives one interaction its row, newest first, or takes it away. */
  #place(c) {
    let row = this.#rows.get(c.id);
    if (this.#onlyProblems && !isBad(c)) {
      row?.el.remove();
      return;
    }
    if (!row) this.#rows.set(c.id, row = newRow(c.id));
    update(row, c);
    if (row.el.isConnected) return;
    const below = [...this.list.children].find((el) => byAge(el.dataset.call, c.id) < 0);
    this.list.insertBefore(row.el, below ?? null);
  }
}

function newRow(id) {
  const summary = h("summary", {});
  const detail = h("div", { class: "call-detail" });
  const el = h("details", { data: { call: id } }, summary, detail);
  el.addEventListener("toggle", () => { if (el.open) show(detail, id); });
  return { el, summary, detail, drawn: "" };
}

function update(row, c) {
  const who = store.person(c.user_id)?.name ?? c.user_id;
  const now = JSON.stringify([who, c]);
  if (row.drawn === now) return;
  row.drawn = now;
  const ms = c.latency / 1e6;
  row.el.className = `call call-${c.state}${isBad(c) ? " call-bad" : ""}`;
  fill(row.summary,
    h("span", { class: "call-dot", "aria-hidden": "true" }),
    h("span", { class: "call-name" }, h("b", { text: who }), " ", c.name),
    h("span", { class: "call-state", text: c.state === "answered" ? TYPES[c.type] ?? `type ${c.type}` : c.state }),
    h("span", { class: "call-ms", text: c.latency ? (ms < 10 ? ms.toFixed(1) : Math.round(ms)) + " ms" : "" }));
  if (row.el.open) show(row.detail, c.id);
}

async function show(box, id) {
  try {
    const c = await get("interactions/" + id);
    const channel = store.channels.get(c.channel_id)?.name;
    fill(box,
      h("p", { class: "muted", text: `${KINDS[c.kind] ?? "interaction"} ${c.id}${channel ? ` in #${channel}` : ""}, ${new Date(c.sent).toLocaleTimeString()}` }),
      c.failed && h("p", { class: "failed" }, icon("warn", 16), c.failed),
      c.refused && h("p", { class: "problem", text: "The bot did not hear of it. " + c.refused }),
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
