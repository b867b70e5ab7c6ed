// Counts down the alerts' timers, refreshes the queue, and announces changes to screen readers.

const news = document.getElementById("news");
const queue = document.getElementById("queue");
const said = new Set();

/** "42 s left", in the same form as the server writes it. */
function words(seconds) {
  const whole = Math.floor(Math.abs(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const amount = hours > 0 ? `${hours} h ${minutes} min` : minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`;
  return `${amount} ${seconds < 0 ? "overdue" : "left"}`;
}

/** Announces a sentence to screen readers, once for each key. */
function say(key, sentence) {
  if (said.has(key)) return;
  said.add(key);
  news.textContent = sentence;
}

function tick() {
  for (const clock of document.querySelectorAll(".clock[data-due]")) {
    const seconds = (Date.parse(clock.dataset.due) - Date.now()) / 1000;
    const text = words(seconds);
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("over", seconds < 0);
    clock.classList.toggle("soon", seconds >= 0 && seconds < 30);
    const name = clock.closest("tr")?.querySelector("a")?.textContent ?? "This alert";
    if (seconds >= 0 && seconds < 30) say(`soon ${name} ${clock.dataset.due}`, `${name}: 30 seconds left.`);
    if (seconds < 0 && seconds > -5) say(`over ${name} ${clock.dataset.due}`, `${name}: the acknowledgement is overdue.`);
  }
}

/** Identifiers of the alerts in a list. */
function identities(root) {
  return new Set([...root.querySelectorAll("a[id^=alert-]")].map((link) => link.id));
}

async function look() {
  if (document.hidden) return;
  const answer = await fetch(queue.dataset.source, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) {
    news.textContent = "The list could not be refreshed.";
    return;
  }
  const before = identities(queue);
  const focused = queue.contains(document.activeElement) ? document.activeElement.id : "";
  const next = document.createElement("div");
  next.innerHTML = await answer.text();
  const fresh = [...identities(next)].filter((id) => !before.has(id));
  queue.replaceChildren(...next.childNodes);
  globalThis.localiseTimes?.(queue);
  if (focused) document.getElementById(focused)?.focus();
  for (const id of fresh) say(id, `New: ${document.getElementById(id).textContent}`);
  tick();
}

tick();
setInterval(tick, 1000);
if (queue) setInterval(look, 5000);
