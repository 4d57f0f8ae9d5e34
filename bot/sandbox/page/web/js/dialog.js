// Dialogs: what lies over the page takes the focus, and gives it back when it goes.

import { $, h, icon, newId } from "./dom.js";

/** A dialog with a title and a button that closes it. */
export function titledDialog(className, title, ...children) {
  const heading = newId("dialog");
  const dialog = h("dialog", { class: className, "aria-labelledby": heading },
    h("div", { class: "form-head" }, h("h2", { id: heading, text: title }),
      h("button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => dialog.close() }, icon("close"))),
    ...children);
  return dialog;
}

/**
 * Shows a dialog until it is closed, beside the element or point beside if that is given. A press
 * outside closes it, unless kept says that it holds what somebody has written.
 */
export function showDialog(dialog, { beside, kept = false, back = document.activeElement } = {}) {
  if (!kept) dialog.addEventListener("click", (e) => { if (e.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (back?.isConnected) back.focus({ preventScroll: true });
  });
  $("layer").append(dialog);
  if (beside) place(dialog, beside);
  dialog.showModal();
}

/** Puts a dialog below its anchor, or above where there is more room. */
function place(dialog, anchor) {
  const r = anchor.getBoundingClientRect();
  const below = innerHeight - r.bottom;
  const up = below < 260 && r.top > below;
  dialog.style.setProperty("--left", `${Math.max(8, Math.min(r.left, innerWidth - 328))}px`);
  dialog.style.setProperty("--top", up ? "auto" : `${r.bottom + 6}px`);
  dialog.style.setProperty("--bottom", up ? `${innerHeight - r.top + 6}px` : "auto");
  dialog.style.setProperty("--room", `${(up ? r.top : below) - 20}px`);
}
