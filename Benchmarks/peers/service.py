"""The same turn as the service's, in FastAPI, uvicorn, asyncpg and aiohttp, tuned as their documentation advises.

Reads a patient, facts, last exchanges and reminders; screens the words with one compiled expression; commits the message;
streams the model's reply up to 20 words; commits the reply with two jobs; answers. It does less than the service: one language, a few
dozen phrases, no alerts, no deadline shares, no breaker, no spool, no trace. uvloop and httptools read HTTP, orjson writes
JSON, statements are prepared by asyncpg's cache, one aiohttp session without a limit on connections reaches the model.

With VECTORS it also does what recall does: one thread makes the message's vector with the service's own engine, numpy finds the four
nearest of what the patient said before, and the vector is stored with the reply.

Environment: VECTORS, MODEL_URL, PGHOST and PGUSER (a socket's folder and a role), PATIENTS (identities, commas between), PORT, WORKERS.
"""

import asyncio
import concurrent.futures
import contextlib
import ctypes
import os
import pathlib
import re
import sys
import time
import uuid

import aiohttp
import asyncpg
import orjson
import uvicorn
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

SCHEMA = """
CREATE SCHEMA IF NOT EXISTS peer;
SET search_path TO peer;
CREATE TABLE IF NOT EXISTS people (id uuid PRIMARY KEY, name text NOT NULL, zone text NOT NULL);
CREATE TABLE IF NOT EXISTS facts (id bigserial PRIMARY KEY, patient_id uuid NOT NULL, text text NOT NULL);
CREATE INDEX IF NOT EXISTS facts_of_patient ON facts (patient_id);
CREATE TABLE IF NOT EXISTS reminders (id bigserial PRIMARY KEY, patient_id uuid NOT NULL, title text NOT NULL);
CREATE INDEX IF NOT EXISTS reminders_of_patient ON reminders (patient_id);
CREATE TABLE IF NOT EXISTS messages (
    id uuid PRIMARY KEY, patient_id uuid NOT NULL, said text NOT NULL, level text NOT NULL,
    spoken_at timestamptz NOT NULL DEFAULT now(), answered text, answered_at timestamptz
);
CREATE INDEX IF NOT EXISTS messages_of_patient ON messages (patient_id, spoken_at DESC);
CREATE TABLE IF NOT EXISTS memories (id uuid PRIMARY KEY, patient_id uuid NOT NULL, said text NOT NULL, vector bytea NOT NULL);
CREATE INDEX IF NOT EXISTS memories_of_patient ON memories (patient_id);
CREATE TABLE IF NOT EXISTS jobs (id bigserial PRIMARY KEY, message_id uuid NOT NULL, kind text NOT NULL);
"""

DANGER = re.compile(
    r"\b(?:fell|fallen|fall down|can(?:'t|not) get up|chest pain|chest hurts|can(?:'t|not) breathe|short of breath|stroke|"
    r"face is drooping|slurred|numb|bleeding|unconscious|dizzy|fainted|overdose|too many pills|kill myself|want to die|"
    r"end my life|suicide|gift cards?|wire transfer|bank account|social security number|password|pin code|irs|bitcoin|"
    r"smell gas|fire|smoke|burglar|somebody is in|hit me|hurts me|lost|confused|no food|hungry|alone|scared)\b",
    re.IGNORECASE,
)
SYSTEM = (
    "You are Milo, a kind companion of an older adult. Answer in at most 20 words, in one or two short spoken sentences. "
    "Never give medical, legal or money advice; never promise what you cannot do. "
) * 6
MOST_WORDS = 20


class Message(BaseModel):
    patient_id: uuid.UUID
    message: str = Field(min_length=1, max_length=4000)


class State:
    pool: asyncpg.Pool
    session: aiohttp.ClientSession
    recall = None


class Recall:
    """Sentence vectors by one thread, and each patient's own vectors in memory once they were read."""

    NEAREST = 4

    def __init__(self):
        import numpy

        sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
        import engines

        self.numpy, self.kernel, self.known = numpy, engines.Kernel(), {}
        # The thread has a name of its own, by which its processor time is told from the rest.
        self.thread = concurrent.futures.ThreadPoolExecutor(1, initializer=lambda: ctypes.CDLL(None).prctl(15, b"engine", 0, 0, 0))

    async def vector(self, said):
        return await asyncio.get_running_loop().run_in_executor(self.thread, lambda: self.kernel.vectors([said])[0])

    async def memories(self, connection, patient):
        if patient not in self.known:
            rows = await connection.fetch("SELECT said, vector FROM memories WHERE patient_id = $1", patient)
            self.known[patient] = [(row["said"], self.numpy.frombuffer(row["vector"], self.numpy.float32)) for row in rows]
        return self.known[patient]

    def nearest(self, memories, vector):
        if not memories:
            return []
        scores = self.numpy.stack([each for _, each in memories]) @ vector
        return [memories[place][0] for place in self.numpy.argsort(-scores)[: self.NEAREST]]


@contextlib.asynccontextmanager
async def lifespan(app: FastAPI):
    State.pool = await asyncpg.create_pool(
        host=os.environ["PGHOST"], user=os.environ["PGUSER"], database="postgres", min_size=16, max_size=16,
        server_settings={"search_path": "peer"},
    )
    State.session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), json_serialize=lambda v: orjson.dumps(v).decode())
    State.recall = Recall() if os.environ.get("VECTORS") else None
    print(f"listening http://127.0.0.1:{os.environ['PORT']}", flush=True)
    yield
    await State.session.close()
    await State.pool.close()


app = FastAPI(lifespan=lifespan, openapi_url=None)


@app.get("/healthz")
async def healthz():
    return Response(b'{"status":"ok"}', media_type="application/json")


@app.post("/api/v1/conversations/patient")
async def turn(message: Message, request: Request):
    began = time.perf_counter()
    identity = uuid.uuid4()
    vector = await State.recall.vector(message.message) if State.recall else None
    recalled = []
    async with State.pool.acquire() as connection:
        person = await connection.fetchrow("SELECT name, zone FROM people WHERE id = $1", message.patient_id)
        if person is None:
            raise HTTPException(404)
        facts = await connection.fetch("SELECT text FROM facts WHERE patient_id = $1 LIMIT 200", message.patient_id)
        exchanges = await connection.fetch(
            "SELECT said, answered FROM messages WHERE patient_id = $1 ORDER BY spoken_at DESC LIMIT 10", message.patient_id
        )
        reminders = await connection.fetch("SELECT title FROM reminders WHERE patient_id = $1 LIMIT 50", message.patient_id)
        if State.recall:
            memories = await State.recall.memories(connection, message.patient_id)
            recalled = State.recall.nearest(memories, vector)
        level = "high" if DANGER.search(message.message) else "none"
        await connection.execute(
            "INSERT INTO messages (id, patient_id, said, level) VALUES ($1, $2, $3, $4)",
            identity, message.patient_id, message.message, level,
        )
    reply = cap(await ask(prompt(person, facts, exchanges, reminders, recalled, message.message)))
    async with State.pool.acquire() as connection:
        async with connection.transaction():
            await connection.execute("UPDATE messages SET answered = $2, answered_at = now() WHERE id = $1", identity, reply)
            if State.recall:
                await connection.execute(
                    "INSERT INTO memories VALUES ($1, $2, $3, $4)", identity, message.patient_id, message.message, vector.tobytes())
            await connection.executemany(
                "INSERT INTO jobs (message_id, kind) VALUES ($1, $2)", [(identity, "embed_exchange"), (identity, "extract_facts")]
            )
    if State.recall:
        memories.append((message.message, vector))
    body = {"success": True, "data": {"response": reply, "message_id": str(identity), "alert_sent": level != "none"}}
    took = (time.perf_counter() - began) * 1000
    return Response(orjson.dumps(body), media_type="application/json", headers={"Server-Timing": f"total;dur={took:.2f}"})


def prompt(person, facts, exchanges, reminders, recalled, said):
    known = f"The person is {person['name']}. " + " ".join([*(fact["text"] for fact in facts), *recalled])
    plan = " ".join(reminder["title"] for reminder in reminders)
    messages = [{"role": "system", "content": SYSTEM + known + plan}]
    for exchange in reversed(exchanges):
        messages.append({"role": "user", "content": exchange["said"]})
        if exchange["answered"]:
            messages.append({"role": "assistant", "content": exchange["answered"]})
    return messages + [{"role": "user", "content": said}]


async def ask(messages):
    body = {"model": "stub", "messages": messages, "stream": True, "max_tokens": 60, "stream_options": {"include_usage": True}}
    text = ""
    async with State.session.post(os.environ["MODEL_URL"] + "/chat/completions", json=body) as answer:
        answer.raise_for_status()
        async for line in answer.content:
            if not line.startswith(b"data: ") or line.startswith(b"data: [DONE]"):
                continue
            for choice in orjson.loads(line[6:])["choices"]:
                text += choice.get("delta", {}).get("content") or ""
    return text


def cap(text):
    words = text.split()
    return text.strip() if len(words) <= MOST_WORDS else " ".join(words[:MOST_WORDS]).rstrip(",;:") + "."


async def prepare():
    connection = await asyncpg.connect(host=os.environ["PGHOST"], user=os.environ["PGUSER"], database="postgres")
    await connection.execute(SCHEMA)
    patients = [(uuid.UUID(text), "Rose", "America/New_York") for text in os.environ.get("PATIENTS", "").split(",") if text]
    await connection.executemany("INSERT INTO people VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", patients)
    await connection.close()


if __name__ == "__main__":
    asyncio.run(prepare())
    port = int(os.environ["PORT"])
    uvicorn.run(
        "service:app", host="127.0.0.1", port=port, workers=int(os.environ.get("WORKERS", "1")), loop="uvloop", http="httptools",
        log_level="warning", access_log=False, backlog=4096,
    )
