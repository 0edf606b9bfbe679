from torchatlas.extract.feeds import Entry, parse
from torchatlas.extract.links import find_links
from torchatlas.extract.text import to_text, without_boilerplate
from torchatlas.graph.model import Episode

FOOTER = '<p>Widget Radio is on <a href="https://social.invalid/w">Social</a>.</p><p>Editing: Aerocity</p>'


def entries(*notes: str) -> list[Entry]:
    return [Entry(Episode(f"show/{n}", f"No. {n}", show="Show"), text) for n, text in enumerate(notes)]


def texts(*notes: str) -> list[str]:
    return [to_text(entry.notes).text.strip() for entry in without_boilerplate(entries(*notes))]


def test_a_footer_counts_for_nothing() -> None:
    kept = without_boilerplate(entries(*(f"<p>Gadget {n} spins.</p>{FOOTER}" for n in range(6))))
    assert [to_text(e.notes).text.strip() for e in kept] == [f"Gadget {n} spins." for n in range(6)]
    assert not any(find_links(to_text(e.notes)) for e in kept)


def test_four_episodes_and_a_few_of_many_share_by_chance() -> None:
    assert texts(*["<p>Same line</p>"] * 4) == ["Same line"] * 4
    own = [f"Own {chr(65 + n)}" for n in range(21)]
    assert texts(*["<p>Same line</p>"] * 5, *own) == ["Same line"] * 5 + own


def test_a_long_sentence_counts_for_nothing_in_five_of_many() -> None:
    said = "Gears flex with you so that the whole machine keeps turning."
    own = [f"Own {chr(65 + n)}" for n in range(21)]
    assert texts(*[f"First {n}. {said} Last {n}." for n in range(5)], *own)[:5] == [
        f"First {n}. Last {n}." for n in range(5)
    ]


def test_lines_that_cite_different_pages_are_kept() -> None:
    notes = [f'<p>Paper: <a href="https://p.invalid/{chr(97 + n)}">link</a></p>' for n in range(6)]
    kept = without_boilerplate(entries(*notes))
    assert [e.notes for e in kept] == notes


def test_times_do_not_tell_a_heading_from_its_like_and_an_address_in_many_of_the_notes_is_unlinked() -> None:
    notes = [
        f"0{n}:00 Welcome\nGadget {n}, see https://social.invalid/w and https://p.invalid/{chr(97 + n)}"
        for n in range(6)
    ]
    for n, entry in enumerate(without_boilerplate(entries(*notes))):
        assert "Welcome" not in entry.notes
        assert [link.url for link in find_links(to_text(entry.notes))] == [f"https://p.invalid/{chr(97 + n)}"]


def test_the_order_of_the_entries_is_of_no_matter() -> None:
    listed = entries(*(f"Gadget {n}. Same line\n{'x' * n}" for n in range(7)))
    turned = without_boilerplate(listed[::-1])
    assert turned[::-1] == without_boilerplate(listed)


def test_a_feed_is_read_without_its_boilerplate() -> None:
    items = "".join(
        f"<item><title>No. {n}</title><description><![CDATA[<p>Gadget</p>{FOOTER}]]></description></item>"
        for n in range(6)
    )
    feed = parse(f"<rss version='2.0'><channel><title>Show</title>{items}</channel></rss>".encode())
    assert not any("Aerocity" in entry.notes for entry in feed.entries)


def test_a_list_that_changes_slowly_counts_for_nothing_and_lines_of_ones_own_part_it() -> None:
    def notes(n: int) -> str:
        patrons = [f"Patron {chr(65 + (i % 26))}{i}" for i in range(n // 2, n // 2 + 8)]  # each in some 16 of 200
        items = "".join(f"<li>{name}</li>" for name in patrons)
        return f"<p>Gadget {n} spins.</p><ul>{items}</ul><p>Own remark {n}</p>"

    kept = texts(*(notes(n) for n in range(200)))
    assert kept[100] == "Gadget 100 spins.\nOwn remark 100"
    odd = [
        "This\nThat\n0:30 A chapter\nThose\nThese\nThem",
        "This\nThat\nA sentence about something of its own\nThose\nThese\nThem",
        "This\nA guest\nThat\nA link\nThose\nThese\nThem",
        *["This\nThat\nThose\nThese\nThem"] * 5,
    ]
    assert texts(*odd, *(f"Other {n}" for n in range(60)))[:4] == [odd[0], odd[1], odd[2], ""]
    four = [f"Own {n}\nThis\nThat\nThose\nThese" for n in range(5)]
    assert texts(*four, *(f"Other {n}" for n in range(30)))[:5] == four


def test_the_one_line_that_is_new_each_time_is_the_subject() -> None:
    subjects = ("Vector clocks", "Raft", "Bloom filters", "Paxos", "Merkle trees", "Gossip", "Quorums")
    notes = "<p>Welcome</p><p>Hosts: Ann</p><p>Topic:</p><p>{}</p><p>Support us</p><p>Join us</p>"
    assert texts(*map(notes.format, subjects)) == list(subjects)
