"""A model that answers each message with the suite's words, over the chat-completions API, and refuses what breaks that API."""

import asyncio
import collections
import contextlib
import json
import re

from harness import END, HEAD, ROLE, chunk, event, plain, read_request

FIELDS = {"model", "messages", "max_tokens", "temperature", "stop", "stream", "stream_options"}


class Script:
    """What is to be said to one message: in the first answer, and in any later one."""

    def __init__(self, message, answers):
        self.message = one_line(message)
        self.answers = answers
        self.asked = 0

    def next(self):
        self.asked += 1
        return self.answers[min(self.asked, len(self.answers)) - 1]


class ScriptedModel:
    """Answers with the script of the message that the prompt ends with; `faults` holds each request that was wrong."""

    NAME = "talk"

    async def start(self):
        self.scripts = {}
        self.turns = collections.defaultdict(asyncio.Lock)
        self.faults = []
        self.server = await asyncio.start_server(self.answer, "127.0.0.1", 0, limit=1 << 20)
        self.port = self.server.sockets[0].getsockname()[1]

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/v1"

    @contextlib.asynccontextmanager
    async def saying(self, message, answers):
        """Has a message answered so, as long as the block lasts; two of the same words wait for one another."""
        script = Script(message, answers)
        async with self.turns[script.message]:
            self.scripts[script.message] = script
            try:
                yield script
            finally:
                del self.scripts[script.message]

    async def answer(self, reader, writer):
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError):
            while True:
                path, body = await read_request(reader)
                try:
                    pieces = self.pieces(path, body)
                except ValueError as error:
                    self.faults.append(str(error))
                    writer.write(plain(400, json.dumps({"error": {"message": str(error), "type": "invalid_request_error"}}).encode()))
                    await writer.drain()
                    continue
                writer.write(HEAD + ROLE)
                for piece in pieces:
                    writer.write(chunk(event(piece)))
                    await writer.drain()
                    await asyncio.sleep(0)
                writer.write(END)
                await writer.drain()
        writer.close()

    def pieces(self, path, body):
        """The words of the answer, each with the space before it."""
        return re.findall(r"\s*\S+", self.words(path, body))

    def words(self, path, body):
        if path != "/v1/chat/completions":
            raise ValueError(f"no such path: {path}")
        request = json.loads(body)
        if unknown := set(request) - FIELDS:
            raise ValueError(f"unknown fields: {sorted(unknown)}")
        if request.get("model") != self.NAME or request.get("stream") is not True:
            raise ValueError("another model is asked, or no stream is")
        messages = request.get("messages")
        if not isinstance(messages, list) or not messages:
            raise ValueError("messages is a list")
        roles = [message.get("role") for message in messages]
        if any(set(message) != {"role", "content"} or not isinstance(message["content"], str) or not message["content"].strip()
               for message in messages):
            raise ValueError("each message holds a role and words")
        if roles[0] != "system" or set(roles[1:]) - {"user", "assistant"} or roles[-1] != "user":
            raise ValueError(f"roles out of order: {roles}")
        return self.said(one_line(messages[-1]["content"]))

    def said(self, prompt):
        endings = [script for message, script in self.scripts.items() if prompt.endswith(message)]
        if endings:
            return max(endings, key=lambda script: len(script.message)).next()
        if "Companion:" in prompt or "Person:" in prompt:
            return "none"
        raise ValueError(f"no script for: {prompt[-120:]!r}")


def one_line(text):
    return " ".join(text.split())
