// Runs lint and preview while the operator types: 500 ms after the last key, one request at a time.

const form = document.querySelector(".editing form");
const text = document.getElementById("field-text");
const checked = document.getElementById("checked");
const said = document.getElementById("said");
const pause = 500;
let timer = 0;
let asking = false;
let again = false;
let last = text.value;

async function check() {
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  again = false;
  last = text.value;
  checked.setAttribute("aria-busy", "true");
  const fields = new URLSearchParams(new FormData(form));
  fields.set("piece", "1");
  const answer = await fetch(checked.dataset.source, { method: "POST", body: fields }).catch(() => null);
  if (answer?.ok) {
    checked.innerHTML = await answer.text();
    const count = checked.querySelectorAll(".findings li").length;
    said.textContent = count === 0 ? "No lint findings." : `${count} lint ${count === 1 ? "finding" : "findings"}.`;
  } else {
    said.textContent = "Lint is unavailable; it runs again at the next change.";
  }
  checked.removeAttribute("aria-busy");
  asking = false;
  if (again || text.value !== last) plan();
}

function plan() {
  clearTimeout(timer);
  timer = setTimeout(check, pause);
}

/** Puts the cursor at the start of a line. */
function go(line) {
  const lines = text.value.split("\n");
  const place = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  text.focus();
  text.setSelectionRange(place, place + (lines[line - 1] ?? "").length);
  text.scrollTop = text.scrollHeight * ((line - 1) / Math.max(1, lines.length)) - text.clientHeight / 2;
}

if (text) {
  text.addEventListener("input", plan);
  checked.addEventListener("click", (event) => {
    const line = event.target.closest("[data-line]")?.dataset.line;
    if (line) go(Number(line));
  });
  if (!checked.firstElementChild) check();
}
