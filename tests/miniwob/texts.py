"""Tasks about running text: what is selected, scrolled, read to its end, or typed into a terminal."""

import re

from solving import middle, solves
from tools import until


# --- selecting ----------------------------------------------------------------------------------

def paragraph_selected(page, element):
    """Three clicks take a paragraph, wherever its lines break."""
    x, y = middle(element)
    page.call("create_input", action="click", x=x, y=element["bounds"]["y"] + min(7, element["bounds"]["height"] // 2), count=3)
    page.submit()
    return x, y


def paragraphs(page):
    """The labels that are no button's."""
    buttons = [e["bounds"] for e in page.task(role="button")]

    def in_button(box):
        return any(b["x"] <= box["x"] and b["y"] <= box["y"] <= b["y"] + b["height"] for b in buttons)
    found = [e for e in page.task(role="label", regex=".") if not in_button(e["bounds"])]
    return sorted(found, key=lambda e: e["bounds"]["y"])


@solves("highlight-text")
def highlighted(page, _text):
    paragraph_selected(page, paragraphs(page)[0])


@solves("highlight-text-2")
def highlighted_nth(page, text):
    paragraph_selected(page, paragraphs(page)[int(re.search(r"the (\d)", text)[1]) - 1])


# --- scrolling ------------------------------------------------------------------------------------

def scrolled(page, field, notches):
    x, y = middle(field)
    page.call("create_input", action="scroll", x=x, y=y, scroll_y=notches)


@solves("scroll-text")
def last_word(page, _text):
    long, short = sorted(page.task(role="field"), key=lambda e: e["bounds"]["y"])
    value = page.call("get_element", element=long["ref"], application=page.app)["value"]
    page.set(short["ref"], re.sub(r"\W", "", value.split()[-1]))
    page.submit()


@solves("scroll-text-2")
def scrolled_to_end(page, text):
    """By keys: a page that is still scrolling drops notches of the wheel, and nothing tells where it is."""
    page.click(page.task(role="field")[0]["ref"], method="pointer")
    page.keys("ctrl+end" if "bottom" in text else "ctrl+home")
    page.submit()


@solves("sign-agreement")
def signed(page, text):
    name = re.findall(r'"([^"]*)"', text)
    if not name:
        page.click('button "Cancel"')
        return
    agreement = page.task(role="field")[0]

    def at_end():
        """A page that is still scrolling drops notches of the wheel."""
        scrolled(page, agreement, 20)
        return [e for e in page.task(role="entry") if "off" not in (e.get("states") or [])]
    page.set(until(at_end, "a field to write in")[0]["ref"], name[0])
    page.click(f'button "{name[1]}"')


# --- letters, numbers, lines that are drawn ----------------------------------------------------------

@solves("text-transform")
def slanted(page, _text):
    entry = page.task(role="entry")[0]
    letters = [e for e in page.task(role="label", regex=r"^\S$") if e["bounds"]["y"] < entry["bounds"]["y"]]
    letters.sort(key=lambda e: middle(e)[0])
    page.set(entry["ref"], "".join(e["name"] for e in letters))
    page.submit()


@solves("ascending-numbers")
def ascending(page, _text):
    """The first click hides the others."""
    for element in sorted(page.task(role="label", regex=r"^\d$"), key=lambda e: int(e["name"])):
        page.press_at(element)


@solves("terminal")
def terminal(page, text):
    def lines():
        return [e["name"].strip() for e in page.task(role="label", regex=".")]

    ending = re.search(r"extension (\.\S+?)\.?$", text.strip())
    page.type("ls\n")
    shown = until(lambda: lines() if "ls" in lines() and lines().index("ls") + 1 < len(lines()) else None, "the files")
    files = " ".join(shown[shown.index("ls") + 1:]).partition("user$")[0].split()
    fits = [f for f in files if (f.endswith(ending[1]) if ending else "." not in f)]
    page.type(f"rm {fits[0]}\n")


@solves("stock-market")
def stock(page, text):
    """The price changes ten times a second, at most by a dollar and a half."""
    limit = float(re.search(r"less than \$([\d.]+?)\.?$", text.strip())[1])
    button = page.first(role="button", text="Buy")

    def price():
        found = re.search(r"\$([\d.]+)", " ".join(page.labels()))
        return found and float(found[1])
    until(lambda: (price() or limit) < limit - 0.8, "a low price")
    page.press_at(button)
