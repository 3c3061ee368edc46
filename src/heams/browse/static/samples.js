// Completion of the filter of samples: the server offers, this file moves among the offers and writes the chosen one.
(() => {
  "use strict";
  const box = () => document.getElementById("q");
  const list = () => document.getElementById("completions");
  const options = () => [...(list()?.querySelectorAll("[role=option]") || [])];
  const active = () => list()?.querySelector("[aria-selected=true]");

  const show = (shown) => {
    if (!list()) return;
    list().hidden = !shown;
    box().setAttribute("aria-expanded", String(shown));
    if (!shown) mark(null);
  };
  const mark = (option) => {
    for (const one of options()) one.setAttribute("aria-selected", String(one === option));
    if (option) { box().setAttribute("aria-activedescendant", option.id); option.scrollIntoView({ block: "nearest" }); }
    else box()?.removeAttribute("aria-activedescendant");
  };
  const ask = () => window.htmx?.trigger(box(), "complete");
  // What was written when the options were asked for: they fit nothing else.
  let askedFor = null;
  const fits = () => list()?.dataset.of === box()?.value;

  // The server counts characters, a field counts halves of some.
  const cursor = (field) => [...field.value.slice(0, field.selectionStart ?? field.value.length)].length;
  const write = (option) => {
    const field = box();
    const characters = [...field.value];
    const { text, start, end, kind } = option.dataset;
    const rest = characters.slice(Number(end)).join("");
    const head = characters.slice(0, Number(start)).join("") + text + (kind === "value" && !rest ? " " : "");
    field.value = head + rest;
    field.setSelectionRange(head.length, head.length);
    field.focus();
    show(false);
    ask();
  };

  document.addEventListener("htmx:configRequest", (event) => {
    if (event.target !== box() || !event.detail.path.endsWith("/complete")) return;
    event.detail.parameters.cursor = cursor(box());
    askedFor = box().value;
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "completions") return;
    event.target.dataset.of = askedFor;
    show(options().length > 0 && document.activeElement === box());
  });
  document.addEventListener("input", (event) => { if (event.target === box()) mark(null); });
  document.addEventListener("focusin", (event) => { if (event.target === box() && box()) ask(); });
  document.addEventListener("focusout", (event) => { if (event.target === box()) show(false); });
  document.addEventListener("submit", () => show(false), true);
  document.addEventListener("mousedown", (event) => {
    const option = event.target.closest("#completions [role=option]");
    if (!option) return;
    event.preventDefault(); // the box keeps the focus
    if (fits()) write(option);
  });

  const steps = { ArrowDown: 1, ArrowUp: -1 };
  document.addEventListener("keydown", (event) => {
    if (event.target !== box() || !box() || event.isComposing) return;
    const open = list() && !list().hidden && fits();
    if (event.key in steps) {
      event.preventDefault();
      if (!open) return ask();
      const all = options();
      const place = all.indexOf(active()) + steps[event.key];
      mark(all[place === -2 ? all.length - 1 : place] || null);
    } else if (open && event.key === "Escape") {
      event.preventDefault();
      show(false);
    } else if (open && active() && (event.key === "Enter" || event.key === "Tab")) {
      event.preventDefault();
      write(active());
    }
  }, true);

  // One menu at a time, closed by a click elsewhere or by Escape.
  const close = (except) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) if (menu !== except) menu.open = false;
  };
  document.addEventListener("click", (event) => close(event.target.closest("details.menu")));
  document.addEventListener("keydown", (event) => {
    const menu = document.querySelector("details.menu[open]");
    if (event.key !== "Escape" || !menu) return;
    event.preventDefault();
    menu.open = false;
    menu.querySelector("summary").focus();
  }, true);
})();
