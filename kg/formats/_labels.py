"""What pages call the fields of an entry, what their buttons say, what their headings look like: tables only."""

from __future__ import annotations

import re
import unicodedata

from kg.model import FieldName

_LABELS: dict[FieldName, str] = {
    "title": "标题 题目 论文标题 论文题目 英文标题 原标题 原文标题 论文名称 论文 title paper-title papertitle english-title",
    "title-zh": "中文标题 标题翻译 中文题目 译名 标题译文 翻译标题 中译标题 title-zh chinese-title title(chinese) title(zh)",
    "authors": "作者 论文作者 全部作者 作者列表 作者信息 著者 author authors author(s) by",
    "institutions": (
        "机构 单位 作者单位 作者机构 完成单位 研究机构 所属机构 发表机构 发表单位 所属单位 论文单位 机构单位 第一单位 来源机构 "
        "institution institutions affiliation affiliations affiliation(s) institution(s) organization organizations "
        "organisation organisations"
    ),
    "ai-summary": (
        "AI总结 总结 AI摘要 AI解读 AI速读 AI概述 一句话总结 一句话概括 智能总结 智能摘要 论文亮点 亮点 摘要翻译 中文摘要 摘要译文 "
        "翻译摘要 摘要中文 速读 导读 要点 tldr tl;dr ai-summary ai-abstract aiabstract summary ai-comments"
    ),
    "abstract": "摘要 英文摘要 原文摘要 论文摘要 摘要原文 abstract abstracts abstract-takeaway",
    "comments": "备注 注释 说明 评注 附注 注 评论 comment comments comments(s) arxiv-comments note-to-readers remark remarks",
    "journal-ref": (
        "期刊 期刊引用 期刊参考 期刊信息 期刊来源 期刊会议 会议期刊 期刊/会议 会议/期刊 发表期刊 发表于 发表会议 录用会议 会议 出处 收录 "
        "录用情况 录用 journal-ref journalref journal-reference journal venue published-in conference publication"
    ),
    "identifier": "arXiv编号 论文编号 编号 arxiv arxiv-id arxivid arxiv号 doi paper-id",
    "url": (
        "链接 论文链接 原文链接 论文地址 原文地址 原文 地址 网址 论文网址 arXiv链接 PDF链接 PDF地址 摘要链接 link links url urls pdf "
        "html paper-link paper-url abs"
    ),
    "date": (
        "日期 发布日期 发布时间 提交日期 提交时间 发表时间 发表日期 更新日期 更新时间 时间 date published submitted updated "
        "submission-date publish-date submitted-on published-date last-updated"
    ),
    "category": (
        "分类 类别 学科 领域 学科分类 所属领域 arXiv所属领域 研究领域 主题 主分类 学科领域 方向 category categories subject subjects "
        "main-category primary-category primary-subject primary"
    ),
    "code": (
        "代码 代码链接 代码地址 开源代码 开源地址 项目地址 项目主页 项目链接 项目 主页 GitHub code code-link source-code github project "
        "project-page homepage"
    ),
    "note": (
        "关键词 关键字 标签 动机 方法 结果 结论 主要贡献 贡献 创新点 研究问题 keywords keyword tags motivation method methods result results "
        "conclusion contribution contributions"
    ),
}
#: Labels that pages print without a colon, before the value and a space, or alone on the line above it.
_BARE = (
    "机构 单位 作者单位 作者机构 研究机构 完成单位 AI总结 AI摘要 AI解读 总结 摘要 中文摘要 英文摘要 备注 标题 中文标题 英文标题 作者 论文作者 链接 "
    "论文链接 代码 期刊 期刊引用 分类 日期 关键词 comments comment journal-ref journalref journal-reference"
)


def normal(label: str) -> str:
    """The comparison form of a label: NFKC, case-folded, without spaces, asterisks, hyphens and underscores."""
    return re.sub(r"[\s*＊_\-]", "", unicodedata.normalize("NFKC", label).casefold())


LABELS: dict[str, FieldName] = {normal(label): name for name, labels in _LABELS.items() for label in labels.split()}
BARE: frozenset[str] = frozenset(map(normal, _BARE.split()))
#: Values that stand inside a phrase.
PHRASES: tuple[tuple[re.Pattern[str], FieldName], ...] = (
    (re.compile(r"^(?P<label>来源)\s*[:：].*?[（(]论文作者[:：](?P<value>.+?)[)）]\s*$"), "authors"),
    (re.compile(r"^(?P<label>来源)\s*[:：].*?[（(](?P<value>.+?)等?(?:机构|单位)?[)）]\s*$"), "institutions"),
)
#: What a longer label may be: the length of the longest, with room for spaces and an asterisk.
LONGEST = max(map(len, LABELS)) + 8

#: Buttons and rules of a page: evidence of nothing, and no end of anything.
BUTTON = re.compile(
    r"^(?:(?:(?:URL|PDF|HTML|DOI|TeX|Code|代码|原文|摘要|☆|★|⭐|收藏|分享|复制|引用|翻译)[\s|·☆★⭐]*)+(?:\[\s*button:.*)?|赞\s*\d*\s*踩\s*\d*|详情|展开(?:全部|更多)?|"
    r"收起|查看(?:全文|原文|更多|详情).*|阅读(?:全文|原文|更多)|返回.*|details|show more|read more|back to top|"
    r"\[?\s*button:.*|[☆★⭐⬆⬇↑↓️\s]+.*返回.*|[-=_*#~—─·•\s]{3,})$",
    re.IGNORECASE,
)
_DAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s*)?(?:\d{1,2}\s+[A-Za-z]{3,9}\.?,?\s+\d{4}|[A-Za-z]{3,9}\.?\s+\d{1,2},?\s+\d{4}|"
    r"\d{4}[-/.年]\s?\d{1,2}(?:[-/.月]\s?\d{1,2}日?)?)(?:\s*[（(]?(?:星期|周)[一二三四五六日天][）)]?)?"
)
_CATEGORY = (
    r"(?:cs|math|stat|eess|econ|q-bio|q-fin|physics|astro-ph|cond-mat|nlin)\.[A-Za-z-]{2,7}"
    r"|quant-ph|gr-qc|hep-(?:th|ph|ex|lat)|math-ph|nucl-(?:th|ex)"
)
#: Lines between entries that group them: a day, a category, a count, a page number.
HEADING = re.compile(
    rf"^(?:{_DAY}|(?:{_CATEGORY})(?:\s*[,;、]?\s*(?:{_CATEGORY}))*(?:\s.*?方向.*)?|.{{0,60}}[（(]\s*\d+\s*(?:篇|papers?)?\s*[)）]|.{{0,60}}\d+\s*篇.{{0,12}}|"
    r"\d{1,5}|[-–—]\s*\d{1,5}\s*[-–—]|第\s*\d+\s*页.*|page\s+\d+(?:\s*(?:of|/)\s*\d+)?|\d+\s*/\s*\d+|(?:上一页|下一页|首页|末页|尾页|\s|\d)+)$",
    re.IGNORECASE,
)
ARXIV_ID = re.compile(
    r"(?:arxiv:\s*)?(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?", re.IGNORECASE
)
DAY = re.compile(r"\d{4}[-/.年]\s?\d{1,2}[-/.月]\s?\d{1,2}日?")
CATEGORY = re.compile(rf"\[?(?:{_CATEGORY})\]?", re.IGNORECASE)
#: What a site says of a submission beside its number: part of the line, no field.
SUBMISSION = re.compile(
    r"版本更新|新提交|交叉(?:发布|提交|列表)|更新|替换|新增|cross-?lists?|replace(?:d|ments?)|new|announced?|[\[\](),，、|·]",
    re.IGNORECASE,
)
