"""Tells which of the service's own replies a text is, by the wordings in lines.yaml."""

import re

import yaml


class CannedReplies:
    """The wordings, each as a pattern with its name: "fall.high", "check", "fallback"."""

    def __init__(self, path):
        self.patterns = []
        root = yaml.safe_load(path.read_text(encoding="utf-8"))
        for danger in root.get("dangers", []):
            name = f"{danger['category']}.{danger['level']}"
            for source in (danger, danger.get("unannounced", {})):
                self.add(name, source)
        self.collect("", {key: value for key, value in root.items() if key != "dangers"})

    def collect(self, name, node):
        if not isinstance(node, dict):
            return
        if "en" in node or "es" in node:
            self.add(name, node)
        for key, value in node.items():
            if key not in ("en", "es", "words"):
                self.collect(f"{name}.{key}".strip("."), value)

    def add(self, name, source):
        for language in ("en", "es"):
            for text in source.get(language, []) or []:
                if isinstance(text, str):
                    pattern = re.sub(r"\\\{\w+\\\}", ".{1,60}?", re.escape(text))
                    self.patterns.append((name, re.compile(pattern + r"\Z"), text))

    def name(self, text):
        """The name of the wording that a text is, whole; None when it is none."""
        for name, pattern, _ in self.patterns:
            if pattern.match(text):
                return name
        return None
