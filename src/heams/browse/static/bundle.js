// The one-file export. Without this file all pages are in the document and anchors choose one; with it a page becomes
// part of the document when it is opened, so that large files stay light, and tables can be filtered.
(() => {
  "use strict";
  const TABLE_WORTH_FILTERING = 12;
  const nameIn = (hash) => decodeURIComponent(hash.slice(1)).split("-")[0];

  // A page waits as the text of a <noscript>: a browser with scripts does not parse that.
  const open = (hash) => {
    const holder = document.getElementById(`of-${nameIn(hash)}`);
    if (!holder) return false;
    const page = new DOMParser().parseFromString(holder.textContent, "text/html").body.firstElementChild;
    holder.replaceWith(document.adoptNode(page));
    page.querySelectorAll("table").forEach(filterable);
    return true;
  };

  const filterable = (table) => {
    const rows = [...table.querySelectorAll("tbody > tr:not(.group)")];
    if (rows.length < TABLE_WORTH_FILTERING) return;
    const field = document.createElement("input");
    field.type = "search";
    field.className = "rows-filter no-print";
    field.placeholder = "Filter rows";
    field.setAttribute("aria-label", `Filter rows: ${table.caption?.textContent || "table"}`);
    field.dataset.key = "/";
    const left = document.createElement("span");
    left.className = "rows-left small muted";
    left.setAttribute("role", "status");
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of rows) row.hidden = !words.every((word) => textOf(row).includes(word));
      for (const body of table.tBodies) {
        const group = body.querySelector("tr.group");
        if (group) group.hidden = ![...body.rows].some((row) => row !== group && !row.hidden);
      }
      left.textContent = words.length ? `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows` : "";
    });
    (table.closest(".table") || table).before(field, left);
  };
  const texts = new WeakMap();
  const textOf = (row) => {
    const group = row.parentElement.querySelector("tr.group");
    if (!texts.has(row)) texts.set(row, `${group?.textContent || ""} ${row.textContent}`.toLowerCase());
    return texts.get(row);
  };

  const arrived = () => {
    const page = document.getElementById(nameIn(location.hash) || "s0") || document.getElementById("s0");
    if (!page) return;
    document.title = page.getAttribute("aria-label") || document.title;
    for (const link of document.querySelectorAll(".topbar nav a")) {
      if (link.hash === `#${page.id}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    const tabs = [...page.querySelectorAll(".tabs a[href]")];
    const shown = tabs.find((tab) => tab.hash === location.hash);
    if (shown) for (const tab of tabs) {
      if (tab === shown) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
    if (location.hash === `#${page.id}`) page.focus({ preventScroll: true });
  };

  // Before the browser looks for the anchor, so that it finds it.
  document.addEventListener("click", (event) => {
    const href = event.target.closest?.("a")?.getAttribute("href");
    if (href?.startsWith("#")) open(href);
  }, true);
  const arrive = () => {
    if (open(location.hash)) location.replace(location.hash); // the anchor is there now
    arrived();
  };
  addEventListener("hashchange", arrive);
  addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll(".page table").forEach(filterable);
    arrive();
  });
})();
