// Forms in a dialog: the modals of the app, and the page's own.

import { h } from "./dom.js";
import { showDialog, titledDialog } from "./dialog.js";
import { draw } from "./markdown.js";
import { alert } from "./announce.js";
import { fieldOf, textField } from "./fields.js";
import { sendModal } from "./actions.js";
import { store } from "./store.js";
import { encode } from "./uploads.js";

/**
 * Shows a form of parts, from top to bottom: elements, or fields (see fields.js).
 * submit(values, files) sends it, values being lists by the fields' ids; what it throws is
 * shown, and the form stays open with everything that was filled in.
 */
export function openForm({ title, parts, submit, submitLabel = "Submit" }) {
  const error = h("p", { class: "form-error", role: "alert" });
  const fields = parts.filter((part) => part.box);
  const send = h("button", { type: "submit", class: "button button-primary", text: submitLabel });
  let sending = false;
  const form = h("form", { novalidate: true, onsubmit: async (e) => {
    e.preventDefault();
    if (sending) return;
    error.textContent = "";
    const wrong = fields.map((f) => ({ f, text: f.check() })).filter(({ text }) => text);
    if (wrong.length) {
      wrong[0].f.el.focus();
      alert(`${wrong[0].f.label}: ${wrong[0].text}`);
      return;
    }
    sending = true;
    send.setAttribute("aria-disabled", "true");
    try {
      await submit(Object.fromEntries(fields.map((f) => [f.id, f.values()])), fields.flatMap((f) => f.files?.() ?? []));
      dialog.close();
    } catch (err) {
      error.textContent = err.message;
    } finally {
      sending = false;
      send.removeAttribute("aria-disabled");
    }
  } }, parts.map((part) => part.box ?? part), error,
    h("div", { class: "form-foot" }, h("button", { type: "button", class: "button button-secondary", text: "Cancel", onclick: () => dialog.close() }), send));
  const dialog = titledDialog("form", title, form);
  showDialog(dialog, { kept: true });
  (fields.find((f) => f.el.checkVisibility())?.el ?? form.querySelector("summary, input, select, textarea") ?? send).focus();
}

const ROW = 1, TEXT_INPUT = 4, TEXT = 10, LABEL = 18;

/** What the app's modal shows for one of its components. */
function partsOf(c) {
  if (c.type === TEXT) return [h("div", { class: "field" }, draw(c.content, { actions: {} }))];
  if (c.type === LABEL) return [fieldOf(c.component, c.label, c.description) ?? unknown(c.component, c.label)];
  // Inputs used to stand in rows, and to bring their own label.
  if (c.type === ROW) return c.components.map((inner) => (inner.type === TEXT_INPUT ? textField(inner, inner.label) : unknown(inner)));
  return [unknown(c)];
}

function unknown(c, label) {
  return h("div", { class: "field" }, label && h("p", { text: label }), h("p", { class: "unsupported", text: `Component of type ${c.type}` }));
}

export function startModals() {
  store.on("modal", (info) => {
    openForm({
      title: info.modal.title,
      parts: info.modal.components.flatMap(partsOf),
      submit: async (values, files) => {
        const answer = await sendModal(info.id, values, await Promise.all(files.map(encode)));
        if (answer.state !== "answered") throw new Error(answer.failed || "Something went wrong. Try again.");
      },
    });
  });
  // Whatever is open belongs to a person and a server that are no longer here.
  const closeAll = () => { for (const d of document.querySelectorAll("dialog")) d.close(); };
  store.on("restart", closeAll);
  store.on("person", closeAll);
}
