"""Tasks with a calendar, or with tickets."""

import re

from solving import solves
from tools import until

MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December"]


def month_shown(page):
    found = [e["name"] for e in page.find(role="label", regex=f"^({'|'.join(MONTHS)})$")]
    return MONTHS.index(found[0]) + 1 if found else None


def chosen(page, entry, date):
    """The field takes no typing, and so counts as off: only the pointer opens its calendar."""
    month, day, _year = (int(part) for part in date.split("/"))
    page.press_at(entry)
    until(lambda: month_shown(page), "the calendar")
    for _ in range(12):
        shown = month_shown(page)
        if shown == month:
            break
        page.click(page.find(text="Prev" if shown > month else "Next")[0]["ref"], method="pointer")
        until(lambda was=shown: month_shown(page) != was, "another month")
    page.click(page.find(role="link", regex=f"^{day}$")[0]["ref"], method="pointer")
    until(lambda: not month_shown(page), "the end of the calendar")


@solves("choose-date", "choose-date-easy", "choose-date-medium", "choose-date-nodelay")
def date_chosen(page, text):
    chosen(page, page.task(role="entry")[0], re.search(r"\d+/\d+/\d+", text)[0])
    page.submit()


def offers(page, name):
    """(price, minutes, button) of each, from the top."""
    def durations():
        found = [e for e in page.find(role="label", regex=r"^\d+h \d+m$", hidden=True)]
        return sorted(found, key=lambda e: e["bounds"]["y"])
    buttons = until(lambda: page.find(role="button", regex=f"^{name}", hidden=True), "offers")
    buttons.sort(key=lambda e: e["bounds"]["y"])
    out = []
    for duration, button in zip(durations(), buttons):
        hours, minutes = re.findall(r"\d+", duration["name"])
        out.append((int(re.search(r"\$(\d+)", button["name"])[1]), int(hours) * 60 + int(minutes), button["ref"]))
    return out


@solves("buy-ticket")
def ticket(page, text):
    pick = min if re.search("cheapest|shortest", text) else max
    by = 0 if "cost" in text else 1
    page.click(pick(offers(page, "Book for"), key=lambda offer: offer[by])[2])
