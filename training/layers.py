"""Trains the layers whose vectors the detectors read, and writes them with their heads.

    layers.py [--epochs N] [--first LAYER] [--go-on]

The sentence model's last layers are copied and trained further, on messages and sentences of replies together, with the heads
of both detectors on the mean of their states. Weights are rounded to 4 bits in every step, as they are written. A fifth of
the voices stays unseen, for train.py to calibrate with. The figures printed are of those voices.

Messages are shorter in the corpus than in talk. So a part of them is also learned with a sentence of small talk before or
behind, and a part as speech recognition writes it, in small letters without punctuation; the labels stay.

Needs PyTorch 2 beside what train.py needs; on two cores an epoch takes eight minutes, and the states 2 GB of memory.
"""

import argparse
import copy
import ctypes
import hashlib
import pathlib
import random
import re
import time

import numpy
import torch
from torch import nn
from torch.nn import functional

import corpus
import e5_file
import layer_file
import measures
import train

ROOT = train.ROOT
LONGEST, TOKENS = 1024, 128
# The vector has length 1; the heads read it so many times longer.
STRETCH = 16
SHARES = {"drop": 0.1, "hidden_tokens": 0.05, "warm_up": 0.06, "joined": 0.3, "bare": 0.1}
RATES = {"layers": 1.5e-4, "heads": 1e-3}
# Layers that were trained before go on more slowly.
SLOWER = 0.6
# The most words of a message that small talk is joined to, and of the small talk.
JOINED_WORDS = (20, 14)


def rounded(weight):
    """The weight as 4 bits hold it; its gradient passes unchanged."""
    blocks = weight.detach().reshape(-1, e5_file.BLOCK)
    greatest = blocks.gather(1, blocks.abs().argmax(1, keepdim=True))
    scales = (greatest / -8).half().float()
    inverse = torch.where(scales == 0, torch.zeros_like(scales), 1 / scales)
    numbers = (blocks * inverse + 8.5).floor().clamp(0, 15) - 8
    return weight + ((numbers * scales).reshape(weight.shape) - weight).detach()


class Layer(nn.Module):
    """One layer of the encoder."""

    def __init__(self, parts, heads, is_trained):
        super().__init__()
        for name, value in parts.items():
            self.register_parameter(name, nn.Parameter(torch.from_numpy(value), requires_grad=is_trained))
        self.count, self.is_trained = heads, is_trained

    def _linear(self, states, weight, bias):
        return functional.linear(states, rounded(weight) if self.is_trained else weight, bias)

    def _added(self, states, more, weight, bias):
        more = functional.dropout(more, SHARES["drop"], self.training)
        return functional.layer_norm(states + more, states.shape[-1:], weight, bias, 1e-12)

    def forward(self, states, mask):
        texts, tokens, width = states.shape

        def parted(part):
            return part.view(texts, tokens, self.count, width // self.count).transpose(1, 2)

        query, key, value = (
            parted(self._linear(states, weight, bias))
            for weight, bias in ((self.qw, self.qb), (self.kw, self.kb), (self.vw, self.vb))
        )
        drop = SHARES["drop"] if self.training else 0.0
        context = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=drop)
        context = self._linear(context.transpose(1, 2).reshape(texts, tokens, width), self.ow, self.ob)
        states = self._added(states, context, self.ln1w, self.ln1b)
        wide = functional.gelu(self._linear(states, self.iw, self.ib))
        return self._added(states, self._linear(wide, self.fw, self.fb), self.ln2w, self.ln2b)


def varied(messages, noise):
    """Messages with small talk joined to them, and messages in small letters without punctuation."""
    messages = [message for message in messages if not corpus.is_kept_from_layers(message.voice)]
    words = numpy.array([len(message.text.split()) for message in messages])
    idle = {
        language: [
            message.text for message, count in zip(messages, words)
            if (message.language, message.level, message.category) == (language, "none", "none") and count <= JOINED_WORDS[1]
        ]
        for language in ("en", "es")
    }
    found = []
    for place in numpy.flatnonzero((noise.random(len(messages)) < SHARES["joined"]) & (words <= JOINED_WORDS[0])):
        parts = [messages[place].text, str(noise.choice(idle[messages[place].language]))]
        found.append(_copied(messages[place], " ".join(parts if noise.random() < 0.5 else reversed(parts))))
    for place in numpy.flatnonzero(noise.random(len(messages)) < SHARES["bare"]):
        found.append(_copied(messages[place], re.sub(r"[^\w\s']", "", messages[place].text.lower())))
    return found


def _copied(message, text):
    twin = copy.copy(message)
    twin.text = text
    return twin


def mask_of(there):
    """What attention adds for tokens that are not there."""
    return torch.zeros(there.shape[0], 1, 1, there.shape[1]).masked_fill(~there[:, None, None, :], -1e9)


class Reader(nn.Module):
    """The trained layers and the heads of both purposes."""

    def __init__(self, model, first, outputs):
        super().__init__()
        self.layers = nn.ModuleList(Layer(model.layer(number), model.heads, True) for number in range(first, model.layers))
        self.heads = nn.ModuleDict({purpose: nn.Linear(model.width, count) for purpose, count in outputs.items()})
        for head in self.heads.values():
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)

    def forward(self, purpose, states, there):
        mask = mask_of(there)
        for layer in self.layers:
            states = layer(states, mask)
        share = there.float().unsqueeze(-1)
        mean = functional.normalize((states * share).sum(1) / share.sum(1), dim=1)
        return self.heads[purpose](STRETCH * mean)


class States:
    """The states of texts' tokens before the first trained layer, one text behind another."""

    def __init__(self, texts, model, first):
        tokens = _tokens(texts)
        self.ends = numpy.concatenate([[0], numpy.cumsum([len(read) for read in tokens])])
        self.lengths = numpy.diff(self.ends)
        self.numbers = numpy.empty((self.ends[-1], model.width), numpy.float16)
        table, places = model.tokens(), torch.from_numpy(model.floats("emb.pos", model.places, model.width))
        kind = torch.from_numpy(model.floats("emb.type", model.width))
        scale, shift = (torch.from_numpy(model.floats(name, model.width)) for name in ("emb.ln.w", "emb.ln.b"))
        layers = [Layer(model.layer(number), model.heads, False).eval() for number in range(first)]
        with torch.no_grad():
            for chosen in self.batches(numpy.arange(len(texts)), 4096):
                there = self._there(chosen)
                states = torch.zeros(*there.shape, model.width)
                for row, place in enumerate(chosen):
                    states[row, : len(tokens[place])] = torch.from_numpy(table[tokens[place]].astype(numpy.float32))
                states = functional.layer_norm(states + places[: there.shape[1]] + kind, (model.width,), scale, shift, 1e-12)
                for layer in layers:
                    states = layer(states, mask_of(there))
                for row, place in enumerate(chosen):
                    part = slice(self.ends[place], self.ends[place + 1])
                    self.numbers[part] = states[row, : self.lengths[place]].half().numpy()

    def _there(self, chosen):
        return torch.arange(int(self.lengths[chosen].max()))[None] < torch.from_numpy(self.lengths[chosen])[:, None]

    def batches(self, chosen, tokens, noise=None):
        """Groups of texts of like length, each of at most so many tokens."""
        keys = self.lengths[chosen] + (0 if noise is None else noise.random(len(chosen)) * 4)
        groups, group = [], []
        for place in chosen[numpy.argsort(keys, kind="stable")]:
            if group and (len(group) + 1) * self.lengths[place] > tokens:
                groups.append(numpy.array(group))
                group = []
            group.append(place)
        return groups + ([numpy.array(group)] if group else [])

    def of(self, chosen):
        there = self._there(chosen)
        states = numpy.zeros((*there.shape, self.numbers.shape[1]), numpy.float32)
        for row, place in enumerate(chosen):
            states[row, : self.lengths[place]] = self.numbers[self.ends[place] : self.ends[place + 1]]
        return torch.from_numpy(states), there


def _tokens(texts):
    library = ctypes.CDLL(str(ROOT / ".deps/e5/libe5.so"))
    library.e5_load.restype, library.e5_load.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
    integers = ctypes.POINTER(ctypes.c_int)
    library.vectors_tokens.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, integers, ctypes.c_int]
    model = library.e5_load(str(ROOT / ".deps/e5/e5-small-q4.bin").encode())
    buffer, found = (ctypes.c_int * 4096)(), []
    for text in texts:
        count = library.vectors_tokens(model, text.replace("\0", " ")[:LONGEST].encode(), 1, buffer, len(buffer))
        found.append(numpy.array(buffer[: min(count, TOKENS)], numpy.int64))
    return found


def loss_of(data, outputs, chosen):
    """The heads' losses, by their weights."""
    targets, importance = torch.from_numpy(data.targets[chosen]), torch.from_numpy(data.importance[chosen])
    total, start = 0, 0
    for place, head in enumerate(data.heads):
        part = slice(start, start + len(head.labels))
        start = part.stop
        if head.kind == "softmax":
            loss = -(targets[:, part] * functional.log_softmax(outputs[:, part], 1)).sum(1)
        else:
            loss = functional.binary_cross_entropy_with_logits(outputs[:, part], targets[:, part], reduction="none").sum(1)
        total = total + head.weight * (loss * importance[:, place]).mean()
    return total


def report(reader, sets):
    """Prints how well the vector alone does on the voices that stay unseen."""
    reader.eval()
    for purpose, (data, states) in sets.items():
        unseen = numpy.flatnonzero([corpus.is_kept_from_layers(voice) for voice in data.voices])
        numbers = numpy.zeros((len(data.voices), data.targets.shape[1]), numpy.float32)
        with torch.no_grad():
            for chosen in states.batches(unseen, 4096):
                numbers[chosen] = reader(purpose, *states.of(chosen)).numpy()
        part, numbers = data[unseen], numbers[unseen]
        truths = {"danger": (1, part.targets[:, 1]), "scam": (4, part.targets[:, 4 % part.targets.shape[1]])}
        for name, (at, truth) in (truths if purpose == "messages" else {"bad": (0, part.targets[:, 0])}).items():
            print(f"  {name}: area {measures.area(numbers[:, at], truth > 0.5):.4f}", flush=True)
    reader.train()


def fit(reader, sets, epochs, pace, noise):
    """Trains by AdamW; the rate falls in a straight line."""
    seen = {
        purpose: numpy.flatnonzero([not corpus.is_kept_from_layers(voice) for voice in data.voices])
        for purpose, (data, _) in sets.items()
    }

    def plan():
        found = [(purpose, chosen) for purpose, (_, states) in sets.items() for chosen in states.batches(seen[purpose], 1600, noise)]
        random.shuffle(found)
        return found

    groups = [
        {"params": [part for part in reader.layers.parameters() if part.dim() > 1], "lr": RATES["layers"], "weight_decay": 0.01},
        {"params": [part for part in reader.layers.parameters() if part.dim() == 1], "lr": RATES["layers"], "weight_decay": 0},
        {"params": list(reader.heads.parameters()), "lr": RATES["heads"], "weight_decay": 1e-4},
    ]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98))
    highest = [pace * group["lr"] for group in optimizer.param_groups]
    steps, step, began = max(1, int(epochs * len(plan()))), 0, time.time()
    while step < steps:
        for purpose, chosen in plan():
            if step == steps:
                break
            share = min(1, step / steps / SHARES["warm_up"]) * (1 - step / steps) + 1e-4
            for group, rate in zip(optimizer.param_groups, highest):
                group["lr"] = rate * share
            data, states = sets[purpose]
            numbers, there = states.of(chosen)
            hidden = (torch.rand(there.shape) < SHARES["hidden_tokens"]) & there
            hidden[:, 0] = False
            loss = loss_of(data, reader(purpose, numbers, there & ~hidden), chosen)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimizer.step()
            step += 1
            if step % 200 == 0:
                print(f"{step} of {steps} steps, {time.time() - began:.0f} s, loss {loss.item():.3f}", flush=True)
        report(reader, sets)


def take_up(reader, first):
    """Gives the reader the layers and heads that were written last."""
    shapes = {name: part.shape for name, part in reader.layers[0].named_parameters()}
    written = layer_file.read(ROOT / "Engine" / "reading.layers", first, len(reader.layers), shapes)
    with torch.no_grad():
        for layer, parts in zip(reader.layers, written):
            for name, part in layer.named_parameters():
                part.copy_(torch.from_numpy(parts[name]))
        for purpose, head in reader.heads.items():
            numbers = torch.from_numpy(layer_file.read_heads(ROOT / "training" / "layer_heads.npz", purpose))
            head.weight.copy_(numbers[:-1].T / STRETCH)
            head.bias.copy_(numbers[-1])


def write(reader, first):
    """Writes layers and heads, and the layers' digest into the source that names their space."""
    path = ROOT / "Engine" / "reading.layers"
    layer_file.write(path, first, [{name: part.detach().numpy() for name, part in layer.named_parameters()} for layer in reader.layers])
    heads = {
        purpose: numpy.vstack([STRETCH * head.weight.detach().numpy().T, head.bias.detach().numpy()[None]])
        for purpose, head in reader.heads.items()
    }
    layer_file.write_heads(ROOT / "training" / "layer_heads.npz", heads)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    source = ROOT / "Sources/Recall/Embedding/E5Model.swift"
    source.write_text(re.sub(r'(layersDigest = ")\w+', rf"\g<1>{digest}", source.read_text()))
    print(f"{path}: {path.stat().st_size} bytes, SHA-256 {digest}; run make setup, then make train")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=pathlib.Path, default=ROOT / "corpus")
    parser.add_argument("--epochs", type=float, default=3)
    parser.add_argument("--first", type=int, default=8, help="the first layer that is trained, from 0")
    parser.add_argument("--go-on", action="store_true", help="begin with the layers and heads as they were written last")
    options = parser.parse_args()
    torch.manual_seed(0)
    random.seed(0)
    model, sets = e5_file.E5File(ROOT / ".deps/e5/e5-small-q4.bin"), {}
    noise = numpy.random.default_rng(0)
    for purpose, make in (("messages", train.message_set), ("replies", train.reply_set)):
        sentences = corpus.read(options.corpus, purpose)
        data = make(sentences + varied(sentences, noise) if purpose == "messages" else sentences)
        sets[purpose] = (data, States([sentence.text for sentence in data.sentences], model, options.first))
        print(f"{purpose}: {len(data.voices)} texts, {sets[purpose][1].ends[-1]} tokens", flush=True)
    reader = Reader(model, options.first, {purpose: data.targets.shape[1] for purpose, (data, _) in sets.items()})
    if options.go_on:
        take_up(reader, options.first)
    fit(reader, sets, options.epochs, SLOWER if options.go_on else 1, noise)
    write(reader, options.first)


if __name__ == "__main__":
    main()
