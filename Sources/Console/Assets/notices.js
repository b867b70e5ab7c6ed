// Tells of incidents and of a lost session by sound and by desktop notification, as the reader has chosen; says no patient's words.

let audio = null;

/** What the reader has chosen: "sound", "desktop". */
function chosen(name) { return localStorage.getItem(`hearth-${name}`) === "on"; }

/** The button that says that the browser keeps the page silent; one press anywhere lets it sound. */
const blocked = document.createElement("button");
blocked.type = "button";
blocked.className = "blocked";

/** Keeps the button in the page while the page is silent. */
function showBlocked(isBlocked) {
  if (!isBlocked) return blocked.remove();
  blocked.textContent = globalThis.wording("Sound is blocked by the browser. Press here to hear incidents.");
  if (!blocked.isConnected) document.body.append(blocked);
}

/** Whether the browser lets the page sound; asks it, and shows the button where it does not. */
function isAudible() {
  audio ??= new AudioContext();
  if (audio.state !== "running") {
    audio.resume().then(() => showBlocked(audio.state !== "running"), () => {});
  }
  showBlocked(audio.state !== "running");
  return audio.state === "running";
}

/** Two short tones; four and higher ones for an emergency. Whether they could be heard. */
function ring(isGrave) {
  if (!isAudible()) return false;
  for (const [index, pitch] of (isGrave ? [660, 990, 660, 990] : [520, 660]).entries()) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = pitch;
    volume.gain.value = 0.15;
    tone.connect(volume).connect(audio.destination);
    tone.start(audio.currentTime + index * 0.22);
    tone.stop(audio.currentTime + index * 0.22 + 0.18);
  }
  return true;
}

/** Shows a notification, once in this tab for each key; whether the reader wants them and the browser allows them. */
function notify(title, body, isGrave, key) {
  if (!chosen("desktop") || globalThis.Notification?.permission !== "granted") return false;
  if (key && sessionStorage.getItem("hearth-notified") === key) return true;
  new Notification(title, { body, tag: "hearth", renotify: true, requireInteraction: isGrave });
  if (key) sessionStorage.setItem("hearth-notified", key);
  return true;
}

document.addEventListener("hearth-news", (event) => {
  const { title, body, isGrave, key } = event.detail;
  const isNotified = notify(title, body, isGrave, key);
  // Where sound is chosen, news is told once it was heard.
  if (chosen("sound") ? ring(isGrave) : isNotified) event.preventDefault();
});

function wake() {
  if (chosen("sound") && audio && audio.state !== "running") isAudible();
}
document.addEventListener("pointerdown", wake);
document.addEventListener("keydown", wake);

function draw(button) {
  const isOn = chosen(button.dataset.choice);
  button.setAttribute("aria-pressed", String(isOn));
  // Screen readers hear the state of the button itself.
  button.lastElementChild.textContent = isOn ? globalThis.wording(": on") : globalThis.wording(": off");
}

for (const button of document.querySelectorAll("[data-choice]")) {
  const name = button.dataset.choice;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const next = !chosen(name);
    if (next && name === "desktop" && (await Notification.requestPermission()) !== "granted") return;
    if (next && !chosen("sound") && !chosen("desktop")) document.dispatchEvent(new CustomEvent("hearth-chosen"));
    localStorage.setItem(`hearth-${name}`, next ? "on" : "off");
    if (name === "sound" && next) ring(false);
    if (name === "sound" && !next) showBlocked(false);
    draw(button);
  });
}

document.addEventListener("DOMContentLoaded", () => {
  // The words come with another script, which runs after this one.
  for (const button of document.querySelectorAll("[data-choice]")) draw(button);
  if (document.body.dataset.pulse && chosen("sound")) isAudible();
});
