// The theme, keys, copying and the help dialog. Pages are complete without this file; elements opt in by attributes.
(() => {
  "use strict";
  const root = document.documentElement;
  const STORED = "heams-theme";
  const THEMES = ["auto", "light", "dark"];
  const SEQUENCE_MS = 1200;

  // Theme: set before the first paint, because this file is loaded in the head.
  const storedTheme = () => {
    try { return localStorage.getItem(STORED) || "auto"; } catch { return "auto"; }
  };
  const applyTheme = (theme) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
  };
  applyTheme(storedTheme());
  root.dataset.js = "";

  const nextTheme = () => {
    const theme = THEMES[(THEMES.indexOf(storedTheme()) + 1) % THEMES.length];
    try { localStorage.setItem(STORED, theme); } catch { /* private windows may refuse: the theme then lasts for the page */ }
    applyTheme(theme);
    say(theme === "auto" ? "Theme: as the system" : `Theme: ${theme}`);
  };

  // Words for everybody: shown for a moment, and read by screen readers.
  let hiding;
  const say = (words) => {
    const toast = document.getElementById("toast");
    if (!toast) return;
    toast.textContent = words;
    toast.classList.add("shown");
    clearTimeout(hiding);
    hiding = setTimeout(() => toast.classList.remove("shown"), 1800);
  };

  const copy = async (element) => {
    const text = element.dataset.copy === "" ? location.href : new URL(element.dataset.copy, location.href).href;
    await write(text, "Link copied");
  };
  const copyText = async (element) => {
    const source = document.getElementById(element.dataset.copyText);
    if (source) await write(source.textContent, "Copied");
  };
  const write = async (text, done) => {
    try {
      await navigator.clipboard.writeText(text);
      say(done);
    } catch {
      say(`Copy it by hand: ${text}`);
    }
  };

  document.addEventListener("click", (event) => {
    const element = event.target.closest("[data-copy], [data-copy-text], [data-theme-switch], [data-dialog], [data-close]");
    if (!element) return;
    if ("copy" in element.dataset) { event.preventDefault(); copy(element); }
    else if ("copyText" in element.dataset) { event.preventDefault(); copyText(element); }
    else if ("themeSwitch" in element.dataset) nextTheme();
    else if ("close" in element.dataset) element.closest("dialog")?.close();
    else {
      const dialog = document.getElementById(element.dataset.dialog);
      if (!dialog?.showModal) return; // the link leads to a page of its own
      event.preventDefault();
      if (!dialog.open) dialog.showModal();
    }
  });

  // A change of a field sends its form at once where the form asks for that.
  document.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-auto]");
    if (form && event.target.closest("[data-auto-field], select, [type=checkbox], [type=radio]")) form.requestSubmit();
  });

  // Keys: [data-key="x"] is clicked, or focused where it is a field. "g r" is g, then r.
  const typing = (element) => element?.closest?.("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]");
  const shown = (element) => element.getClientRects().length > 0;
  const find = (key) => {
    const scope = document.querySelector("dialog[open]") || document;
    return [...scope.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)].find(shown);
  };
  const begins = (key) => document.querySelector(`[data-key^="${CSS.escape(key)} "]`);

  const use = (element) => {
    element.classList.remove("pulse");
    void element.offsetWidth; // the animation starts anew
    element.classList.add("pulse");
    if (typing(element)) { element.focus(); element.select?.(); }
    else element.click();
  };

  // Rows of a list: j and k move between the elements with data-row, J and K between those that also have data-failed.
  const moveRow = (step, onlyFailed) => {
    const rows = [...document.querySelectorAll(onlyFailed ? "[data-row][data-failed]" : "[data-row]")].filter(shown);
    if (!rows.length) return false;
    const all = [...document.querySelectorAll("[data-row]")];
    const here = all.indexOf(document.activeElement?.closest("tr, li, article")?.querySelector("[data-row]"));
    const target = step > 0
      ? rows.find((row) => all.indexOf(row) > here)
      : rows.findLast((row) => all.indexOf(row) < here);
    if (target) { target.focus(); target.scrollIntoView({ block: "nearest" }); }
    return true;
  };
  const ROW_STEPS = { j: [1, false], k: [-1, false], J: [1, true], K: [-1, true] };

  let pending = "";
  let forgetting;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return;
    const open = document.querySelector("dialog[open]");
    if (typing(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (open && event.key === "Escape") return; // the browser closes it
    const key = pending ? `${pending} ${event.key}` : event.key;
    pending = "";
    clearTimeout(forgetting);
    const element = find(key);
    if (element) {
      event.preventDefault();
      use(element);
    } else if (!open && key in ROW_STEPS) {
      if (moveRow(...ROW_STEPS[key])) event.preventDefault();
    } else if (!open && begins(key)) {
      pending = key;
      forgetting = setTimeout(() => { pending = ""; }, SEQUENCE_MS);
    }
  });
})();
