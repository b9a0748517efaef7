"""Tasks whose places count: what is scrolled to, dragged, or felt for with the pointer."""

import math
import re

from dates import chosen, offers
from solving import middle, solves
from tools import still, until


# --- felt for -----------------------------------------------------------------------------------

HEAD, MARGIN = 50, 5                # points above the area, and around the place in it
WIDTH, HEIGHT = 160, 125
BANDS = {"HOT": (0, 5), "WARM": (5, 10), "COLD": (10, 40), "ICE COLD": (40, math.inf)}     # points from the place


def places():
    return [(x, y) for x in range(MARGIN, WIDTH - MARGIN) for y in range(MARGIN, HEIGHT - MARGIN)]


@solves("hot-cold")
def felt_for(page, _text):
    """Each word leaves a ring of places; the pointer goes to the middle of what is left."""
    def word():
        found = page.task(role="label", regex=f"^({'|'.join(BANDS)})$")
        return found[0]["name"] if found else None
    left = places()
    while not page.ended():
        middle_x, middle_y = (sum(place[i] for place in left) / len(left) for i in (0, 1))
        x, y = min(left, key=lambda place: math.dist(place, (middle_x, middle_y)))
        page.call("create_input", action="move", x=page.x + x, y=page.y + HEAD + y)
        said = still(lambda: until(word, "a word"), 0.2)
        if said == "HOT":
            page.call("create_input", action="click", x=page.x + x, y=page.y + HEAD + y)
            return
        least, most = BANDS[said]
        left = [place for place in left if place != (x, y) and least - 1 <= math.dist(place, (x, y)) <= most + 1] or places()


# --- dragged --------------------------------------------------------------------------------------

@solves("resize-textarea")
def resized(page, text):
    """By the handle in its corner, an element of its own."""
    dimension, direction = re.search(r"the\s+(width|height)\s+is\s+(smaller|larger)", text).groups()
    by = 16 if direction == "larger" else -16

    def box():
        return page.task(role="field")[0]["bounds"]
    was = box()
    x, y = middle(next(e for e in page.task(role="group") if e["bounds"]["width"] == e["bounds"]["height"] == 16))
    page.drag((x, y), (x + by, y + by))
    until(lambda: box()[dimension] != was[dimension], "another size")
    page.submit()


NAMES = ("Phonecall", "Food", "Party", "Meeting", "Gym")
ROW = 20        # points of half an hour, which has a border


def hour(name):
    """12AM, 1PM, ... as a number of half hours."""
    number, half = re.fullmatch(r"(\d+)([AP]M)", name.upper()).groups()
    return (int(number) % 12 + (12 if half == "PM" else 0)) * 2


def rows_of(page):
    """The upper end of each half hour."""
    found = page.task(role="label", regex=r"^\d+[ap]m$", hidden=True)
    out = {}
    for each in found:
        out[hour(each["name"])] = each["bounds"]["y"]
        out[hour(each["name"]) + 1] = each["bounds"]["y"] + ROW
    return out


def taken(page):
    """(upper, lower end) of each event."""
    found = [e["bounds"] for e in page.task(role="group", hidden=True) if e.get("value") in NAMES or e["name"] in NAMES]
    return [(box["y"], box["y"] + box["height"]) for box in found]


def free_from(page, first, last, halves):
    """The first half hour of a gap between events."""
    rows, events = rows_of(page), taken(page)

    def is_free(row):
        return not any(upper < rows[row] + ROW - 3 and lower > rows[row] + 3 for upper, lower in events)
    return next(row for row in range(first, last - halves + 1) if all(is_free(row + i) for i in range(halves)))


@solves("daily-calendar")
def event_made(page, text):
    number, unit, name, first, last = re.search(
        r'Create a ([\d.]+) (\w+) event named "(\w+)", between (\w+) and (\w+)\.', text).groups()
    halves = round(float(number) * 2) if unit.startswith("hour") else int(number) // 30
    start = free_from(page, hour(first), hour(last), halves)
    shown = (start + halves + 1) // 2 % 24      # the hour after it: what is before is in view with it
    page.click(next(e["ref"] for e in page.task(role="label", regex=r"^\d+[ap]m$", hidden=True) if hour(e["name"]) == shown * 2),
               method="pointer")
    rows = still(lambda: rows_of(page), 0.2)
    x = page.x + 100
    page.drag((x, rows[start] + 6), (x, rows[start + halves - 1] + 12))
    entry = until(lambda: page.task(role="entry"), "the name's field")[0]
    page.set(entry["ref"], name)
    page.click('button "Create"')


# --- scrolled to ----------------------------------------------------------------------------------

def menu_of(page):
    """(name, kinds, the ref that orders one more) of each dish."""
    def all_of(role, **wanted):
        return sorted(page.task(role=role, hidden=True, **wanted), key=lambda e: e["bounds"]["y"])
    more, kinds = all_of("label", text="+"), all_of("image")
    headings = {e["name"] for e in all_of("heading")}
    names = [e for e in all_of("label", regex="[a-z]") if e["name"] not in headings and e["bounds"]["x"] < page.x + 60]
    out = []
    for i, plus in enumerate(more):
        upper, lower = plus["bounds"]["y"], more[i + 1]["bounds"]["y"] if i + 1 < len(more) else math.inf
        dish = min(names, key=lambda e, at=upper: abs(e["bounds"]["y"] - at))
        out.append((dish["name"].strip(), [e["name"] for e in kinds if upper - 4 <= e["bounds"]["y"] < lower - 4], plus["ref"]))
    return out


@solves("order-food")
def ordered(page, text):
    dishes = menu_of(page)
    several = re.search(r"Order (\d+) items that are ([\w-]+)", text)
    if several:
        refs = [next(ref for _, kinds, ref in dishes if several[2] in kinds)] * int(several[1])
    else:
        names = [name.strip() for name in text.partition("each item: ")[2].split(",")]
        refs = [ref for name, _, ref in dishes if name in names]
    for ref in refs:
        page.click(ref, method="pointer")
    page.submit("Order!")


def airport(page, entry, name):
    page.click(entry["ref"], method="pointer")
    page.type(name)
    proposals = until(lambda: [e for e in page.find(role="listitem", hidden=True) if name in e["name"]], "a proposal")
    page.click(proposals[0]["ref"], method="pointer")       # also one that is scrolled away
    until(lambda: not page.find(role="listitem"), "the end of the proposals")


@solves("book-flight", "book-flight-nodelay")
def flight(page, text):
    pick, origin, destination, date = re.search(
        r"the (cheapest|shortest) one-way flight from:\s*(.*?)\s*to:\s*(.*?)\s*on\s*(\d+/\d+/\d+)", text).groups()
    begin, end, day = sorted(page.task(role="entry"), key=lambda e: middle(e)[1])
    airport(page, begin, origin)
    airport(page, end, destination)
    chosen(page, day, date)
    page.submit("Search")
    by = 0 if pick == "cheapest" else 1
    page.click(min(offers(page, "Book flight for"), key=lambda offer: offer[by])[2])
