"use strict";
(() => {
  const status = document.getElementById("status");
  const say = (text) => { status.textContent = text; };

  // -- copying

  const copied = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };
  for (const button of document.querySelectorAll(".copies")) {
    button.addEventListener("click", async () => {
      const done = await copied(button.parentElement.querySelector("blockquote").textContent);
      button.textContent = done ? "Copied" : "Select the text and copy it";
      say(button.textContent);
      button.focus();
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
  }

  // -- sorting: numbers as numbers, rows without a value last

  const order = new Intl.Collator(undefined, { numeric: true });
  const key = (row, column) => {
    const cell = row.cells[column];
    if (cell.dataset.sort === undefined) return cell.textContent;
    return cell.dataset.sort === "" ? NaN : Number(cell.dataset.sort);
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
          if (Number.isNaN(one) || Number.isNaN(other)) return Number.isNaN(one) - Number.isNaN(other);
          const apart = typeof one === "number" && typeof other === "number" ? one - other : order.compare(one, other);
          return up ? apart : -apart;
        });
        table.tBodies[0].append(...rows);
        say(`Sorted by ${head.textContent}, ${up ? "ascending" : "descending"}`);
      });
    });
  }

  // -- searching

  for (const search of document.querySelectorAll("input.search")) {
    const body = document.querySelector(`#${search.dataset.for} tbody`);
    const count = document.querySelector(`[data-count="${search.dataset.for}"]`);
    search.addEventListener("input", () => {
      const wanted = search.value.trim().toLowerCase();
      let shown = 0;
      for (const row of body.rows) {
        row.hidden = !row.textContent.toLowerCase().includes(wanted);
        if (!row.hidden) shown += 1;
      }
      count.textContent = wanted ? `${shown} of ${body.rows.length}` : "";
      say(`${shown} items`);
    });
  }

  // -- saving a chart, in the colours of print

  const COLOURS = { "--ink": "#1c2430", "--rule": "#c9d1da", "--accent": "#0b5cad", "--soft": "#9ec5ee", "--paper": "#ffffff" };
  const drawing = (figure) => {
    let text = new XMLSerializer().serializeToString(figure.querySelector(".wide svg"));
    for (const [name, colour] of Object.entries(COLOURS)) text = text.replaceAll(`var(${name})`, colour);
    return text.replaceAll("currentColor", COLOURS["--ink"]);
  };
  const save = (address, name) => {
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
  };
  const picture = (text, wide, high, done) => {
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement("canvas");
      canvas.width = 2 * wide;
      canvas.height = 2 * high;
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      done(canvas.toDataURL("image/png"));
    };
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  };
  for (const button of document.querySelectorAll(".saves")) {
    button.addEventListener("click", () => {
      const figure = button.closest("figure");
      const [, , wide, high] = figure.querySelector(".wide svg").getAttribute("viewBox").split(" ").map(Number);
      const text = drawing(figure);
      if (button.dataset.as === "svg") save(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`, "chart.svg");
      else picture(text, wide, high, (address) => save(address, "chart.png"));
      say("Saved");
    });
  }
})();
