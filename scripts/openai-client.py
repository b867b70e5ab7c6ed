"""Chats with a running service through the official OpenAI client, streaming and not, and checks what comes back."""

import sys

import openai

DEMONSTRATION_PATIENT = "00000000-0000-4000-8000-000000000002"


def main(base_url: str, key: str) -> None:
    client = openai.OpenAI(base_url=base_url, api_key=key, max_retries=0, timeout=10)
    names = [model.id for model in client.models.list()]
    assert "hearth" in names, names

    whole = client.chat.completions.create(
        model="hearth",
        user=DEMONSTRATION_PATIENT,
        messages=[{"role": "user", "content": "Good morning, how are you today?"}],
    )
    text = whole.choices[0].message.content
    assert 1 <= len(text.split()) <= 20, text
    assert whole.choices[0].finish_reason == "stop"
    assert whole.usage.completion_tokens >= 0

    stream = client.chat.completions.create(
        model="hearth",
        user=DEMONSTRATION_PATIENT,
        messages=[{"role": "user", "content": "Tell me about the garden."}],
        stream=True,
        stream_options={"include_usage": True},
    )
    pieces, finished, usage = [], None, None
    for chunk in stream:
        if chunk.choices:
            pieces.append(chunk.choices[0].delta.content or "")
            finished = chunk.choices[0].finish_reason or finished
        usage = chunk.usage or usage
    streamed = "".join(pieces)
    assert 1 <= len(streamed.split()) <= 20, streamed
    assert finished == "stop" and usage is not None

    try:
        client.chat.completions.create(model="no-such-model", messages=[{"role": "user", "content": "hello"}])
        raise AssertionError("an unknown model was accepted")
    except openai.NotFoundError as error:
        assert error.code, error
    try:
        openai.OpenAI(base_url=base_url, api_key="wrong", max_retries=0).models.list()
        raise AssertionError("a wrong key was accepted")
    except openai.AuthenticationError:
        pass
    print(f"whole: {text}\nstreamed: {streamed}")


main(*sys.argv[1:])
