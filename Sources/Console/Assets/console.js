// Common to every page: times in the reader's time zone, and buttons that ask for confirmation.

const times = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "medium" });

/** Converts each <time> to the reader's time zone; the original text becomes its title. */
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
