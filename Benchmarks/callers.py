"""Callers who speak all the time and repeat what was not answered under the same key, as a device does; and the account of what
they were told with what the database holds."""

import asyncio
import dataclasses
import random
import time

ORDINARY = ["The garden is lovely today", "I had soup for lunch", "My sister rang me"]
GRAVE = ["I fell and hit my head", "I can't breathe", "There is a fire in the kitchen"]


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
    def __init__(self, door, ids, count, seed):
        self.door, self.count = door, count
        self.own, self.ids = ids[:count], iter(ids[count:])
        self.random = random.Random(seed)
        self.answered = {}
        self.calls = []
        self.repeats = 0
        self.goes_on = True

    async def run(self):
        await asyncio.gather(*(self.speak(number) for number in range(self.count)))

    async def speak(self, caller):
        turn = 0
        while self.goes_on:
            turn += 1
            grave = self.random.random() < 1 / 3
            key = f"{'grave' if grave else 'plain'}-{caller}-{turn}"
            text = self.random.choice(GRAVE if grave else ORDINARY)
            # A second fall while we still ask about the first would be no news: each has a patient of its own.
            patient = next(self.ids) if grave else self.own[caller]
            await self.insist(patient, text, key)

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


def reconcile(postgres, answered):
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
    return faults
