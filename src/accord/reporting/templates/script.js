"use strict";
(() => {
  const status = document.getElementById("status");
  const say = (text) => { status.textContent = text; };

  document.getElementById("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : window.matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    say(dark ? "Light theme" : "Dark theme");
  });

  const copied = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };
  for (const button of document.querySelectorAll(".copies")) {
    button.addEventListener("click", async () => {
      await copied(button.parentElement.querySelector("blockquote").textContent);
      button.textContent = "Copied";
      say("Copied");
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
  }

  const key = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.sort === undefined ? cell.textContent : Number(cell.dataset.sort);
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      head.querySelector("button").addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const rows = [...table.tBodies[0].rows];
        rows.sort((a, b) => {
          const one = key(a, column), other = key(b, column);
          if (Number.isNaN(one)) return 1;
          if (Number.isNaN(other)) return -1;
          const order = typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other));
          return up ? order : -order;
        });
        table.tBodies[0].append(...rows);
      });
    });
  }

  for (const search of document.querySelectorAll("input.search")) {
    const body = document.querySelector(`#${search.dataset.for} tbody`);
    search.addEventListener("input", () => {
      const wanted = search.value.toLowerCase();
      let shown = 0;
      for (const row of body.rows) {
        row.hidden = !row.textContent.toLowerCase().includes(wanted);
        if (!row.hidden) shown += 1;
      }
      say(`${shown} items`);
    });
  }
})();
