"""A strict mail server for tests: STARTTLS and a login are asked for. Prints its port, then a line of JSON for each mail.

Ends when its standard input ends. With --plain it offers no TLS.
"""

import asyncio
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword


class Inbox:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("gone@"):
            return "550 5.1.1 no such mailbox"
        if address.startswith("later@"):
            return "451 4.3.0 try again"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "tls": session.ssl is not None,
            "login": session.authenticated,
            "content": envelope.content.decode("utf-8"),
        }
        print(json.dumps(mail), flush=True)
        return "250 taken"


def authenticate(server, session, envelope, mechanism, data):
    is_right = isinstance(data, LoginPassword) and (data.login, data.password) == (b"hearth", b"mail-secret")
    return AuthResult(success=is_right, handled=False)


async def serve(certificate, key, is_plain):
    options = {}
    if not is_plain:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        options = {
            "tls_context": context,
            "require_starttls": True,
            "authenticator": authenticate,
            "auth_required": True,
        }
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Inbox(), loop=loop, **options), "127.0.0.1", 0)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(serve(sys.argv[1], sys.argv[2], "--plain" in sys.argv))
