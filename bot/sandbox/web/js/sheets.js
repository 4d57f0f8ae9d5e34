// On narrow pages the channels, the people and the developer's drawer are sheets
// that lie over the messages, one at a time.

import { $ } from "./dom.js";

const SHEETS = ["channels", "people", "drawer"];
let opener = null;

/** Whether that part of the page is a sheet at the page's present width. */
export function isSheet(id) {
  return getComputedStyle($(id)).getPropertyValue("--sheet").trim() === "1";
}

export function openSheet(id) {
  opener = document.activeElement;
  for (const other of SHEETS) $(other).classList.toggle("sheet-open", other === id);
  $("scrim").hidden = false;
  const first = $(id).querySelector('button, select, input, [tabindex="0"]');
  first?.focus();
}

export function closeSheets() {
  if ($("scrim").hidden) return;
  for (const id of SHEETS) $(id).classList.remove("sheet-open");
  $("scrim").hidden = true;
  if (opener?.isConnected) opener.focus();
  opener = null;
}

export function startSheets() {
  $("scrim").addEventListener("click", closeSheets);
  document.addEventListener("keydown", (e) => {
    if (e.key === "Escape" && !e.defaultPrevented && !document.querySelector("dialog[open]")) closeSheets();
  });
}
