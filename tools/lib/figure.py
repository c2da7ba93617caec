"""Plots as SVG, with nothing but the standard library."""
import html
import math

WIDTH, HEIGHT = 560, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 16, 34, 48
COLOURS = ["#1f5fa8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#555555", "#17a2b8", "#e377c2", "#8c564b", "#7f9f00", "#00204a", "#ff6f00"]


class Axis:
    def __init__(self, values, log, first, last, room=0.0):
        self.log, self.first, self.last = log, first, last
        low, high = min(values), max(values)
        if log:
            low, high = math.log10(low), math.log10(high)
        margin = 0.05 * (high - low) or 0.5 * abs(high) or 1.0
        self.low, self.high = low - margin, high + margin + room * (high - low)

    def __call__(self, value):
        value = math.log10(value) if self.log else value
        return self.first + (value - self.low) / (self.high - self.low) * (self.last - self.first)

    def ticks(self):
        if self.log:
            decades = range(math.ceil(self.low), math.floor(self.high) + 1)
            if len(decades) >= 2:
                return [10.0 ** k for k in decades]
            for mantissas in ((1, 2, 5), range(1, 10), [m / 10 for m in range(10, 100)]):  # the fewest that are two
                found = [m * 10.0 ** k for k in range(math.floor(self.low), math.ceil(self.high) + 1) for m in mantissas
                         if self.low <= math.log10(m * 10.0 ** k) <= self.high]
                if len(found) >= 2:
                    break
            return found
        rough = (self.high - self.low) / 6
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough)
        count = range(math.ceil(self.low / step), math.floor(self.high / step) + 1)
        return [k * step for k in count]


def plot(file, title, x_label, y_label, series, log=False, legend="left", room=0.0):
    """series: [(label, x, y, "line" | "points" | "both" | "dashes"), ...]. legend: the upper corner that holds it, "left" or "right"; room: above
    the curves, for it, of their height."""
    x = Axis([v for s in series for v in s[1]], log, LEFT, WIDTH - RIGHT)
    y = Axis([v for s in series for v in s[2]], log, HEIGHT - BOTTOM, TOP, room)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
           'font-family="sans-serif" font-size="12">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']

    def text(px, py, words, anchor="middle", more=""):
        out.append(f'<text x="{px:.1f}" y="{py:.1f}" text-anchor="{anchor}"{more}>{html.escape(words)}</text>')
    text(WIDTH / 2, 20, title, more=' font-size="14"')
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_label)
    text(16, (TOP + HEIGHT - BOTTOM) / 2, y_label, more=f' transform="rotate(-90 16 {(TOP + HEIGHT - BOTTOM) / 2})"')
    for value in x.ticks():
        out.append(f'<line x1="{x(value):.1f}" x2="{x(value):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#e4e4e4"/>')
        text(x(value), HEIGHT - BOTTOM + 16, f"{value:.4g}")
    for value in y.ticks():
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#e4e4e4"/>')
        text(LEFT - 6, y(value) + 4, f"{value:.4g}", "end")
    out.append(f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH - RIGHT - LEFT}" height="{HEIGHT - BOTTOM - TOP}" fill="none" '
               'stroke="black"/>')
    for i, (label, xs, ys, style) in enumerate(series):
        colour = COLOURS[i % len(COLOURS)]
        places = [(x(a), y(b)) for a, b in zip(xs, ys)]
        if style != "points":
            dashes = ' stroke-dasharray="5 4"' if style == "dashes" else ""
            out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.5"{dashes} points="'
                       + " ".join(f"{a:.1f},{b:.1f}" for a, b in places) + '"/>')
        if style in ("points", "both"):
            out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5" fill="white" stroke="{colour}" stroke-width="1.5"/>'
                    for a, b in places]
    for i, (label, _, _, style) in enumerate(series):
        colour, py = COLOURS[i % len(COLOURS)], TOP + 14 + 16 * i
        px = LEFT + 10 if legend == "left" else WIDTH - RIGHT - 40 - 6.2 * max(len(s[0]) for s in series)
        if style == "points":
            out.append(f'<circle cx="{px + 10}" cy="{py - 4}" r="3.5" fill="white" stroke="{colour}" stroke-width="1.5"/>')
        else:
            dashes = ' stroke-dasharray="5 4"' if style == "dashes" else ""
            out.append(f'<line x1="{px}" x2="{px + 20}" y1="{py - 4}" y2="{py - 4}" stroke="{colour}" stroke-width="1.5"{dashes}/>')
        text(px + 26, py, label, "start")
    out.append("</svg>\n")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(out))
