#!/usr/bin/env node
// Compares what our renderer made of random templates with what Handlebars itself makes of them, with the helpers and
// the markers of Dotprompt around it.
//
//     HEARTH_DOTPROMPT_CASES=cases.jsonl swift test --filter DifferentialCases
//     apt-get install node-handlebars && node compare.js cases.jsonl
//
// Prints the first cases that differ; the exit code is 1 when there are any.

const fs = require("fs");
const Handlebars = require("/usr/share/nodejs/handlebars");

const lines = fs.readFileSync(process.argv[2], "utf8").trim().split("\n").map((line) => JSON.parse(line));
const [fixed, ...cases] = lines;
const handlebars = Handlebars.create();
const safe = (text) => new Handlebars.SafeString(text);
handlebars.registerHelper({
  json: (value, options) => safe(JSON.stringify(value, null, options.hash.indent || 0)),
  role: (role) => safe(`<<<dotprompt:role:${role}>>>`),
  history: () => safe("<<<dotprompt:history>>>"),
  section: (name) => safe(`<<<dotprompt:section ${name}>>>`),
  ifEquals: function (a, b, options) { return a === b ? options.fn(this) : options.inverse(this); },
  unlessEquals: function (a, b, options) { return a !== b ? options.fn(this) : options.inverse(this); },
});
for (const [name, text] of Object.entries(fixed.partials)) handlebars.registerPartial(name, text);
const history = fixed.history.map((text, index) => ({ role: index % 2 ? "model" : "user", text }));

function messages(rendered) {
  const pieces = rendered.split(/(<<<dotprompt:(?:role:[a-z]+|history))>>>/).filter((piece) => piece.trim() !== "");
  const sources = [{ role: "user", text: "" }];
  let hasHistory = false;
  for (const piece of pieces) {
    const last = sources[sources.length - 1];
    if (piece.startsWith("<<<dotprompt:role:")) {
      const role = piece.substring("<<<dotprompt:role:".length);
      if (last.text.trim()) sources.push({ role, text: "" });
      else last.role = role;
    } else if (piece.startsWith("<<<dotprompt:history")) {
      hasHistory = true;
      sources.push(...history.map((message) => ({ ...message })), { role: "model", text: "" });
    } else {
      last.text += piece;
    }
  }
  const found = sources.filter((message) => message.text);
  if (hasHistory) return found;
  const place = found.length && found[found.length - 1].role === "user" ? found.length - 1 : found.length;
  return [...found.slice(0, place), ...history, ...found.slice(place)];
}

let different = 0;
for (const example of cases) {
  const render = handlebars.compile(example.template, { noEscape: true, knownHelpersOnly: false });
  const theirs = messages(render(fixed.values));
  if (JSON.stringify(theirs) === JSON.stringify(example.messages)) continue;
  different += 1;
  if (different > 10) continue;
  console.log(JSON.stringify(example.template));
  console.log("   ours  ", JSON.stringify(example.messages));
  console.log("   theirs", JSON.stringify(theirs));
}
console.log(`${cases.length} cases: ${cases.length - different} the same, ${different} differ`);
process.exit(different ? 1 : 0);
