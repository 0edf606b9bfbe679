"""Invented saved pages of the four shapes, as a browser's text copy gives them and as HTML."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

SHOW = "The Kettle Hour"
LOOPS = (
    "Today I talk about heating loops ( https://example.org/loops ) and why a thermostat never waits for them. "
    "Further reading. - The guide to loops https://example.org/guide - An old rant https://example.org/rant"
)
VALVES = "Steam valves are small and dull, so let us take one apart: a spring, a disc, and the hiss of both."
SPOUTS = (
    "What is a spout for, if water falls down anyway? A history of pouring in four jugs, and why one of them drips."
)
DESCALE = "Chalk in the kettle: where it comes from, what vinegar does to it, and whom you should not ask about lemons."


@dataclass(frozen=True)
class Chrome:
    """The words of a directory's page in a language. `right`: written from right to left, with marks that say so."""

    above: tuple[str, ...]
    manage: str
    publisher: str
    count: str
    buttons: tuple[str, ...]
    like: str
    below: tuple[str, ...]
    right: bool = False


_LANGUAGES = """
English
Player - Podcast App | 12 new | Go offline with the app! | Get it on the shop | All episodes
Manage episode 433023523 series 2921809
Content provided by Ada Kettle. All of it is uploaded by Ada Kettle or a partner. https://player.example/legal.
83 episodes / Play later | Lists | Like / Liked
Welcome to Player! | Player is scanning the web for podcasts that you can enjoy right now, on every device.

German
Player - Podcast-App | Gehe mit der App offline! | Alle Folgen
Folge 433023523 der Serie 2921809 verwalten
Inhalt bereitgestellt von Ada Kettle.\\nSie lädt ihn selbst hoch, oder ein Partner: https://de.player.example/legal.
83 Folgen / Später spielen | Listen | Gefällt mir / Geliked
Willkommen bei Player! | Player durchsucht das Netz nach Podcasts, die du auf jedem Gerät genießen kannst.

Arabic
تطبيق البودكاست | انتقل إلى وضع عدم الاتصال | كل الحلقات
\u200fإدارة الحلقة 433023523 السلسلة 2921809\u200f
المحتوى المقدم من آدا كيتل، وكل ما فيه من رفعها هي أو شريك لها. انظر https://ar.player.example/legal.
٨٣ حلقة / تشغيل لاحقا | قوائم | إعجاب / أعجبني
مرحبا بك في المشغل! | يقوم المشغل بمسح الويب للحصول على بودكاست عالية الجودة لتستمتع بها الآن.

Japanese
ポッドキャストアプリ | アプリでオフラインにしよう | すべてのエピソード
エピソード433023523 シリーズ2921809を管理
コンテンツはエイダ・ケトルまたはパートナーによって提供されています。 https://ja.player.example/legal
83 つのエピソード / 後で再生 | リスト | いいね / 高評価
プレーヤーへようこそ! | プレーヤーは今からすぐに楽しめる高品質のポッドキャストをウェブでスキャンしています。
"""


def _chromes() -> Iterator[tuple[str, Chrome]]:
    for block in _LANGUAGES.strip().split("\n\n"):
        language, above, manage, publisher, row, below = block.splitlines()
        count, buttons, like = row.split(" / ")
        lists = [tuple(words.split(" | ")) for words in (above, buttons, below)]
        said = publisher.replace(r"\n", "\n")
        yield language, Chrome(lists[0], manage, said, count, lists[1], like, lists[2], right=manage[0] == "\u200f")


LANGUAGES = dict(_chromes())
ENGLISH = LANGUAGES["English"]
BEST = (
    ("How loops are wired", "05/11/21", "14 min", LOOPS),
    ("Spouts", "12/04/22", "1 hr 5 min", f"{SPOUTS}\n\nLiner notes.\n  • Jugs https://example.org/jugs"),
)
LISTED = (("How loops are wired", "14:20", LOOPS), (None, None, VALVES), (None, None, SPOUTS[:70] + " ..."))


def directory(
    listed: Iterable[tuple[str | None, str | None, str]] = LISTED,
    chrome: Chrome = ENGLISH,
    focus: tuple[str, str] = ("How loops are wired", LOOPS),
    show: str = SHOW,
    *,
    above: bool = False,
) -> str:
    """Shape A: one episode in focus, then the list; (title, length, description) each.

    `above`: the avatar stands above its entry, the first beside the sign of a button, and the number of episodes above
    the publisher's paragraph.
    """
    mark = "\u200f" if chrome.right else ""
    lines = [*chrome.above, focus[0], "", chrome.manage, "", chrome.publisher, focus[1], "", chrome.count, ""]
    for title, length, text in listed:
        if title:
            lines += [f"{mark}1 {title} {length}{mark}", f"{length}", *chrome.buttons, f"{chrome.like}{length}"]
        lines += [text, show[0], show, ""]
    if above:
        place = lines.index(chrome.count)
        focus_lines, listed_lines = lines[:place], lines[place + 2 : -3]
        focus_lines.insert(focus_lines.index(chrome.manage) + 1, chrome.count)
        lines = [*focus_lines, chrome.above[-1], f"×{show[0]}", show, *listed_lines, ""]
    return "\n".join([*lines, *chrome.below])


def directory_html(listed: Iterable[tuple[str | None, str | None, str]] = LISTED) -> str:
    """The same as a browser saves it: scripts, styles, navigation; links are hyperlinks."""
    items = []
    show = f"<div>{SHOW[0]}</div><div><a href='/series'>{SHOW}</a></div>"
    for title, length, text in listed:
        named = f"<div>1</div><h3><a href='https://player.example/e/{len(items)}'>{title}</a></h3><div>{length}</div>"
        head = f"{named}<button>Play later</button><button>Lists</button><div>{length}</div>" if title else ""
        linked = text.replace("( https://example.org/loops )", "<a href='https://example.org/loops'>(a picture)</a>")
        items.append(f"<article>{head}<p>{linked}</p>{show}</article>")
    return (
        f"<!DOCTYPE html><html><head><title>How loops are wired - {SHOW} | Player</title><style>p{{}}</style>"
        f"<script>var a = '<div>1 No episode 10:00</div>{'<b>' * 6000}';</script></head><body>"
        "<nav><a href='/'>Home</a></nav>"
        f"<h1>How loops are wired</h1><div>Manage episode 433023523 series 2921809</div><p>{ENGLISH.publisher}</p>"
        f"<p>{LOOPS}</p><h2>83 episodes</h2>{''.join(items)}<footer>Welcome to Player!</footer></body></html>"
    )


def best_of(episodes: Iterable[tuple[str, str, str, str]], show: str = SHOW) -> str:
    """Shape B; (title, date as MM/DD/YY, length, description) each."""
    lines = ["Podcasts", "Best episodes", f"The best of {show}", f"Below are the best episodes of {show}.", ""]
    for title, day, length, text in episodes:
        lines += [f"{show} - {title}", "", title, "", show, "", "play", "", f"{day} • {length}", "", text, ""]
        lines += ["bookmark", "plus icon", "share episode", ""]
    faq = ["Show more best episodes", "FAQ", f"How many episodes does {show} have?", f"{show} has 83 episodes."]
    return "\n".join([*lines, *faq, "When was the first one published?", "It was published on May 4, 2021."])


def best_of_html(episodes: Iterable[tuple[str, str, str, str]], show: str = SHOW) -> str:
    """The same as HTML, where the words of the buttons are those of images."""
    blocks = "".join(
        f"<section><a href='https://best.example/{n}'><img src=a.png alt='{show} - {title}'><h2>{title}</h2></a>"
        f'<div>{show}</div><button><img alt="play"></button><div>{day} • {length}</div><p>{text}</p>'
        "<img alt='bookmark' src=b.png><img src=c.png alt='plus icon'><img alt='share episode'></section>"
        for n, (title, day, length, text) in enumerate(episodes)
    )
    return f"<html><body><nav>Best of</nav>{blocks}<h2>FAQ</h2><p>{show} has 83 episodes.</p></body></html>"


def listing(episodes: Iterable[tuple[str, str]], show: str = SHOW) -> str:
    """Shape C; (title, description) each, cut after a while."""
    lines = ["Home", "Discover", show, ""]
    for number, (title, text) in enumerate(episodes, 1):
        lines += [f"{number}) {title}", text if len(text) < 80 else f"{text[:80]}...Show More", ""]
    return "\n".join([*lines, "Similar podcasts"])


def blog(posts: Iterable[tuple[str, tuple[str, ...]]], name: str = "Limescale", category: str = "Kettles") -> str:
    """Shape D; (title, paragraphs) each."""
    lines = [name, "", "the arc of water bends towards boiling", "", category, ""]
    for title, paragraphs in posts:
        for line in (title, *paragraphs, "Read more..."):
            lines += [line, ""]
    return "\n".join([*lines, "Older posts"])
