"""Reading listings: every line accounted for whatever the text, neighbours unharmed, other layouts as a person sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from kg.formats import LineLost, Reading, covered_lines, format_module, names, read_path, sniff
from kg.formats.listing import read
from kg.model import Diagnostic, Entry, Heading, Item, Source
from tests.conftest import ROOT, SEEDS

VARIANTS = ROOT.parent / "shared" / "data" / "listing_variants"
SOURCE = Source("x.txt", "", "listing")
SEED = SEEDS[0].read_text("utf-8").splitlines()


def items(text: str) -> list[Item]:
    return list(read(enumerate(text.split("\n"), 1), SOURCE))


def entries(found: Iterable[Item]) -> list[tuple[tuple[str, str], ...]]:
    """What entries say, without where they stand."""
    return [tuple((f.name, f.text) for f in item.fields) for item in found if isinstance(item, Entry)]


def printed() -> list[str]:
    """The entries of the seed as they stand there."""
    return ["\n".join(SEED[e.first_line - 1 : e.last_line]) for e in read_path(str(SEEDS[0])) if isinstance(e, Entry)]


ENTRIES = printed()
#: lines that listings are made of, whole or damaged, and lines that they are not made of
LINES = st.one_of(
    st.sampled_from([line for line in SEED if line.strip()]),
    st.sampled_from(
        [
            "", "  ", "机构 *", "Comments", "Comments:", "Title: A", "标题：甲", "作者: 张三，李四", "摘要", "AI总结",
            "## 2026-02-20", "Page 3", "URL PDF HTML ☆", "赞 0 踩 0", "2601.19245 2026-02-20 cs.AI", "[1] MIT [2] ETH",
            "A. Lee, B. Ng et al.", "**Authors:** A. Lee", "&amp; &lt;b&gt;", "Ｃｏｍｍｅｎｔｓ：ＩＣＭＬ", "\ufeffICML", "---",
            "链接：https://arxiv.org/abs/2601.19245", "1. A Title of a Paper", "- item", "单位：北京大学", "备注：ICML 2026",
        ]
    ),
    st.text(max_size=60),
)  # fmt: skip
QUICK = settings(max_examples=300, phases=(Phase.explicit, Phase.reuse, Phase.generate))


@QUICK
@given(st.lists(LINES, max_size=30))
def test_any_text_is_read_and_every_line_accounted_for(lines: list[str]) -> None:
    text = "\n".join(line.replace("\r", " ") for line in lines)
    split = text.split("\n")
    found = items(text)
    covered = [n for item in found for n in covered_lines(item)]
    assert set(covered) >= {n for n, line in enumerate(split, 1) if line.strip()}
    for item in found:
        if isinstance(item, Entry):
            assert all(f.raw for f in item.fields)
            assert item.first_line <= item.last_line <= len(split)


@QUICK
@given(st.text(max_size=400))
def test_no_text_whatever_breaks_the_reader(text: str) -> None:
    items(text)


@QUICK
@given(
    st.integers(0, 27),
    st.lists(st.sampled_from(["cut", "double", "shuffle", "noise"]), min_size=1, max_size=3),
    st.randoms(),
)
def test_an_entry_whose_neighbour_is_damaged_is_read_as_before(n: int, harms: list[str], random: object) -> None:
    before, victim, after = ENTRIES[n], ENTRIES[n + 1].split("\n"), ENTRIES[n + 2]
    harm: dict[str, Callable[[], list[str]]] = {
        "cut": lambda: [line[: len(line) // 2] for line in victim],
        "double": lambda: victim + victim[-1:],
        "shuffle": lambda: victim[:1] + random.sample(victim[1:], len(victim) - 1),  # type: ignore[attr-defined]
        "noise": lambda: [line for pair in zip(victim, [""] * len(victim), strict=True) for line in pair],
    }
    for name in harms:
        victim = harm[name]()
    text = "\n\n".join([before, "\n".join(victim), after])
    found = entries(items(text))
    assert entries(items(before))[0] == found[0]
    last = dict(found[-1])
    whole = dict(entries(items(after))[0])
    assert (last["title"], last["authors"]) == (whole["title"], whole["authors"])


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace("\n", "\r\n"),
        lambda t: "\ufeff" + t,
        lambda t: t.replace("\n\n", "\n"),
        lambda t: t.replace("\n", "\n\n\n"),
        lambda t: "\n".join("  " + line + "\t" for line in t.split("\n")),
        lambda t: t.replace("机构 *", "单位：").replace("AI总结", "总结：").replace("Comments ", "备注：").replace("Journal ref ", "Journal-ref: "),
        lambda t: t.replace("Comments ", "**Comments:** ").replace("机构 *", "**作者单位**："),
    ],
    ids=["crlf", "bom", "no blank lines", "many blank lines", "indented", "other labels", "markdown"],
)  # fmt: skip
def test_the_same_listing_printed_otherwise_says_the_same(change: Callable[[str], str], tmp_path: Path) -> None:
    text = "\n".join(SEED)
    (tmp_path / "a.txt").write_bytes(change(text).encode())
    one, other = entries(read_path(str(SEEDS[0]))), entries(read_path(str(tmp_path / "a.txt")))
    assert len(other) == 30
    assert other == one


def test_labels_only_in_any_order() -> None:
    text = (
        "作者：张三，李四\n标题：甲乙丙丁的研究\n机构：北京大学\n备注：ICML 2026\n\n标题：戊己庚辛的研究\n作者：王五\n"
    )
    first, second = entries(items(text))
    assert dict(first)["authors"] == "张三，李四"
    assert dict(first)["comments"] == "ICML 2026"
    assert dict(second)["title-zh"] == "戊己庚辛的研究"


#: file, entries that a person counts, and one of them: line, beginning of the title, authors
KNOWN = [
    ("01", 98, 14, "Beyond Performance Plateaus", "张王优，Kohei Saijo，Jee-weon Jung，李晨达，Shinji Watanabe，钱彦旻"),
    ("02", 2, 11, "Beyond In-Domain Detection", "Yongxin Deng, Zhen Fang, Sharon Li, Ling Chen"),
    ("03", 8, 47, "Adversarial versification in portuguese", "Joao Queiroz"),
    ("04", 38, 69, "A Geometric Square-Based Approach", "Akihisa Yorozu"),
    ("07", 23, 102, "CADRE: Stable, Parameter Efficient", "Amrita Singh, Rishabh Jha"),
    ("08", 23, 9, "BLEG: LLM Functions", "Rui Dong, Zitong Wang, Jiaxing Li 等 5 位作者"),
    ("09", 14, 3, "BEDA: Belief Estimation", None),
    ("13", 72, 28, "AIR-VLA: Vision-Language-Action", "Jianli Sun, Bin Tian, Qiyao Zhang, Chengxiang Li, Zihan Song, Zhiyong Cui et al."),
]  # fmt: skip


@pytest.mark.skipif(not VARIANTS.is_dir(), reason="the variants lie beside the checkout, in ../shared")
@pytest.mark.parametrize(("prefix", "count", "line", "title", "authors"), KNOWN, ids=[k[0] for k in KNOWN])
def test_other_pages_are_read_as_a_person_sees_them(
    prefix: str, count: int, line: int, title: str, authors: str | None
) -> None:
    (path,) = VARIANTS.glob(f"{prefix}_*")
    found = list(read_path(str(path)))  # Reading raises where a line is not accounted for
    papers = [i for i in found if isinstance(i, Entry)]
    assert len(papers) == count
    paper = next(e for e in papers if e.first_line == line)
    assert str(paper.text("title")).startswith(title)
    assert paper.text("authors") == authors


def test_a_lost_line_is_a_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(lines: Iterable[tuple[int, str]], source: Source) -> Iterable[Item]:
        for number, line in lines:
            if number == 1:
                yield Heading(source, number, line)

    monkeypatch.setattr(format_module("listing"), "read", forgetful)
    with pytest.raises(LineLost, match="176 lines"):
        list(read_path(str(SEEDS[0])))


@pytest.mark.parametrize("name", names())
def test_each_format_keeps_the_contract(name: str) -> None:
    module = format_module(name)
    assert module.TITLE
    assert isinstance(module.matches(""), bool)
    assert all(isinstance(i, (Entry, Heading, Diagnostic)) for i in module.read(iter([]), SOURCE))


def test_a_listing_is_what_nothing_else_claims() -> None:
    assert sniff("\n".join(SEED[:20])) == "listing"
    assert isinstance(read_path(str(SEEDS[0])), Reading)


@pytest.mark.parametrize("drop", range(6), ids=["title", "translation", "authors", "institutions", "summary", "venue"])
def test_an_entry_that_lacks_a_field_is_still_an_entry_and_takes_none_of_its_neighbours(drop: int) -> None:
    for n in range(1, 29):
        lines = [line for line in ENTRIES[n].split("\n") if line.strip()]
        if len(lines) != 6:
            continue
        text = "\n\n".join([ENTRIES[n - 1], *lines[:drop], *lines[drop + 1 :], ENTRIES[n + 1]])
        whole, found = entries(items("\n\n".join(lines)))[0], entries(items(text))
        assert found[0] == entries(items(ENTRIES[n - 1]))[0], (n, lines[drop])
        assert found[-1] == entries(items(ENTRIES[n + 1]))[0], (n, lines[drop])
        assert len(found) == 3, (n, lines[drop])
        assert found[1] == whole[:drop] + whole[drop + 1 :], (n, lines[drop])
