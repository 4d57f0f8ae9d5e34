// The fields of a form. Each is {id, label, el, box, values, check}: el takes the
// focus, box is all that is shown, values() is what was filled in as a list, and
// check() shows and returns what is wrong with it, "" for nothing.

import { h, icon, newId } from "./dom.js";
import { openPicker } from "./picker.js";
import { selectItems } from "./components.js";

const makers = {
  3: (c, frame) => (c.max_values > 1 ? pickField(c, frame) : listField(c, frame)),
  4: textInput,
  5: pickField, 6: pickField, 7: pickField, 8: pickField,
  19: fileField,
  21: (c, frame) => choiceField(c, frame, "radio"),
  22: (c, frame) => choiceField(c, frame, "checkbox"),
  23: tickField,
};

/** The field for a component of a modal, or null for one that this page does not know. */
export function fieldOf(c, label, hint) {
  const make = makers[c.type];
  return make ? make(c, { label, hint, required: c.required !== false && c.type !== 23 && c.min_values !== 0 }) : null;
}

/** A field for text: {custom_id, value, placeholder, required, style, min_length, max_length}. */
export const textField = (c, label) => fieldOf({ ...c, type: 4 }, label);

/** Puts a field together. group says that el is a group, which a label cannot name. */
function field(c, { label, hint, required }, { el, values, wrong, group }) {
  const id = newId("input");
  const error = h("span", { class: "field-error", id: `${id}-error` });
  const name = h(group ? "span" : "label", { id: `${id}-label`, class: "field-label", ...(!group && { for: id }) }, label, required && h("span", { class: "required", "aria-hidden": "true", text: " *" }));
  el.id = id;
  el.setAttribute("aria-describedby", `${id}-hint ${id}-error`);
  if (group) el.setAttribute("aria-labelledby", `${id}-label`);
  const check = () => {
    const text = values().length === 0 ? (required ? "This field is required." : "") : wrong?.() ?? "";
    error.textContent = text;
    if (text) el.setAttribute("aria-invalid", "true");
    else el.removeAttribute("aria-invalid");
    return text;
  };
  const box = h("div", { class: "field" }, name, h("span", { class: "muted field-hint", id: `${id}-hint`, text: hint ?? "" }), el, error);
  return { id: c.custom_id, label, el, box, values, check };
}

/** What is wrong with so many choices. */
function wrongCount(c, count) {
  const low = c.min_values ?? 1, high = c.max_values ?? 1;
  if (count < low) return `Choose at least ${low}.`;
  return count > high ? `Choose at most ${high}.` : "";
}

function textInput(c, frame) {
  const props = { placeholder: c.placeholder, maxlength: c.max_length ?? 4000, "aria-required": frame.required ? "true" : undefined };
  const el = c.style === 2 ? h("textarea", { ...props, rows: "4" }) : h("input", { ...props, type: "text" });
  el.value = c.value ?? "";
  return field(c, frame, {
    el, values: () => (el.value ? [el.value] : []),
    wrong: () => ([...el.value].length < (c.min_length ?? 0) ? `At least ${c.min_length} characters.` : ""),
  });
}

/** One of a list. Nothing is chosen unless the app says so, as in Discord. */
function listField(c, frame) {
  const el = h("select", { "aria-required": frame.required ? "true" : undefined },
    h("option", { value: "", text: c.placeholder || "Make a selection" }),
    c.options.map((o) => h("option", { value: o.value, selected: o.default, text: o.label })));
  // An option's value may be anything, but not the empty string.
  return field(c, frame, { el, values: () => (el.value ? [el.value] : []) });
}

/** People, channels, or several of a list: chosen in a dialog of their own. */
function pickField(c, frame) {
  const items = selectItems(c);
  let chosen = c.type === 3 ? c.options.filter((o) => o.default).map((o) => o.value) : (c.default_values ?? []).map((d) => d.id);
  const shown = h("span", {});
  const placeholder = c.placeholder || (c.type === 3 ? "Make a selection" : "Select");
  const show = () => {
    shown.className = chosen.length ? "select-value" : "select-placeholder";
    shown.textContent = chosen.map((v) => items.find((i) => i.value === v)?.label ?? v).join(", ") || placeholder;
  };
  show();
  const button = h("button", { type: "button", class: "select", "aria-haspopup": "listbox", "aria-expanded": "false", onclick: async () => {
    const min = frame.required ? c.min_values ?? 1 : 0;
    const values = await openPicker(button, { label: frame.label, items, min, max: c.max_values ?? 1, chosen });
    if (!values) return;
    chosen = values;
    show();
    made.check();
  } }, shown, icon("chevron", 18));
  const made = field(c, frame, { el: button, values: () => chosen, wrong: () => wrongCount(c, chosen.length) });
  button.setAttribute("aria-labelledby", `${button.id}-label ${shown.id = button.id + "-value"}`);
  return made;
}

/** Radio buttons or checkboxes that belong together. */
function choiceField(c, frame, type) {
  const name = newId("choice");
  const inputs = c.options.map((o) => h("input", { type, name, value: o.value, checked: o.default }));
  const el = h("div", { class: "choices", role: type === "radio" ? "radiogroup" : "group", "aria-required": type === "radio" && frame.required ? "true" : undefined },
    c.options.map((o, i) => h("label", { class: "choice" }, inputs[i], h("span", {}, o.label, o.description && h("span", { class: "muted", text: o.description })))));
  el.focus = () => (inputs.find((i) => i.checked) ?? inputs[0]).focus();
  const values = () => inputs.filter((i) => i.checked).map((i) => i.value);
  const limits = { min_values: c.min_values ?? 1, max_values: c.max_values ?? c.options.length };
  return field(c, frame, { el, values, group: true, wrong: () => (type === "radio" ? "" : wrongCount(limits, values().length)) });
}

/** A checkbox by itself, which is an answer either way. */
function tickField(c, frame) {
  const el = h("input", { type: "checkbox", class: "tick", checked: c.default });
  return field(c, frame, { el, values: () => [String(el.checked)] });
}

/** Files, whose values are their names; files() are they themselves. */
function fileField(c, frame) {
  const el = h("input", { type: "file", multiple: c.max_values > 1 });
  const values = () => [...el.files].map((f) => f.name);
  return { ...field(c, frame, { el, values, wrong: () => wrongCount(c, values().length) }), files: () => [...el.files] };
}
