"""Callers who speak all the time, press the emergency button, fall and report events, and repeat what was not answered under the
same key, as a device does; and the account of what they were told with what the database holds."""

import asyncio
import collections
import dataclasses
import random
import time
import uuid

ORDINARY = ["The garden is lovely today", "I had soup for lunch", "My sister rang me"]
GRAVE = ["I fell and hit my head", "I can't breathe", "There is a fire in the kitchen"]
# What callers do, and how often in a hundred times.
KINDS = {"plain": 52, "grave": 24, "emergency": 8, "fall": 8, "dispatch": 8}
ALARMS = ("emergency", "fall", "dispatch")


@dataclasses.dataclass
class Call:
    """An answered message: what was said, when its first and its last try began, when it was answered, and by which bundle."""

    text: str
    response: str
    bundle: str
    began: float
    tried: float
    ended: float


class Callers:
    def __init__(self, door, ids, count, seed, kinds=KINDS):
        self.door, self.count, self.kinds = door, count, kinds
        self.own, self.ids = ids[:count], iter(ids[count:])
        self.random = random.Random(seed)
        self.answered = {}
        self.alarms = {}
        self.calls = []
        self.repeats = 0
        self.refused = collections.Counter()
        self.seconds = collections.defaultdict(list)
        self.goes_on = True

    async def run(self):
        await asyncio.gather(*(self.speak(number) for number in range(self.count)))

    async def speak(self, caller):
        turn = 0
        while self.goes_on:
            turn += 1
            kind = self.random.choices(list(self.kinds), self.kinds.values())[0]
            key = f"{kind}-{caller}-{turn}"
            # A second alarm while the first is open would be no news: each has a patient of its own.
            patient = self.own[caller] if kind == "plain" else next(self.ids)
            if kind in ALARMS:
                await self.raise_alarm(kind, patient, key)
            else:
                await self.insist(patient, self.random.choice(GRAVE if kind == "grave" else ORDINARY), key)

    async def insist(self, patient, text, key):
        began = time.time()
        while True:
            tried = time.time()
            try:
                status, body, _ = await self.door.say(patient, text, key)
            except (OSError, asyncio.IncompleteReadError, TimeoutError, ValueError, AttributeError):
                status = 0
            if status == 200:
                data = body["data"]
                self.answered[key] = data
                self.calls.append(Call(text, data["response"], data["prompt_version"], began, tried, time.time()))
                return
            self.repeats += 1
            await asyncio.sleep(0.02)

    async def raise_alarm(self, kind, patient, key):
        """Insists until the alarm is stored; every answer that is not 200 within three seconds is counted."""
        event = str(uuid.uuid5(uuid.NAMESPACE_OID, key))
        while True:
            try:
                match kind:
                    case "emergency": status, body, seconds = await self.door.press(patient, key)
                    case "fall": status, body, seconds = await self.door.fall(patient, key)
                    case "dispatch": status, body, seconds = await self.door.dispatch(patient, event)
            except (OSError, asyncio.IncompleteReadError, TimeoutError, ValueError, AttributeError):
                status = 0
            if status:
                self.seconds[kind].append(seconds)
                if status != 200 or seconds > 3:
                    self.refused[kind, status] += 1
            if status == 200:
                data = body["data"] if kind == "emergency" else body
                if data["stored" if kind == "fall" else "alert_created"]:
                    self.alarms[key] = (patient, event, data)
                    return
            self.repeats += 1
            await asyncio.sleep(0.02)

    def tally(self):
        """How many of each kind of alarm were stored, and how they were answered."""
        lines = []
        for kind in ALARMS:
            seconds = sorted(self.seconds[kind]) or [0.0]
            stored = sum(key.startswith(kind) for key in self.alarms)
            bad = sum(count for (name, _), count in self.refused.items() if name == kind)
            lines.append(
                f"{kind}: {stored} stored, {len(self.seconds[kind])} answers, {bad} not 200 within 3 s, "
                f"slowest {seconds[-1]:.2f} s, median {seconds[len(seconds) // 2]:.3f} s")
        return lines


def reconcile(postgres, answered, alarms=None):
    return reconcile_turns(postgres, answered) + reconcile_alarms(postgres, alarms or {})


def reconcile_turns(postgres, answered):
    faults = []
    rows = postgres.rows(
        "SELECT m.idempotency_key, m.id, m.answered, count(DISTINCT a.id), count(DISTINCT o.id) FROM hearth.messages m "
        "LEFT JOIN hearth.alerts a ON a.message_id = m.id LEFT JOIN hearth.outbox o ON o.alert_id = a.id "
        "GROUP BY m.idempotency_key, m.id, m.answered")
    kept = {}
    for key, message, words, alerts, outbox in rows:
        if key in kept:
            faults.append(f"{key} is there twice")
        kept[key] = (message, words, alerts, outbox)
    for key, data in answered.items():
        if key not in kept:
            faults.append(f"{key} was answered and is lost")
            continue
        message, words, alerts, outbox = kept[key]
        if message != data["message_id"] or words != data["response"]:
            faults.append(f"{key} was answered otherwise: {words!r}, not {data['response']!r}")
        wanted = "1" if key.startswith("grave") else "0"
        if alerts != wanted or outbox != wanted:
            faults.append(f"{key} has {alerts} alerts and {outbox} in the outbox")
        if key.startswith("grave") and not data["alert_sent"]:
            faults.append(f"{key} was answered without its alert")
    faults += [f"{key} left neither a memory nor a job for it" for key, in postgres.rows(
        "SELECT m.idempotency_key FROM hearth.messages m WHERE m.answered IS NOT NULL "
        "AND NOT EXISTS (SELECT FROM hearth.memory_vectors v WHERE v.patient_id = m.patient_id AND v.id = m.id) "
        "AND NOT EXISTS (SELECT FROM hearth.jobs j WHERE j.patient_id = m.patient_id AND j.message_id = m.id)")]
    faults += [f"conversation {conversation} is to be read for facts and has no job" for conversation, in postgres.rows(
        "SELECT c.id FROM hearth.conversations c WHERE c.unread <> '{}' AND NOT EXISTS ("
        "SELECT FROM hearth.jobs j WHERE j.patient_id = c.patient_id AND j.conversation_id = c.id AND j.failed_at IS NULL)")]
    return faults


def reconcile_alarms(postgres, alarms):
    """Every alarm has a patient of its own, so that all of that patient's rows are its own."""
    faults = []
    counted = {patient: counts for patient, *counts in postgres.rows(
        "SELECT p.id, (SELECT count(*) FROM hearth.alerts a WHERE a.patient_id = p.id), "
        "(SELECT count(*) FROM hearth.outbox o WHERE o.patient_id = p.id), "
        "(SELECT count(*) FROM hearth.falls f WHERE f.patient_id = p.id), "
        "(SELECT count(*) FROM hearth.fall_events e WHERE e.patient_id = p.id), "
        "(SELECT min(a.id::text) FROM hearth.alerts a WHERE a.patient_id = p.id) "
        "FROM hearth.people p WHERE p.role = 'patient'")}
    for key, (patient, _, data) in alarms.items():
        alerts, outbox, falls, events, alert = counted[patient]
        wanted = ("1", "1", "1", "1") if key.startswith("fall") else ("1", "1", "0", "0")
        if alerts == "0":
            faults.append(f"{key} was stored and is lost")
        elif (alerts, outbox, falls, events) != wanted:
            faults.append(f"{key} has alerts, outbox rows, falls and events {alerts}, {outbox}, {falls}, {events}")
        elif not key.startswith("fall") and data["alert_id"] != alert:
            faults.append(f"{key} is alert {alert}, not {data['alert_id']}")
    return faults
