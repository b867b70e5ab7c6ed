#!/usr/bin/python3
"""Serves one GGUF file over HTTP with llama.cpp, as the child process of `hearth up`.

    /usr/bin/python3 scripts/model-server.py --model FILE [--port N] [--parent PID]

Once the model is loaded, one line goes to standard output, and nothing else ever does:

    listening http://127.0.0.1:41837

From then on `/health` answers 200 and `/v1/chat/completions` speaks the OpenAI dialect, with the chat template
that the file itself carries. Until then the port is bound and `/health` answers 503.

Ends: SIGTERM ends the process at once, also while a reply is being generated, because its disposition stays the
kernel's own. A handler in Python could not run while llama.cpp holds the interpreter during the load, and its
destructor waits for running generations, up to 20 s. There is nothing to save: the model is mapped read-only.
SIGINT is ignored under a parent, so that Ctrl-C in a terminal lets the service drain before it stops the model.
Exit codes: 1 the model could not be served (one sentence on standard error says why), 2 wrong arguments,
3 the parent died.
"""

import argparse
import os
import pathlib
import signal
import sys
import threading
import time

ENGINE = pathlib.Path(__file__).resolve().parent.parent / ".deps" / "llama"
ERRORS_AND_WARNINGS, EVERYTHING_BUT_DEBUG = 2, 3


def arguments():
    parser = argparse.ArgumentParser(description="Serves one GGUF file over HTTP with llama.cpp.")
    parser.add_argument("--model", required=True, help="the GGUF file")
    parser.add_argument("--host", default="127.0.0.1", help="address to bind (%(default)s)")
    parser.add_argument("--port", type=int, default=0, help="port to bind; 0 takes a free one (%(default)s)")
    parser.add_argument("--slots", type=positive, default=4, help="replies generated at once (%(default)s)")
    parser.add_argument("--context", type=positive, default=2048, help="tokens a slot holds (%(default)s)")
    parser.add_argument("--threads", type=positive, default=half(), help="compute threads (%(default)s)")
    parser.add_argument("--cache", type=int, default=256, help="MiB for displaced prompts (%(default)s)")
    parser.add_argument("--max-tokens", type=positive, default=256, help="longest reply in tokens (%(default)s)")
    parser.add_argument("--nice", type=int, default=0, help="how far to yield to other programs (%(default)s)")
    parser.add_argument("--engine", default=str(ENGINE), help="folder of the unpacked xllamacpp wheel")
    parser.add_argument("--parent", type=int, help="process that this one must not outlive")
    parser.add_argument("--verbose", action="store_true", help="log each request's timings to standard error")
    return parser.parse_args()


def half():
    """How many threads compute: half the processors.

    They wait for each other after every layer, spinning. Where one shares its processor with the service, the database
    or a build, all stand still: two threads on two busy processors took 400 to 900 ms a token, one took 35 to 60."""
    return max(1, (os.cpu_count() or 1) // 2)


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not at least 1")
    return number


def fail(sentence):
    print(f"model-server: {sentence}", file=sys.stderr, flush=True)
    sys.exit(1)


def die_with(parent):
    """Exits within 0.2 s of the parent's death, however it died.

    PR_SET_PDEATHSIG would not do: the kernel sends it when the *thread* that spawned the child ends, and a
    service's worker threads come and go."""

    def watch():
        while os.getppid() == parent:
            time.sleep(0.2)
        os._exit(3)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=watch, daemon=True).start()


def load_engine(folder):
    sys.dont_write_bytecode = True
    sys.path.insert(0, folder)
    try:
        import xllamacpp
    except ImportError as error:
        fail(f"the llama.cpp engine is not in {folder} ({error}); run: make setup")
    return xllamacpp


def parameters(engine, asked):
    params = engine.CommonParams()
    params.model.path = asked.model
    params.model_alias = {pathlib.Path(asked.model).stem}
    params.hostnames, params.port = [asked.host], asked.port
    params.n_parallel, params.n_ctx = asked.slots, asked.slots * asked.context
    params.n_predict = asked.max_tokens
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = asked.threads
    # A slot keeps the tokens of its last prompt, and a turn pays only for those that differ. A patient comes back to the
    # slot that is most like the prompt. Seven tenths is less than all prompts share, so that the first slot that has read
    # the fixed part serves whoever speaks first; what is displaced is kept in memory.
    params.cache_prompt, params.slot_prompt_similarity = True, 0.7
    params.cache_ram_mib, params.cache_idle_slots = asked.cache, False
    params.use_jinja, params.fit_params = True, False
    # Other programs on the machine may reach the port: no page, no listing of what is being said, no foreign origin.
    params.ui, params.endpoint_slots, params.endpoint_props, params.cors_origins = False, False, False, "null"
    params.verbosity = EVERYTHING_BUT_DEBUG if asked.verbose else ERRORS_AND_WARNINGS
    return params


def main():
    asked = arguments()
    if not os.access(asked.model, os.R_OK):
        fail(f"the model file {asked.model} cannot be read")
    if asked.parent is not None:
        die_with(asked.parent)
    os.nice(asked.nice)
    engine = load_engine(asked.engine)
    try:
        server = engine.Server(parameters(engine, asked))
    except Exception as error:
        fail(f"{asked.model} cannot be served on {asked.host}:{asked.port} ({error})")
    print(f"listening {server.listening_address}", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
