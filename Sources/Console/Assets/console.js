// What every page has: times in the reader's own zone, and buttons that ask before they act.

const times = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "medium" });

/** Writes each <time> as the reader's own clock has it; the whole instant stays in its title. */
function localise(root = document) {
  for (const time of root.querySelectorAll("time[datetime]:not([title])")) {
    const instant = new Date(time.dateTime);
    if (Number.isNaN(instant.getTime())) continue;
    time.title = time.textContent;
    time.textContent = times.format(instant);
  }
}

localise();
globalThis.localiseTimes = localise;

document.addEventListener("submit", (event) => {
  const question = event.submitter?.dataset.question ?? event.target.dataset.question;
  if (question && !confirm(question)) event.preventDefault();
});
