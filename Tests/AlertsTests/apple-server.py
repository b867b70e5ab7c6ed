"""A strict double of Apple's push service: HTTP/2 over TLS, and a provider token that is checked with its public key.

Arguments: certificate, key, public key of the tokens, key identifier, team, topic. Prints its port, then a line of JSON for
each request: {"taken": …} or {"violation": …}. Each line of its standard input is a fault of the next request:
{"status": 410, "reason": "Unregistered", "headers": {}}; "late" in a fault takes the push and answers with the status.
"""

import asyncio
import base64
import json
import re
import ssl
import sys
import time
import uuid

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, RequestReceived, StreamEnded, StreamReset

CERTIFICATE, KEY, PUBLIC, KEY_ID, TEAM, TOPIC = sys.argv[1:7]
faults = []
seen = {}


def say(**line):
    print(json.dumps(line), flush=True)


def decoded(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def token_fault(value):
    """Why Apple would refuse a provider token; None when it takes it."""
    match = re.fullmatch(r"bearer ([\w-]+)\.([\w-]+)\.([\w-]+)", value or "")
    if not match:
        return "MissingProviderToken"
    header, claims = (json.loads(decoded(part)) for part in match.groups()[:2])
    signature = decoded(match[3])
    if header != {"alg": "ES256", "kid": KEY_ID} or claims.get("iss") != TEAM or set(claims) != {"iss", "iat"}:
        return "InvalidProviderToken"
    if len(signature) != 64:
        return "InvalidProviderToken"
    numbers = utils.encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
    with open(PUBLIC, "rb") as file:
        public = serialization.load_pem_public_key(file.read())
    try:
        public.verify(numbers, f"{match[1]}.{match[2]}".encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return "InvalidProviderToken"
    return None if 0 <= time.time() + 60 - claims["iat"] <= 3660 else "ExpiredProviderToken"


def fault_of(headers, body):
    """Why Apple would refuse a request, as status and reason; None when it takes it."""
    if headers.get(":method") != "POST":
        return 405, "MethodNotAllowed"
    if not re.fullmatch(r"/3/device/[0-9a-f]{64,200}", headers.get(":path", "")):
        return 400, "BadDeviceToken"
    refused = token_fault(headers.get("authorization"))
    if refused:
        return 403, refused
    if headers.get("apns-topic") != TOPIC:
        return 400, "BadTopic"
    kind = headers.get("apns-push-type")
    if kind not in ("alert", "background"):
        return 400, "InvalidPushType"
    if headers.get("apns-priority") != ("10" if kind == "alert" else "5"):
        return 400, "BadPriority"
    if not 0 < len(headers.get("apns-collapse-id", "")) <= 64:
        return 400, "BadCollapseId"
    expiration = headers.get("apns-expiration", "")
    if not expiration.isdigit() or expiration != "0" and not 0 < int(expiration) - time.time() < 30 * 86400:
        return 400, "BadExpirationDate"
    if len(body) > 4096:
        return 413, "PayloadTooLarge"
    try:
        notice = json.loads(body)["aps"]
    except (ValueError, KeyError, TypeError):
        return 400, "PayloadEmpty"
    words, sound = notice.get("alert"), notice.get("sound")
    if notice.get("content-available") != 1 or (kind == "background") != (words is None and sound is None):
        return 400, "BadMessageId"
    if words is not None and (set(words) != {"title", "body"} or sound != "default"):
        return 400, "BadMessageId"
    return None


class Caller(asyncio.Protocol):
    """One connection with its streams."""

    def connection_made(self, transport):
        self.transport = transport
        protocol = transport.get_extra_info("ssl_object").selected_alpn_protocol()
        if protocol != "h2":
            say(violation=f"spoke {protocol}")
            transport.close()
            return
        self.requests = {}
        self.connection = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        self.connection.initiate_connection()
        self.flush()

    def flush(self):
        self.transport.write(self.connection.data_to_send())

    def data_received(self, data):
        for event in self.connection.receive_data(data):
            if isinstance(event, RequestReceived):
                self.requests[event.stream_id] = (dict(event.headers), bytearray())
            elif isinstance(event, DataReceived):
                self.requests[event.stream_id][1].extend(event.data)
                self.connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, StreamReset):
                self.requests.pop(event.stream_id, None)
            elif isinstance(event, StreamEnded):
                self.answer(event.stream_id, *self.requests.pop(event.stream_id))
        self.flush()

    def answer(self, stream, headers, body):
        fault = fault_of(headers, bytes(body))
        due = faults.pop(0) if faults else None
        if fault and fault[1] != "ExpiredProviderToken":
            say(violation=f"{fault}: {body.decode('utf-8', 'replace')}")
        if fault:
            return self.reply(stream, fault[0], {"reason": fault[1]}, {})
        if due and not due.get("late"):
            return self.reply(stream, due["status"], {"reason": due.get("reason", "")}, due.get("headers", {}))
        key = headers["apns-collapse-id"]
        name = seen.setdefault(key, str(uuid.uuid4()).upper())
        say(taken={"headers": headers, "body": json.loads(body), "token": headers[":path"].rsplit("/", 1)[1]})
        if due:
            return self.reply(stream, due["status"], {"reason": due.get("reason", "")}, due.get("headers", {}))
        self.reply(stream, 200, None, {"apns-id": name})

    def reply(self, stream, status, body, headers):
        fields = [(":status", str(status)), *headers.items()]
        self.connection.send_headers(stream, fields, end_stream=body is None)
        if body is not None:
            self.connection.send_data(stream, json.dumps(body).encode(), end_stream=True)


async def serve():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE, KEY)
    context.set_alpn_protocols(["h2"])
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Caller, "127.0.0.1", 0, ssl=context)
    say(port=server.sockets[0].getsockname()[1])
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        order = json.loads(line)
        if "sync" in order:
            say(sync=order["sync"])
            continue
        faults.append(order)
        say(fault=len(faults))


asyncio.run(serve())
