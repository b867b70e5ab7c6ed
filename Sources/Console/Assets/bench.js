// Polls the running work of the evaluation bench: updates the progress bar, and reloads the page at the end.

const every = 1000;

async function look() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(8000) }).catch(() => null);
  if (!answer?.ok) return setTimeout(look, every * 5);
  const text = await answer.text().catch(() => null);
  if (text === null) return setTimeout(look, every * 5);
  const page = new DOMParser().parseFromString(text, "text/html");
  const next = page.getElementById("bar");
  if (!next) return location.reload();
  const bar = document.getElementById("bar");
  bar.max = next.max;
  bar.value = next.value;
  document.querySelector("label[for=bar]").textContent = page.querySelector("label[for=bar]").textContent;
  setTimeout(look, every);
}

setTimeout(look, every);
