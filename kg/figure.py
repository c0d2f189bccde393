"""The static figure: a network to print, the same bytes each time.

Nodes by area ∝ papers, ties by width ∝ root of the weight, colours by community (or component), names where
they fit without covering each other, the most connected first. Nodes without ties are counted in the caption,
not drawn.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from kg import analysis as analyses
from kg.palette import colour

if TYPE_CHECKING:
    from kg.analysis import Analysis

#: Fonts with Chinese glyphs, as Linux, macOS and Windows name them.
CHINESE = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
    "PingFang SC",
    "Hiragino Sans GB",
    "Microsoft YaHei",
    "SimHei",
)
NAMES, SIDE = 60, 10.0
#: points between two nodes
ROOM = 9.0
INK, PALE = "#1b1b1f", "#8a8a94"


def chinese_font() -> str | None:
    """An installed font with Chinese glyphs, if there is one."""
    from matplotlib import font_manager

    installed = {entry.name for entry in font_manager.fontManager.ttflist}
    return next((name for name in CHINESE if name in installed), None)


def wide(text: str) -> bool:
    """Does it need a font with Chinese (or Japanese, Korean) glyphs?"""
    return any("\u2e80" <= c <= "\uffef" for c in text)


def warning(analysis: Analysis) -> str | None:
    """What the figure cannot show on this machine."""
    if any(wide(node.label) for node in analysis.network.nodes) and chinese_font() is None:
        return "no installed font has Chinese glyphs, so those names are drawn as boxes: install fonts-noto-cjk"
    return None


def draw(analysis: Analysis, out: BinaryIO, format: str, *, heading: str | None = None) -> None:
    """Draw into ``out`` as ``svg``, ``pdf`` or ``png``."""
    import matplotlib as mpl

    fonts = [name for name in ("DejaVu Sans", chinese_font()) if name]
    fixed: Any = {"svg.hashsalt": "confkg", "svg.fonttype": "path", "pdf.fonttype": 42, "font.family": fonts}
    with mpl.rc_context({**fixed, "axes.unicode_minus": False}):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure(figsize=(SIDE, SIDE * 0.86))
        FigureCanvasAgg(figure)
        _compose(figure, analysis, heading or analyses.title(analysis))
        # No date and no version: the same network gives the same bytes.
        metadata = {"svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None, "Producer": None}}
        about: dict[str, Any] = metadata.get(format, {"Software": None})
        figure.savefig(out, format=format, dpi=200, metadata=about, facecolor="white")


def _compose(figure: Any, analysis: Analysis, heading: str) -> None:
    axes = figure.add_axes((0.01, 0.07, 0.98, 0.86))
    axes.set_axis_off()
    network, degree = analysis.network, analysis.get("degree").values
    drawn = np.flatnonzero(degree > 0)
    figure.text(0.02, 0.965, heading, fontsize=13, fontweight="bold", color=INK, va="center")
    covered, alone = analysis.summary["coverage"], network.order - len(drawn)
    caption = f"{covered['covered']} of {covered['papers']} papers name at least one {_noun(network.level)}"
    caption += f"; {alone} without ties are not drawn" if alone else ""
    caption += ". Area: papers. Width: weight of the tie. Colour: " + _colours(analysis) + "."
    figure.text(0.02, 0.03, caption, fontsize=8.5, color="#55555e", va="center")
    if not len(drawn):
        axes.text(0.5, 0.5, "no ties", ha="center", color=PALE, transform=axes.transAxes)
        return
    _draw(axes, analysis, drawn)


def _noun(level: str) -> str:
    return {"mention": "institution", "author": "author"}.get(level, level)


def _colours(analysis: Analysis) -> str:
    found = "community" if any(m.name == "communities" for m in analysis.measurements) else "component"
    return f"{found} (the ten largest; others grey)"


def _draw(axes: Any, analysis: Analysis, drawn: Any) -> None:
    from matplotlib.collections import LineCollection

    network, groups = analysis.network, np.array(analysis.groups)
    place = np.zeros((network.order, 2))
    papers = network.papers_per_node[drawn]
    area = 12 + 900 * papers / papers.max() * min(1.0, 60 / len(drawn) + 0.12)
    place[drawn] = _apart(_stretched(analysis.positions[drawn]), np.sqrt(area / np.pi))
    weight = network.weight
    heavy = np.sqrt(weight / weight.max()) if network.size else weight
    order = np.argsort(heavy, kind="stable")
    ends = np.stack([place[network.source], place[network.target]], axis=1)[order]
    same = groups[network.source] == groups[network.target]
    tint = [colour(int(groups[u])) if s else PALE for u, s in zip(network.source[order], same[order], strict=True)]
    # A dense network must stay light: the more ties, the fainter each.
    faint = min(1.0, 14 / math.sqrt(max(network.size, 1)))
    alpha = np.clip((0.12 + 0.75 * heavy[order]) * faint + 0.06, 0.03, 0.85)
    lines = LineCollection(
        list(ends), colors=tint, linewidths=0.3 + 4.5 * heavy[order], alpha=alpha, capstyle="round", zorder=1
    )
    lines.set_rasterized(network.size > 5000)  # an SVG of more lines than that opens slowly
    axes.add_collection(lines)
    tints = [colour(int(groups[i])) for i in drawn]
    top_first = np.argsort(-papers, kind="stable")
    axes.scatter(
        *place[drawn][top_first].T,
        s=area[top_first],
        c=[tints[i] for i in top_first],
        edgecolors="white",
        linewidths=0.8,
        zorder=2,
    )
    axes.set_xlim(-0.07, 1.07)
    axes.set_ylim(-0.05, 1.05)
    _names(axes, analysis, drawn, place, area)


def _stretched(place: Any) -> Any:
    """Positions over the whole page: each axis from 0 to 1, outliers drawn in."""
    low, high = np.quantile(place, [0.01, 0.99], axis=0) if len(place) > 50 else (place.min(axis=0), place.max(axis=0))
    return np.clip((place - low) / np.maximum(high - low, 1e-9), -0.04, 1.04)


def _apart(place: Any, radius: Any) -> Any:
    """Positions at which discs of these radii (in points) leave room for a name between them, each moved little."""
    from scipy.spatial import cKDTree

    unit = np.array([SIDE * 72 * 0.98 / 1.14, SIDE * 72 * 0.86 * 0.86 / 1.1])  # points of one unit of the axes
    spot = place * unit
    for _ in range(80):
        pairs = cKDTree(spot).query_pairs(2 * float(radius.max()) + ROOM, output_type="ndarray")
        if not len(pairs):
            break
        pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
        a, b = pairs.T
        away = spot[a] - spot[b]
        far = np.hypot(*away.T)
        lack = radius[a] + radius[b] + ROOM - far
        close = lack > 0.01
        if not close.any():
            break
        a, b, away, far, lack = a[close], b[close], away[close], far[close], lack[close]
        away[far < 1e-9] = (1.0, 0.0)
        step = away / np.maximum(far, 1e-9)[:, None] * lack[:, None] / 2
        np.add.at(spot, a, step)
        np.add.at(spot, b, -step)
    return spot / unit


def _names(axes: Any, analysis: Analysis, drawn: Any, place: Any, area: Any) -> None:
    """Names beside their nodes where there is room: right, left, above, below; the most papers first."""
    from matplotlib import patheffects

    network, figure = analysis.network, axes.figure
    renderer = figure.canvas.get_renderer()
    papers, strength = network.papers_per_node, analysis.get("strength").values
    size = dict(zip(drawn.tolist(), np.sqrt(area / np.pi).tolist(), strict=True))
    order = sorted(drawn.tolist(), key=lambda i: (-papers[i], -strength[i], network.nodes[i].id))[:NAMES]
    discs = _discs(axes, [place[i] for i in drawn.tolist()], [size[i] for i in drawn.tolist()])
    disc = dict(zip(drawn.tolist(), discs, strict=True))
    taken: list[Any] = []
    outline = [patheffects.withStroke(linewidth=2.2, foreground="white", alpha=0.85)]
    page = axes.get_window_extent(renderer)
    for rank, i in enumerate(order):
        points = 9.5 if rank < 12 else 7.5 if rank < 30 else 6.5
        gap = size[i] + 1.5
        slant = gap * 0.75
        spots = (
            (gap, 0, "left", "center"),
            (-gap, 0, "right", "center"),
            (0, gap, "center", "bottom"),
            (0, -gap, "center", "top"),
            (slant, slant, "left", "bottom"),
            (slant, -slant, "left", "top"),
            (-slant, slant, "right", "bottom"),
            (-slant, -slant, "right", "top"),
        )
        # The largest nodes get a name even where it covers a node; a name never covers a name.
        covers = (False, True) if rank < 12 else (False,)
        for (dx, dy, horizontal, vertical), over in ((spot, over) for over in covers for spot in spots):
            text = axes.annotate(
                short(network.nodes[i].label),
                place[i],
                (dx, dy),
                textcoords="offset points",
                ha=horizontal,
                va=vertical,
                fontsize=points,
                color=INK,
                path_effects=outline,
                zorder=3,
            )
            box = text.get_window_extent(renderer)
            inside = page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1
            others = [] if over else [other for j, other in disc.items() if j != i]
            if inside and not any(box.overlaps(other) for other in (*taken, *others)):
                taken.append(box)
                break
            text.remove()


def _discs(axes: Any, centres: list[Any], radii: list[float]) -> list[Any]:
    """The middle of each disc as a box in pixels: what a name must not cover."""
    from matplotlib.transforms import Bbox

    pixels = axes.transData.transform(np.array(centres))
    reach = 0.7 * np.array(radii)[:, None] * axes.figure.dpi / 72
    return [Bbox([low, high]) for low, high in zip(pixels - reach, pixels + reach, strict=True)]


def short(label: str, limit: int = 34) -> str:
    """A label that fits beside a node.

    >>> short("Massachusetts Institute of Technology"), short("University of California, Berkeley")
    ('Massachusetts Inst. of Technology', 'Univ. of California, Berkeley')
    """
    replaced = label.replace("University", "Univ.").replace("Institute", "Inst.").replace("Laboratory", "Lab.")
    return replaced if len(replaced) <= limit else replaced[: limit - 1].rstrip(" ,") + "…"
