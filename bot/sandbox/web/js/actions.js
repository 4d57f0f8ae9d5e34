// What a person does that sends an interaction, and what their client shows until
// the answer is there.

import { post } from "./api.js";
import { store } from "./store.js";
import { alert } from "./announce.js";
import { toast } from "./toasts.js";

/** Interactions that this tab sent, by id: {kind, message, customId, name, channel, waiters}. */
const calls = new Map();
/** message id → custom id of the component that waits for an answer. */
export const pending = new Map();
/** message id → what went wrong with the last press. */
export const failures = new Map();
/** Commands on their way, by call id: {name, channel, state, text}. */
export const commands = new Map();

async function send(path, body, about) {
  const { call } = await post(path, { as: store.world.me, ...body });
  const early = calls.get(call)?.info; // the stream may be faster than this answer
  calls.set(call, { ...about, mine: true });
  if (calls.size > 500) calls.delete(calls.keys().next().value);
  if (early) settle(early);
  return call;
}

/** Presses a button. */
export async function press(snap, component) {
  await use("click", { message: snap.id, custom_id: component.custom_id });
}

/** Chooses in a select. */
export async function select(snap, component, values) {
  await use("select", { message: snap.id, custom_id: component.custom_id, values });
}

async function use(path, body) {
  if (pending.has(body.message)) return; // one at a time, as in Discord's clients
  pending.set(body.message, body.custom_id);
  failures.delete(body.message);
  store.emit("pending", body.message);
  try {
    await send(path, body, { message: body.message });
  } catch (err) {
    pending.delete(body.message);
    store.emit("pending", body.message);
    toast({ title: "Not sent", text: err.message });
  }
}

/** Sends a slash command; the promise fails with what is wrong with it. */
export function sendCommand(path, options) {
  return send("command", { channel: store.current.id, path, options }, { command: "/" + path });
}

/** Picks an entry of a context menu on a person or a message. */
export async function sendContext(name, target) {
  try {
    await send("context", { channel: store.current.id, name, ...target }, { command: name });
  } catch (err) {
    toast({ title: name, text: err.message });
  }
}

/** Asks for suggestions. Null means that loading them failed. */
export async function suggestions(path, options, focused) {
  const call = await send("autocomplete", { channel: store.current.id, path, options, focused }, {});
  const info = await settled(call);
  return info.state === "answered" ? info.choices ?? [] : null;
}

/** Sends a filled-in modal and reports whether it was taken. */
export async function sendModal(call, values) {
  const id = await send("modal", { call, values }, {});
  return settled(id);
}

function settled(id) {
  return new Promise((resolve) => {
    const entry = calls.get(id);
    if (entry.info && entry.info.state !== "pending") resolve(entry.info);
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
  if (waiting) commands.set(info.id, { name: info.name, channel: info.channel_id, state: info.state, text: info.failed, at: info.sent });
  else commands.delete(info.id);
  if (info.state === "failed") alert(info.failed);
  store.emit("commands-sent", info);
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
  store.emit("commands-sent", {});
}

store.on("call", settle);
store.on("restart", () => {
  for (const map of [calls, pending, failures, commands]) map.clear();
});
store.on("link", (open) => {
  // What was waited for may have been answered while nobody listened.
  if (!open) {
    const waiting = [...pending.keys()];
    pending.clear();
    for (const id of waiting) store.emit("pending", id);
    for (const [id, c] of commands) if (c.state === "pending") commands.delete(id);
  }
});
