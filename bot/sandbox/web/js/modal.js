// Forms in a dialog: the modals of the app, and the page's own.

import { $, h, icon, newId } from "./dom.js";
import { draw } from "./markdown.js";
import { sendModal } from "./actions.js";
import { store } from "./store.js";

/**
 * Shows a form. inputs: {id, label, hint, value, placeholder, required, long, min,
 * max, options}. submit(values) sends it; what it throws is shown, and the form
 * stays open with everything that was typed.
 */
export function openForm({ title, inputs, intro, submit, submitLabel = "Submit" }) {
  return new Promise((resolve) => {
    const back = document.activeElement;
    const heading = newId("form");
    const error = h("p", { class: "form-error", role: "alert" });
    const fields = inputs.map((input) => field(input));
    const send = h("button", { type: "submit", class: "button button-primary", text: submitLabel });
    const form = h("form", { novalidate: true, onsubmit: async (e) => {
      e.preventDefault();
      error.textContent = "";
      const wrong = fields.filter((f) => !f.check());
      if (wrong.length) {
        wrong[0].el.focus();
        return;
      }
      send.setAttribute("aria-disabled", "true");
      try {
        await submit(Object.fromEntries(fields.map((f) => [f.input.id, f.el.value])));
        dialog.close();
      } catch (err) {
        error.textContent = err.message;
      } finally {
        send.removeAttribute("aria-disabled");
      }
    } }, intro ?? "", fields.map((f) => f.box), error,
      h("div", { class: "form-foot" }, h("button", { type: "button", class: "button button-secondary", text: "Cancel", onclick: () => dialog.close() }), send));
    const dialog = h("dialog", { class: "form", "aria-labelledby": heading },
      h("div", { class: "form-head" }, h("h2", { id: heading, text: title }),
        h("button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => dialog.close() }, icon("close"))),
      form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (back?.isConnected) back.focus({ preventScroll: true });
      resolve();
    });
    $("layer").append(dialog);
    dialog.showModal();
    (fields[0]?.el ?? send).focus();
  });
}

function field(input) {
  const id = newId("input");
  const error = h("span", { class: "field-error", id: id + "-error" });
  const props = { id, "aria-describedby": `${id}-hint ${id}-error`, "aria-required": input.required ? "true" : undefined, placeholder: input.placeholder, maxlength: input.max };
  let el;
  if (input.options) {
    el = h("select", { id, "aria-describedby": `${id}-hint ${id}-error` }, input.options.map((o) => h("option", { value: o.value, selected: o.default, text: o.label })));
  } else if (input.long) {
    el = h("textarea", { ...props, rows: "4" });
  } else {
    el = h("input", { ...props, type: "text" });
  }
  if (input.value) el.value = input.value;
  const check = () => {
    const length = [...el.value].length;
    const text = input.required && length === 0 ? "This field is required."
      : length > 0 && length < (input.min ?? 0) ? `At least ${input.min} characters.` : "";
    error.textContent = text;
    if (text) el.setAttribute("aria-invalid", "true");
    else el.removeAttribute("aria-invalid");
    return !text;
  };
  const box = h("div", { class: "field" },
    h("label", { for: id }, input.label, input.required && h("span", { class: "required", "aria-hidden": "true", text: " *" })),
    h("span", { class: "muted field-hint", id: id + "-hint", text: input.hint ?? "" }), el, error);
  return { input, el, box, check };
}

/** The inputs of a modal as the app sent it: in labels, or in rows as they used to be. */
function inputsOf(components) {
  const out = [];
  for (const c of components) {
    const inner = c.type === 18 ? c.component : c.type === 1 ? c.components?.[0] : null;
    if (!inner || (inner.type !== 4 && inner.type !== 3)) continue;
    out.push({
      id: inner.custom_id, label: c.label ?? inner.label ?? "", hint: c.description, value: inner.value,
      placeholder: inner.placeholder, required: inner.required !== false, long: inner.style === 2,
      min: inner.min_length, max: inner.max_length ?? 4000, options: inner.type === 3 ? inner.options : undefined,
    });
  }
  return out;
}

export function startModals() {
  store.on("modal", (info) => {
    const texts = info.modal.components.filter((c) => c.type === 10);
    openForm({
      title: info.modal.title,
      intro: texts.length ? h("div", {}, texts.map((c) => draw(c.content, { actions: {} }))) : undefined,
      inputs: inputsOf(info.modal.components),
      submit: async (values) => {
        const answer = await sendModal(info.id, values);
        if (answer.state !== "answered") throw new Error(answer.failed || "Something went wrong. Try again.");
      },
    });
  });
  store.on("restart", () => { for (const d of document.querySelectorAll("dialog")) d.close(); });
}
