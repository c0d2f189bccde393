"""Institutions: what a line names, what it only seems to name, and what is left open."""

from __future__ import annotations

from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.authority import Authority, load
from kg.formats import read_path
from kg.model import Entry, Field, Mention, Source
from kg.resolve import resolve
from kg.resolve.institutions import resolve_institutions
from kg.resolve.matching import match
from tests.conftest import SEEDS

SOURCE = Source("x", "", "listing")


@lru_cache(maxsize=1)
def authority() -> Authority:
    return load()


def mentions(line: str, authors: str = "Ann Lee, Bo Li") -> tuple[Mention, ...]:
    fields = (
        Field("title", "T", "T", 1, 1),
        Field("authors", authors, authors, 2, 2),
        Field("institutions", line, line, 3, 3),
    )
    return resolve(Entry(SOURCE, fields), authority()).mentions


def named(line: str) -> list[list[str]]:
    """The organisations of each mention, at the organisation level."""
    known = authority()
    return [
        sorted({top.name for r in m.resolutions for top in known.organisations_of(r.organisation)})
        for m in mentions(line)
    ]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "EPFL, LTS4 laboratory, Lausanne, Switzerland（瑞士洛桑联邦理工学院，LTS4实验室，洛桑，瑞士） 纠错",
            "École Polytechnique Fédérale de Lausanne",
        ),
        (
            "Department of Physics, Massachusetts Institute of Technology, Cambridge, MA, USA",
            "Massachusetts Institute of Technology",
        ),
        ("Stanford University School of Medicine", "Stanford University"),
        ("Dept. of CS, Univ. of Toronto", "University of Toronto"),
        ("Huawei Noah's Ark Lab", "Huawei"),
        ("The Chinese University of Hong Kong, Shenzhen, China", "The Chinese University of Hong Kong, Shenzhen"),
        ("CUHK-Shenzhen", "The Chinese University of Hong Kong, Shenzhen"),
        (
            "The Hong Kong University of Science and Technology (Guangzhou)",
            "The Hong Kong University of Science and Technology (Guangzhou)",
        ),
        ("University of California, Berkeley", "University of California, Berkeley"),
        ("UC San Diego", "University of California, San Diego"),
        ("清华大学", "Tsinghua University"),
        ("北京大学（Peking University）", "Peking University"),
    ],
)
def test_an_organisation_in_its_address(text: str, name: str) -> None:
    assert named(text) == [[name]]


@pytest.mark.parametrize(
    "text",
    [
        "Washington", "York", "Cornell", "Indiana", "University of California", "University of Texas", "IIT", "CUHK",
        "National University", "Technical University", "University of Technology", "Columbia", "Cambridge, MA, USA",
        "State University", "Institute of Technology", "Springfield", "Department of Computer Science",
    ],
)  # fmt: skip
def test_what_could_be_several_is_none_without_evidence(text: str) -> None:
    assert named(text) == [[]]


def test_a_chinese_label_is_the_evidence() -> None:
    assert named("Washington（华盛顿大学）") == [["University of Washington"]]
    assert named("Cornell（康奈尔大学）") == [["Cornell University"]]


def test_one_is_not_taken_for_another_that_contains_it() -> None:
    assert named("University of Science and Technology of Hanoi") == [[]]
    assert named("Northeastern University, Shenyang, China") != [["Northeastern University"]]
    assert named("Florida International University Miami, FL") != [["University of Miami"]]
    assert named("Princeton, NJ, USA") == [[]]


def test_parts_are_split_at_the_separator_and_commas_stay() -> None:
    assert named("MIT（麻省理工学院） ； ETH Zurich, Zurich, Switzerland（苏黎世联邦理工学院） 纠错") == [
        ["Massachusetts Institute of Technology"],
        ["ETH Zurich"],
    ]


def test_names_of_the_authors_are_no_institution() -> None:
    (mention,) = mentions("Ann Lee, Bo Li（李安、李博） 纠错")
    assert mention.quality == "personNames"
    assert mention.resolutions == ()


@pytest.mark.parametrize("text", ["Independent Researcher, Los Angeles, CA, USA", "Unaffiliated", "独立研究者"])
def test_nobody_s_institution(text: str) -> None:
    (mention,) = mentions(text)
    assert mention.quality == "notAnOrganisation"
    assert mention.resolutions == ()


def test_halves_cut_at_and_are_joined_on_evidence_only() -> None:
    left, right = mentions(
        "Department of Computer Science（计算机科学系） ； Engineering, Shanghai Jiao Tong University（上海交通大学工程学院）"
    )
    assert (left.quality, right.quality) == ("splitAtAnd", "splitAtAnd")
    assert left.joined_with == right.position
    assert {r.organisation for r in left.resolutions} == {r.organisation for r in right.resolutions} != set()
    one, other = mentions("Google ； Stanford University")
    assert (one.quality, other.quality, one.joined_with) == ("complete", "complete", None)


def test_department_place_and_postal_code_stand_apart() -> None:
    (mention,) = mentions("School of Data Science, Fudan University, Shanghai 200433, China")
    assert mention.unit == "School of Data Science"
    assert mention.postal_code == "200433"
    assert "China" in str(mention.place)


def test_the_seed_names_forty_organisations() -> None:
    known, found = authority(), set()
    for item in read_path(str(SEEDS[0])):
        if isinstance(item, Entry):
            for mention in resolve(item, known).mentions:
                for resolution in mention.resolutions:
                    found.update(o.name for o in known.organisations_of(resolution.organisation))
    assert len(found) == 40
    assert {"Aix-Marseille Université", "Huawei", "Araya", "University of Sussex"} <= found


def test_every_resolution_says_how_and_how_surely() -> None:
    for item in read_path(str(SEEDS[0])):
        if isinstance(item, Entry):
            for mention in resolve(item, authority()).mentions:
                for resolution in mention.resolutions:
                    assert resolution.method in {"exact", "alias", "embedded", "label", "rejoined", "fuzzy", "curated"}
                    assert 0 < resolution.score <= 1


@settings(max_examples=200)
@given(st.text(max_size=120))
def test_no_text_breaks_the_matcher_and_what_is_kept_stands_in_it(text: str) -> None:
    match(text, authority())
    field = Field("institutions", text, text, 1, 1)
    found, _ = resolve_institutions(Entry(SOURCE, (Field("title", "T", "T", 2, 2), field)), (), authority())
    for mention in found:
        assert mention.raw
