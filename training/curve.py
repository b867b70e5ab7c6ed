"""Draws how true the probabilities of the detectors are."""

COLOURS = {"danger": "#b5482a", "scam": "#2a6fb5", "bad": "#4a8a3a"}
NAMES = {"danger": "danger of medium or above", "scam": "fraud", "bad": "harmful reply"}


def draw(path, curves):
    """Writes an SVG: curves has rows of how many texts, the mean probability said, and the share that was true."""
    size, left, top = 360, 60, 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size + 240}" height="{size + 80}" font-family="sans-serif"'
        ' font-size="13">',
        f'<rect x="{left}" y="{top}" width="{size}" height="{size}" fill="white" stroke="#999"/>',
        f'<path d="M{left} {top + size}L{left + size} {top}" stroke="#bbb" stroke-dasharray="4"/>',
    ]
    for tenth in range(0, 11, 2):
        at = tenth / 10 * size
        parts.append(f'<text x="{left + at}" y="{top + size + 18}" text-anchor="middle">{tenth / 10}</text>')
        parts.append(f'<text x="{left - 8}" y="{top + size - at + 4}" text-anchor="end">{tenth / 10}</text>')
    parts.append(f'<text x="{left + size / 2}" y="{top + size + 42}" text-anchor="middle">probability that is said</text>')
    middle = top + size / 2
    parts.append(f'<text x="18" y="{middle}" text-anchor="middle" transform="rotate(-90 18 {middle})">share that is true</text>')
    for line, (name, rows) in enumerate(curves.items()):
        head = name.split(",")[0]
        points = [(left + said * size, top + size - true * size) for _, said, true in rows]
        track = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        dashes = ' stroke-dasharray="3"' if name.endswith("text") else ""
        parts.append(f'<path d="M{track}" fill="none" stroke="{COLOURS[head]}" stroke-width="2"{dashes}/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLOURS[head]}"/>' for x, y in points]
        y = top + 16 + line * 20
        label = NAMES[head] + (", n-grams alone" if name.endswith("text") and head != "bad" else "")
        parts.append(f'<path d="M{left + size + 12} {y - 4}h24" stroke="{COLOURS[head]}" stroke-width="2"{dashes}/>')
        parts.append(f'<text x="{left + size + 42}" y="{y}" font-size="11">{label}</text>')
    path.write_text("\n".join(parts + ["</svg>"]) + "\n")
