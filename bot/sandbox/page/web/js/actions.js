// What a person does that sends an interaction, and what their client shows until
// the answer is there. All of it belongs to one person: who takes their place in
// this tab starts with nothing.

import { act } from "./channels.js";
import { store } from "./store.js";
import { alert } from "./announce.js";
import { failed } from "./toasts.js";

/** Interactions that this tab sent, by id: {mine, info, resolve, opened}. */
const calls = new Map();
/** message id → custom id of the component that waits for an answer. */
export const pending = new Map();
/** message id → what went wrong with the last press. */
export const failures = new Map();
/** Commands on their way, by call id: {name, channel, state, text}. */
export const commands = new Map();

/** What was pressed last: {message, component, at}. */
export let lastPress = {};

/** What becomes of an interaction whose answer nobody listened for. */
const LOST = { state: "lost", failed: "The connection broke before the answer came." };
/** Counts what parts an interaction from its answer: a broken link, another person. */
let era = 0;

/** Sends an interaction. Its id, or null when its answer will not be heard of. */
async function send(path, body) {
  const mine = era;
  // A form may be older than a restart of the server, which gives apps new ids.
  const { call: { id } } = await act(path + "?wait=none", { ...body, app: store.person(body.app)?.id });
  if (mine !== era) return null;
  const early = calls.get(id)?.info; // the stream may be faster than this answer
  calls.set(id, { mine: true });
  if (calls.size > 500) calls.delete(calls.keys().next().value);
  if (early) settle(early);
  return id;
}

/** Presses a button. What the page shows may be older than the message: the server decides. */
export async function press(snap, component) {
  await use("click", { message: snap.id, custom_id: component.custom_id, forced: true });
}

/** Chooses in a select. */
export async function select(snap, component, values) {
  await use("select", { message: snap.id, custom_id: component.custom_id, values, forced: true });
}

async function use(path, body) {
  if (pending.has(body.message)) return; // one at a time, as in Discord's clients
  const mine = era;
  lastPress = { message: body.message, component: body.custom_id, at: performance.now() };
  pending.set(body.message, body.custom_id);
  failures.delete(body.message);
  store.emit("pending", body.message);
  try {
    await send(path, body);
  } catch (err) {
    if (mine === era) {
      pending.delete(body.message);
      store.emit("pending", body.message);
    }
    failed("Not sent", err);
  }
}

const byName = (options) => Object.fromEntries(options.map((o) => [o.name, o.value]));

/** Sends a slash command; the promise fails with what is wrong with it. */
export function sendCommand({ app, path }, options) {
  store.emit("said");
  return send("command", { channel: store.current.id, app, path, options: byName(options) });
}

/** Picks an entry of a context menu on a person or a message. */
export async function sendContext({ app, name, label }, target) {
  store.emit("said");
  try {
    await send("context", { channel: store.current.id, app, name, ...target });
  } catch (err) {
    failed(label, err);
  }
}

/** Asks for suggestions. Null means that loading them failed. */
export async function suggestions({ app, path }, options, focused) {
  const call = await send("autocomplete", { channel: store.current.id, app, path, options: byName(options), focused });
  const info = await settled(call);
  return info.state === "answered" ? info.choices ?? [] : null;
}

/** Sends a filled-in modal, values being lists by custom id, and reports whether it was taken. */
export async function sendModal(call, values, files) {
  const id = await send("modal", { call, values, files });
  return settled(id);
}

function settled(id) {
  return new Promise((resolve) => {
    const entry = calls.get(id);
    if (!entry) resolve(LOST);
    else if (entry.info && entry.info.state !== "pending") resolve(entry.info);
    else entry.resolve = resolve;
  });
}

/** Takes in how far an interaction has come. */
function settle(info) {
  let entry = calls.get(info.id);
  if (!entry) calls.set(info.id, entry = {});
  // A late answer is told of too; it must not bring back what was dismissed.
  const news = entry.info?.state !== info.state;
  entry.info = info;
  if (news && info.kind === 2) showCommand(info);
  if (news && info.message_id && info.kind === 3) showPress(info);
  if (info.state === "answered" && info.modal && entry.mine && !entry.opened) {
    entry.opened = true;
    store.emit("modal", info);
  }
  if (info.state !== "pending" && entry.resolve) {
    entry.resolve(info);
    entry.resolve = undefined;
  }
}

function showCommand(info) {
  const waiting = info.state === "pending" || info.state === "failed";
  if (waiting) commands.set(info.id, { name: info.name, channel: info.channel_id, state: info.state, text: info.failed });
  else commands.delete(info.id);
  if (info.state === "failed") alert(info.failed);
  store.emit("commands-sent");
}

function showPress(info) {
  if (info.state === "pending") {
    pending.set(info.message_id, info.custom_id);
  } else {
    pending.delete(info.message_id);
    if (info.state === "failed") {
      failures.set(info.message_id, info.failed);
      alert(info.failed);
    }
  }
  store.emit("pending", info.message_id);
}

/** Removes the notice of a command that was not answered. */
export function forgetCommand(id) {
  commands.delete(id);
  store.emit("commands-sent");
}

/** Stops waiting: what is answered from now on may have been answered while nobody listened. */
function stopWaiting() {
  era++;
  const waiting = [...pending.keys()];
  pending.clear();
  for (const id of waiting) store.emit("pending", id);
  for (const [id, c] of commands) if (c.state === "pending") commands.delete(id);
  store.emit("commands-sent");
  for (const entry of calls.values()) {
    entry.resolve?.(LOST);
    entry.resolve = undefined;
  }
}

function forgetAll() {
  stopWaiting();
  for (const map of [calls, failures, commands]) map.clear();
}

store.on("call", settle);
store.on("restart", forgetAll);
store.on("person", forgetAll);
store.on("link", (open) => { if (!open) stopWaiting(); });
