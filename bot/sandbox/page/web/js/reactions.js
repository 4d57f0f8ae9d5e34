// Reactions below a message, and choosing one.

import { h, icon, newId } from "./dom.js";
import { MAY, act, may } from "./channels.js";
import { showDialog } from "./dialog.js";
import { enableSteps } from "./roving.js";
import { store } from "./store.js";
import { failed } from "./toasts.js";
import { count } from "./words.js";

const COMMON = ["👍", "👎", "❤️", "😂", "🎉", "😮", "😢", "🔥", "✅", "❌", "👀", "🙏"];

const react = (snap, emoji, remove) => act("react", { message: snap.id, emoji, remove });

/** An emoji of the app's own is written name:id, and shown by its name. */
const shown = (emoji) => (emoji.includes(":") ? `:${emoji.split(":")[0]}:` : emoji);

export const mayReact = (snap) => !snap.viewer_id && may(store.channels.get(snap.channel_id) ?? store.current, MAY.react);

/** The row of reactions, one stop of the Tab key; null without any. */
export function drawReactions(snap) {
  if (!snap.reactions?.length) return null;
  const chips = snap.reactions.map((r, i) => {
    const mine = r.users.includes(store.world.me);
    const names = r.users.map((id) => store.nameOf(id));
    return h("button", {
      type: "button", class: "reaction", "aria-pressed": String(mine), tabindex: i ? "-1" : "0", title: names.join(", "),
      "aria-label": `${shown(r.emoji)}, ${count(r.users.length, "reaction")}: ${names.join(", ")}`,
      onclick: async () => {
        try {
          await react(snap, r.emoji, mine);
        } catch (err) {
          failed("Reaction", err);
        }
      },
    }, h("span", { class: "reaction-emoji", text: shown(r.emoji) }), h("span", { text: String(r.users.length) }));
  });
  const add = mayReact(snap) && h("button", { type: "button", class: "reaction reaction-add", tabindex: "-1", "aria-label": "Add a reaction", title: "Add a reaction", onclick: (e) => chooseReaction(e.currentTarget, snap) }, icon("smile", 18));
  const row = h("div", { class: "reactions", role: "group", "aria-label": "Reactions" }, chips, add);
  enableSteps(row, () => [...row.children], { ArrowRight: 1, ArrowLeft: -1 }, { rove: true });
  return row;
}

/** Lets somebody choose an emoji from a few, or type one, and reacts with it. */
export function chooseReaction(anchor, snap, point) {
  const id = newId("emoji"), heading = newId("emoji");
  const error = h("p", { class: "field-error", id: `${id}-error`, role: "alert" });
  const send = async (emoji) => {
    try {
      await react(snap, emoji, false);
      dialog.close();
    } catch (err) {
      error.textContent = err.code === "bad_option" ? "That is no emoji that Discord knows." : err.message;
    }
  };
  const input = h("input", { type: "text", id, maxlength: 64, autocomplete: "off", "aria-describedby": `${id}-error`, placeholder: "Any other" });
  const grid = h("div", { class: "emoji-grid", role: "group", "aria-labelledby": heading }, COMMON.map((emoji, i) => h("button", { type: "button", class: "emoji", tabindex: i ? "-1" : "0", text: emoji, onclick: () => send(emoji) })));
  enableSteps(grid, () => [...grid.children], { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 6, ArrowUp: -6 }, { rove: true });
  const dialog = h("dialog", { class: "picker emoji-picker", "aria-labelledby": heading },
    h("h2", { class: "menu-title", id: heading, text: "React with" }), grid,
    h("form", { class: "emoji-form", onsubmit: (e) => { e.preventDefault(); if (input.value.trim()) send(input.value.trim()); } },
      h("label", { class: "spoken", for: id, text: "Another emoji" }), input, h("button", { type: "submit", class: "button button-primary", text: "React" })), error);
  showDialog(dialog, { beside: point ?? anchor });
  grid.firstElementChild.focus();
}
