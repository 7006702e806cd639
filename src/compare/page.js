"use strict";
// Hides and shows runs.
for (const box of document.querySelectorAll("input[data-run]")) {
  box.addEventListener("change", () => document.body.classList.toggle("hide" + box.dataset.run, !box.checked));
}
// Shows the values of all runs at the time under the mouse.
const short = (v) => Number(v.toPrecision(4)).toString();
for (const svg of document.querySelectorAll("svg[data-frame]")) {
  const [left, top, width, height] = svg.dataset.frame.split(" ").map(Number);
  const [x0, x1, y0, y1] = svg.dataset.range.split(" ").map(Number);
  const curves = [...svg.querySelectorAll("polyline")].map((line) => ({
    run: line.getAttribute("class"),
    points: [...line.points].map((p) => [p.x, p.y]),
  }));
  const cursor = document.createElementNS(svg.namespaceURI, "path");
  cursor.setAttribute("class", "cursor");
  svg.append(cursor);
  const caption = svg.parentElement.querySelector("figcaption");
  const readings = caption.appendChild(document.createElement("div"));
  svg.addEventListener("mousemove", (event) => {
    const box = svg.getBoundingClientRect();
    const x = (event.clientX - box.left) * svg.viewBox.baseVal.width / box.width;
    if (x < left || x > left + width) return;
    cursor.setAttribute("d", `M${x} ${top}v${height}`);
    const time = x0 + (x - left) / width * (x1 - x0);
    readings.replaceChildren(`at ${short(time)} s`);
    for (const { run, points } of curves) {
      const k = points.findIndex((p) => p[0] >= x);
      if (k < 0 || document.body.classList.contains("hide" + run.slice(1))) continue;
      const [a, b] = [points[Math.max(k - 1, 0)], points[k]];
      const part = b[0] > a[0] ? (x - a[0]) / (b[0] - a[0]) : 1;
      const y = a[1] + part * (b[1] - a[1]);
      const reading = document.createElement("span");
      reading.className = "k" + run.slice(1);
      reading.textContent = short(y1 - (y - top) / height * (y1 - y0));
      readings.append(reading);
    }
  });
  svg.addEventListener("mouseleave", () => {
    cursor.removeAttribute("d");
    readings.replaceChildren();
  });
}
