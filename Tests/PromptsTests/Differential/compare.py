#!/usr/bin/env python3
"""Compares what our renderer made of random templates with what dotpromptz (PyPI) makes of them.

    HEARTH_DOTPROMPT_CASES=cases.jsonl swift test --filter DifferentialCases
    pip install dotpromptz && python3 compare.py cases.jsonl

dotpromptz renders with an engine in Rust, which removes other white space around standalone tags and tildes than
Handlebars does; such cases are counted, and `compare.js` holds us to Handlebars itself. A case that differs in
anything but white space, or that dotpromptz refuses, is printed and the exit code is 1.
"""

import asyncio
import json
import sys

from dotpromptz import DataArgument, Dotprompt, Message, TextPart


def text(message):
    return "".join(part.text for part in message.content)


async def rendered(prompt, template, data):
    render = await prompt.compile(template)
    result = await render(data)
    return [{"role": getattr(m.role, "value", m.role), "text": text(m)} for m in result.messages]


async def main(path):
    with open(path, encoding="utf-8") as file:
        fixed = json.loads(file.readline())
        cases = [json.loads(line) for line in file]
    prompt = Dotprompt(partials=fixed["partials"])
    roles = ["user", "model"]
    history = [Message(role=r, content=[TextPart(text=t)]) for r, t in zip(roles, fixed["history"])]
    data = DataArgument(input=fixed["values"], messages=history)
    same, blanks, others = 0, 0, []
    for case in cases:
        try:
            theirs = await rendered(prompt, case["template"], data)
        except Exception as error:  # whatever it is, it is a difference
            others.append((case, str(error)))
            continue
        if theirs == case["messages"]:
            same += 1
        elif solid(theirs) == solid(case["messages"]):
            blanks += 1
        else:
            others.append((case, theirs))
    print(f"{len(cases)} cases: {same} the same, {blanks} differ in white space, {len(others)} otherwise")
    return others


def solid(messages):
    """The messages without white space; one that holds nothing else is none."""
    found = [{"role": m["role"], "text": "".join(m["text"].split())} for m in messages]
    return [m for m in found if m["text"]]


if __name__ == "__main__":
    others = asyncio.run(main(sys.argv[1]))
    for case, theirs in others[:10]:
        print(json.dumps(case["template"]))
        print("   ours  ", json.dumps(case["messages"]))
        print("   theirs", json.dumps(theirs))
    sys.exit(1 if others else 0)
