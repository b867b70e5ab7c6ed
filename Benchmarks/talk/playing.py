"""Plays the suite to a real service over HTTP, one mode at a time, and brings back what became of each message."""

import asyncio
import dataclasses
import hashlib
import json
import pathlib
import re
import shutil
import struct
import subprocess

from harness import ROOT, TENANT, Hearth
from talk.model import ScriptedModel

# What a slow or busy machine takes from an answer: its memory, its vectors, its record.
SLOW = {"memory", "recall", "screen", "record", "commit"}
AT_ONCE = 4
TRIES = 4


@dataclasses.dataclass
class Mode:
    """How the service is set up: in which posture the model answers, and whether it begins with its verdict."""

    name: str
    is_open: bool
    has_verdicts: bool


@dataclasses.dataclass
class Outcome:
    """What the service made of one message."""

    response: str
    source: str
    flags: list
    degraded: list
    alert_sent: bool
    message_id: str
    asked: int
    alerts: list = dataclasses.field(default_factory=list)
    incidents: list | None = None

    @property
    def is_late(self):
        return not SLOW.isdisjoint(self.degraded)


@dataclasses.dataclass
class Streamed:
    """What was spoken sentence by sentence, put together."""

    text: str
    degraded: list

    @property
    def is_late(self):
        return not SLOW.isdisjoint(self.degraded)


class Clock:
    """The service's time of day, which runs as ours does and is put forward between the turns of dialogues."""

    def __init__(self, folder):
        self.file, self.program = pathlib.Path(folder) / "clock", pathlib.Path(folder) / "clock.so"
        compiler = shutil.which("clang") or shutil.which("cc")
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", self.program, pathlib.Path(__file__).parent / "clock.c", "-ldl"],
                       check=True)
        self.file.write_bytes(bytes(8))
        self.minutes = 0

    def put(self, minutes):
        """Puts the time forward to so many minutes after the start; it never goes back."""
        self.minutes = max(minutes, self.minutes)
        with open(self.file, "r+b") as file:
            file.write(struct.pack("<q", round(self.minutes * 60)))

    @property
    def environment(self):
        return {"LD_PRELOAD": str(self.program), "TALK_CLOCK": str(self.file)}


def digest(prompts):
    """The digest of a bundle's files, as the service takes it."""
    files = []
    for path in prompts.rglob("*"):
        name = str(path.relative_to(prompts))
        if path.is_file() and path.suffix in (".prompt", ".yaml", ".json", ".bin", ".detector") and name.count("/") <= 1:
            files.append((name, path.read_bytes()))
    whole = hashlib.sha256()
    for name, data in sorted(files):
        whole.update(b"%d %s %d " % (len(name.encode()), name.encode(), len(data)) + data)
    return whole.hexdigest()


def bundle(folder, mode):
    """A copy of the prompts that asks for verdicts or does not, with a lock that trusts the scripted model or no lock."""
    prompts = pathlib.Path(folder) / "prompts"
    shutil.copytree(ROOT / "prompts", prompts, ignore=shutil.ignore_patterns("prompts.lock"))
    routing = prompts / "routing.yaml"
    kept = [line for line in routing.read_text().splitlines() if not line.startswith("verdicts:")]
    routing.write_text("\n".join(kept + (["verdicts: [primary]"] if mode.has_verdicts else [])) + "\n")
    if mode.is_open:
        (prompts / "prompts.lock").write_text(
            f"trusted:\n  - model: \"{ScriptedModel.NAME}\"\n    bundle: \"{digest(prompts)}\"\n    suite: \"talk\"\n"
            "    run: \"talk\"\n    at: \"2026-01-01T00:00:00Z\"\n")
    return prompts


class Player:
    """One service in one mode, with its patients."""

    def __init__(self, mode, folder, postgres, model, first_patient):
        self.mode, self.folder, self.postgres, self.model = mode, pathlib.Path(folder), postgres, model
        self.next_patient = first_patient
        self.folder.mkdir()
        self.clock = Clock(self.folder)
        self.late = 0

    async def __aenter__(self):
        prompts = bundle(self.folder, self.mode)
        self.hearth = Hearth(self.folder / "state", {
            "HEARTH_DATABASE_URL": f"postgres:///postgres?host={self.postgres.folder}&user=postgres",
            "HEARTH_LLM_URL": self.model.url, "HEARTH_LLM_MODEL": self.model.NAME, "HEARTH_HEDGE_PERCENT": "0",
            "HEARTH_RETRY_PERCENT": "0", "HEARTH_PROMPTS_FOLDER": str(prompts), "HEARTH_DEPENDENCIES_FOLDER": str(ROOT / ".deps"),
            **self.clock.environment})
        await self.hearth.start()
        _, body, _ = await self.hearth.call("GET", "/readyz")
        posture = re.search(rb'"posture"[^}]*', body)
        self.readiness = body.decode()
        wanted = b"open" if self.mode.is_open else b"strict"
        if not posture or wanted not in posture[0]:
            raise RuntimeError(f"the service does not answer in the {wanted.decode()} posture: {body.decode()}")
        return self

    async def __aexit__(self, *_):
        await self.hearth.stop()

    def patients(self, languages):
        """New patients, one for each language given, each with a contact who has agreed to be notified."""
        first, ids = self.next_patient, []
        self.next_patient += len(languages)
        people, contacts = [], []
        for number, language in enumerate(languages, first):
            patient = f"00000000-0000-4000-9000-{number:012d}"
            ids.append(patient)
            people.append(f"('{TENANT}', '{patient}', 'patient', 'Rose', 'America/New_York', '{language}-US')")
            contacts.append(f"('{patient}', '00000000-0000-4000-a000-{number:012d}', '{TENANT}', 'Laura', 'daughter', '{{email}}', "
                            "'laura@example.com', now())")
        for begin in range(0, len(people), 500):
            self.postgres.rows(
                "INSERT INTO hearth.people (tenant_id, id, role, display_name, time_zone, language) VALUES "
                + ", ".join(people[begin:begin + 500]) + "; INSERT INTO hearth.contacts (patient_id, id, tenant_id, name, relation, "
                "notify_channels, email, consented_at) VALUES " + ", ".join(contacts[begin:begin + 500]) + ";")
        return ids

    def answers(self, said, reply):
        head = said.verdict + "\n" if self.mode.has_verdicts else ""
        return [head + text for text in reply]

    async def say(self, patient, said, *reply):
        """Says a message, which the model answers with the texts in turn."""
        async with self.model.saying(said.message, self.answers(said, reply)) as script:
            status, body, _ = await self.hearth.call(
                "POST", "/api/v1/conversations/patient", {"patient_id": patient, "message": said.message})
        if status != 200:
            raise RuntimeError(f"{status}: {body.decode()} to {said.message!r}")
        data = json.loads(body)["data"]
        return Outcome(data["response"], data["source"], data["flags"], data["degraded"], data["alert_sent"], data["message_id"],
                       script.asked)

    async def stream(self, patient, said, *reply):
        """What is spoken sentence by sentence, put together."""
        async with self.model.saying(said.message, self.answers(said, reply)):
            status, body, _ = await self.hearth.call(
                "POST", "/api/v1/conversations/patient/stream", {"patient_id": patient, "message": said.message})
        if status != 200:
            raise RuntimeError(f"{status}: {body.decode()} to {said.message!r}")
        text = dechunked(body).decode()
        spoken = [json.loads(data)["text"] for data in re.findall(r"event: sentence\ndata: (.*)", text)]
        return Streamed(" ".join(spoken), json.loads(re.search(r"event: reply\ndata: (.*)", text)[1])["data"]["degraded"])

    async def unhurried(self, items, play, is_late):
        """Plays items beside one another, and those again, one at a time, that were answered without a part that came too late: a
        slow or busy machine must not change what is measured. Counts the answers that stayed so."""
        outcomes = await play(items, AT_ONCE)
        for _ in range(TRIES - 1):
            late = [place for place, outcome in enumerate(outcomes) if is_late(outcome)]
            for place, outcome in zip(late, await play([items[place] for place in late], 1) if late else []):
                outcomes[place] = outcome
        self.late += sum(map(is_late, outcomes))
        return list(zip(items, outcomes))

    async def singles(self, items, reply=lambda said: [said.reply]):
        """Plays single messages, each to a patient of its own."""

        async def play(items, at_once):
            ids = self.patients([item.language for item in items])
            places = asyncio.Semaphore(at_once)

            async def one(item, patient):
                async with places:
                    return await self.say(patient, item.only, *reply(item.only))

            outcomes = await asyncio.gather(*(one(item, patient) for item, patient in zip(items, ids)))
            self.add_alerts(ids, outcomes)
            return outcomes

        return await self.unhurried(items, play, lambda outcome: outcome.is_late)

    async def streams(self, items):
        """Plays single messages over the streaming route."""

        async def play(items, at_once):
            ids = self.patients([item.language for item in items])
            places = asyncio.Semaphore(at_once)

            async def one(item, patient):
                async with places:
                    return await self.stream(patient, item.only, item.only.reply)

            return await asyncio.gather(*(one(item, patient) for item, patient in zip(items, ids)))

        return await self.unhurried(items, play, lambda streamed: streamed.is_late)

    async def dialogues(self, items):
        """Plays dialogues, all on one clock."""
        return await self.unhurried(items, self.on_one_clock, lambda turns: any(turn.is_late for turn in turns))

    async def on_one_clock(self, items, at_once):
        """Plays the turns of dialogues in the order of their times, those of one instant beside one another."""
        ids, begin = self.patients([item.language for item in items]), self.clock.minutes
        due = {}
        for index, item in enumerate(items):
            time = 0
            for place, said in enumerate(item.turns):
                time += said.minutes if place else 0
                due.setdefault(round(time, 2), []).append((index, place))
        outcomes = {}
        places = asyncio.Semaphore(at_once)

        async def one(index, place):
            async with places:
                said = items[index].turns[place]
                outcome = outcomes[index, place] = await self.say(ids[index], said, said.reply)
                if said.incident:
                    outcome.incidents = await asyncio.to_thread(self.incidents, ids[index])

        for time in sorted(due):
            self.clock.put(begin + time)
            while due[time]:
                # Turns of one dialogue that fall on one instant follow one another.
                seen, now, later = set(), [], []
                for index, place in due[time]:
                    (later if index in seen else now).append((index, place))
                    seen.add(index)
                due[time] = later
                await asyncio.gather(*(one(*turn) for turn in now))
        self.add_alerts(ids, outcomes.values())
        return [[outcomes[index, place] for place in range(len(item.turns))] for index, item in enumerate(items)]

    def incidents(self, patient):
        rows = self.postgres.rows(
            f"SELECT state->'incidents' FROM hearth.conversations WHERE patient_id = '{patient}' ORDER BY last_message_at DESC LIMIT 1")
        found = json.loads(rows[0][0]) if rows and rows[0][0] else []
        return [f"{each['level']} {each['category']}" for each in found]

    def add_alerts(self, ids, outcomes):
        if not ids:
            return
        rows = self.postgres.rows(
            "SELECT message_id, level, category FROM hearth.alerts WHERE message_id IS NOT NULL AND patient_id BETWEEN "
            f"'{ids[0]}' AND '{ids[-1]}'")
        by_message = {}
        for message, level, category in rows:
            by_message.setdefault(message, []).append((level, category))
        for outcome in outcomes:
            outcome.alerts = by_message.get(outcome.message_id, [])


def dechunked(body):
    """The bytes of a body in chunks; the body as it is where it has none."""
    if not re.match(rb"[0-9a-fA-F]+\r\n", body):
        return body
    whole, rest = b"", body
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        length = int(size or b"0", 16)
        if not length:
            break
        whole, rest = whole + rest[:length], rest[length + 2:]
    return whole
