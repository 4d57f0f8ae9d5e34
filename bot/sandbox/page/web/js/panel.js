// A dialog that shows things of the page's own, drawn anew when the world changes.

import { fill, h } from "./dom.js";
import { showDialog, titledDialog } from "./dialog.js";
import { store } from "./store.js";

/**
 * Opens a dialog. draw() returns what is in it, as a list; elements with data-key
 * keep the focus over a redraw. foot() returns the buttons below, if any.
 */
export function openPanel({ title, draw, foot = () => [] }) {
  const body = h("div", { class: "panel-body" }), feet = h("div", { class: "panel-foot" });
  const dialog = titledDialog("form panel", title, body, feet);
  const redraw = () => {
    const active = dialog.contains(document.activeElement) ? document.activeElement : null;
    const key = active?.dataset.key;
    fill(body, ...draw());
    fill(feet, ...foot());
    feet.hidden = !feet.children.length;
    if (active && !active.isConnected) (dialog.querySelector(`[data-key="${CSS.escape(key ?? "")}"]`) ?? dialog.querySelector("[data-key]") ?? dialog.querySelector("button")).focus();
  };
  dialog.addEventListener("close", store.on("world", redraw));
  redraw();
  showDialog(dialog);
  (dialog.querySelector("[data-key]") ?? dialog.querySelector("button")).focus();
  return { redraw, close: () => dialog.close() };
}

/** A row of a panel that can be pressed. */
export function panelRow(key, { mark, title, hint, press, ...props }) {
  return h("button", { type: "button", class: "panel-row", data: { key }, onclick: press, ...props },
    mark, h("span", { class: "panel-row-text" }, h("span", { class: "panel-row-title", text: title }), hint && h("span", { class: "muted", text: hint })));
}
