"""How each kind of task of MiniWoB++ is solved: a function of the page and its instruction. What is left out, and why."""

import re
import time

from solving import listed, middle, quoted, solves
from tools import still, until


# --- buttons, boxes, lists ---------------------------------------------------------------------

@solves("click-test")
def the_button(page, _text):
    page.click("button")


@solves("click-test-2", "click-test-transfer", "click-button-sequence")
def buttons_by_name(page, text):
    for name in re.findall(r"\b(ONE|TWO)\b", text):
        page.click(f'button "{name}"')


@solves("button-delay")
def two_buttons_apart(page, text):
    first, second = page.first(role="button", text="ONE")["ref"], page.first(role="button", text="TWO")["ref"]
    begun = time.monotonic()
    page.click(first)
    time.sleep(max(0, begun + int(re.search(r"wait (\d+)", text)[1]) - time.monotonic()))
    page.click(second)


@solves("click-button", "unicode-test")
def named_button(page, text):
    page.click(page.task(role="button", text=quoted(text)[0])[0]["ref"])


@solves("click-checkboxes", "click-checkboxes-large", "click-checkboxes-transfer")
def boxes(page, text):
    for name in listed(text, "Select ", " and click Submit"):
        page.set(f'checkbox "{name}"', "true")
    page.submit()


@solves("click-option")
def radio(page, text):
    page.click(f'radio "{text[len("Select "):text.index(" and click")]}"')
    page.submit()


@solves("choose-list")
def chosen(page, text):
    page.call("select_option", application=page.app, element="combobox", option=text[len("Select "):text.index(" from the list")])
    page.submit()


@solves("click-scroll-list")
def several(page, text):
    """The first by the pointer, which takes the place of what was chosen; others by their action, which adds them."""
    for i, name in enumerate(listed(text, "Select ", " from the scroll list")):
        ref = page.first(role="listitem", text=name, hidden=True)["ref"]
        page.click(ref, method="pointer") if i == 0 else page.call(
            "perform_element_action", application=page.app, element=ref, action="select")
    page.submit()


@solves("click-widget")
def widget(page, text):
    kind = quoted(text)[0]
    roles = {"text": "entry", "textarea": "field", "radio": "radio", "checkbox": "checkbox", "button": "button"}
    found = page.task(role=roles[kind])
    if kind in ("text", "textarea"):        # a line is lower than several
        found.sort(key=lambda e: e["bounds"]["height"], reverse=kind == "textarea")
    page.click(found[0]["ref"], method="pointer")


@solves("odd-or-even")
def odd_or_even(page, _text):
    numbers = [e for e in page.task(role="label", regex=r"^-?\d+$") if e["name"]]
    for number in numbers:
        name = "Odd" if int(number["name"]) % 2 else "Even"
        same = [e for e in page.task(role="button", text=name) if abs(e["bounds"]["y"] - number["bounds"]["y"]) < 12]
        page.click(same[0]["ref"])
    page.submit()


# --- links, tabs, sections, dialogs -------------------------------------------------------------

def click_text(page, name):
    found = [e for e in page.task(role="label", text=name) if e["name"] == name]
    if found:
        page.click(found[-1]["ref"], method="pointer")
    return bool(found)


@solves("click-link")
def link(page, text):
    click_text(page, quoted(text)[0])


@solves("click-tab")
def tab(page, text):
    name = re.search(r"Tab #\d", text)[0]
    page.click(f'tab "{name}"')


@solves("click-tab-2", "click-tab-2-easy", "click-tab-2-medium", "click-tab-2-hard")
def link_in_tabs(page, text):
    tabs = page.task(role="tab")
    if click_text(page, quoted(text)[0]):
        return
    for each in tabs:
        page.click(each["ref"])
        if click_text(page, quoted(text)[0]):
            return


@solves("click-collapsible", "click-collapsible-nodelay")
def section(page, _text):
    page.click('tab text*="Section"')
    time.sleep(0.4)     # it unfolds
    page.click('"Submit"', method="pointer")


@solves("click-collapsible-2", "click-collapsible-2-nodelay")
def link_in_sections(page, text):
    for each in page.task(role="tab"):
        page.click(each["ref"])
        time.sleep(0.5)     # it unfolds
        if click_text(page, quoted(text)[0]):
            return


@solves("click-dialog")
def dialog_closed(page, _text):
    page.click("button in dialog")


@solves("click-dialog-2")
def dialog_button(page, text):
    name = quoted(text)[0]
    page.click(f'button "{"Close" if name == "x" else name}" in dialog')


@solves("click-menu")
def menu(page, text):
    names = text[len("Select "):].split(">")
    for i, name in enumerate(names):
        found = until(lambda each=name: page.task(role="menuitem", text=each), name)[0]
        if i + 1 < len(names):
            box = found["bounds"]
            page.call("create_input", action="move", x=box["x"] + box["width"] // 2, y=box["y"] + box["height"] // 2)
            time.sleep(0.5)     # it opens after a moment
        else:
            page.click(found["ref"], method="pointer")


@solves("navigate-tree")
def tree(page, text):
    """Every folder is opened until the name is there. A folder has a handle beside its name, a file ends the episode."""
    name, opened = quoted(text)[0], set()

    def is_folder(item):
        return page.call("get_element", element=item["ref"], application=page.app)["children"] > 1
    for _ in range(20):
        items = page.task(role="listitem")
        wanted = [e for e in items if e["name"] == name]
        if wanted:
            found = [e for e in page.task(role="label", text=name) if e["name"] == name]
            page.click((found or wanted)[0]["ref"], method="pointer")
            return
        closed = [e for e in items if e["name"] not in opened and is_folder(e)]
        opened.add(closed[0]["name"])
        found = [e for e in page.task(role="label", text=closed[0]["name"]) if e["name"]]
        page.click((found or closed)[0]["ref"], method="pointer")
        time.sleep(0.3)


# --- fields -----------------------------------------------------------------------------------

@solves("focus-text")
def focus(page, _text):
    page.click(page.task(role="entry")[0]["ref"], method="pointer")


@solves("focus-text-2")
def focus_nth(page, text):
    page.click(page.task(role="entry")[int(re.search(r"(\d)", text)[1]) - 1]["ref"], method="pointer")


@solves("enter-text", "enter-text-dynamic")
def text_entered(page, text):
    page.set(page.task(role="entry")[0]["ref"], quoted(text)[0])
    page.submit()


@solves("enter-text-2")
def text_in_case(page, text):
    word = quoted(text)[0]
    page.set(page.task(role="entry")[0]["ref"], word.upper() if "upper case" in text else word.lower())
    page.submit()


@solves("enter-password")
def password_twice(page, text):
    for each in page.task(role="password"):
        page.set(each["ref"], quoted(text)[0])
    page.submit()


@solves("login-user", "login-user-popup")
def login(page, text):
    """A field may open a popup when it gets the focus, which turns the fields off. Its OK leaves the page."""
    name, secret = quoted(text)
    for role, value in (("entry", name), ("password", secret)):
        page.click(page.task(role=role)[0]["ref"], method="pointer")
        if still(lambda: len(page.task(role="button", text="Cancel")), 0.2):
            page.click(page.task(role="button", text="Cancel")[0]["ref"], method="pointer")
            until(lambda: not page.task(role="button", text="Cancel"), "the end of the popup")
        page.set(page.task(role=role)[0]["ref"], value)
    page.submit("Login" if page.task(role="button", text="Login") else "OK")


@solves("enter-date")
def date(page, text):
    month, day, year = re.search(r"(\d+)/(\d+)/(\d+)", text).groups()
    page.click('spin "Month"', method="pointer")
    page.type(month + day + year)
    page.submit()


@solves("enter-time")
def time_of_day(page, text):
    hour, minute, half = re.search(r"(\d+):(\d+) ([AP]M)", text).groups()
    page.click('spin "Hours"', method="pointer")
    page.type(hour.zfill(2) + minute + half[0])
    page.submit()


@solves("copy-paste")
def copied(page, _text):
    full, empty = sorted(page.task(role="field"), key=lambda e: "value" not in e)
    page.set(empty["ref"], page.call("get_element", element=full["ref"])["value"])
    page.submit()


@solves("copy-paste-2")
def copied_nth(page, text):
    fields = sorted(page.task(role="field"), key=lambda e: e["bounds"]["y"])
    value = page.call("get_element", element=fields[int(re.search(r"(\d)", text)[1]) - 1]["ref"])["value"]
    page.set(fields[-1]["ref"], value)
    page.submit()


@solves("find-word")
def nth_word(page, text):
    paragraph = [e for e in page.task(role="paragraph")][0]["value"]
    word = paragraph.split()[int(re.search(r"the (\d+)", text)[1]) - 1]
    page.set(page.task(role="entry")[0]["ref"], word.strip(".,"))
    page.submit()


@solves("read-table")
def table(page, text):
    cells = [e["name"] for e in page.task(role="cell")]
    page.set(page.task(role="entry")[0]["ref"], cells[cells.index(re.search("value of (.*) into", text)[1]) + 1])
    page.submit()


@solves("read-table-2")
def table_twice(page, _text):
    cells = [e["name"] for e in page.task(role="cell")]
    for entry in page.task(role="entry"):
        page.set(entry["ref"], cells[cells.index(entry["name"]) + 1])
    page.submit()


@solves("simple-arithmetic")
def arithmetic(page, _text):
    first, sign, second = re.search(r"(\d+) ([-+x]) (\d+)", " ".join(page.labels())).groups()
    value = {"+": int.__add__, "-": int.__sub__, "x": int.__mul__}[sign](int(first), int(second))
    page.set(page.task(role="entry")[0]["ref"], str(value))
    page.submit()


@solves("simple-algebra")
def algebra(page, _text):
    left, sign, right, total = re.search(r"(\w+) ([-+]) (\w+) = (-?\d+)", " ".join(page.labels())).groups()
    if sign == "+":
        value = int(total) - int(right if left == "x" else left)
    else:
        value = int(total) + int(right) if left == "x" else int(left) - int(total)
    page.set(page.task(role="entry")[0]["ref"], str(value))
    page.submit()


@solves("guess-number")
def guessed(page, _text):
    least, most = 0, 9
    while not page.ended():
        guess = (least + most) // 2
        page.set(page.task(role="spin")[0]["ref"], str(guess))
        page.submit()
        # the answer to this guess, not the one to the guess before
        said = until(lambda number=guess: page.ended() or re.search(rf"(higher|lower) than {number}\b", " ".join(
            " ".join(page.labels()).split())), "an answer")
        if not page.ended():
            least, most = (guess + 1, most) if said[1] == "higher" else (least, guess - 1)


@solves("generate-number")
def generated(page, text):
    word = re.search(r"(less than|greater than|odd|even) ?(\d*)", text)
    fits = {"less than": lambda n: n < int(word[2]), "greater than": lambda n: n > int(word[2]),
            "odd": lambda n: n % 2 == 1, "even": lambda n: n % 2 == 0}[word[1]]
    for _ in range(30):
        page.submit("Generate")
        if fits(int(page.labels()[0])):
            break
    page.submit()


@solves("use-autocomplete", "use-autocomplete-nodelay")
def completed(page, text):
    begins, *ends = quoted(text)
    page.click("entry", method="pointer")
    page.type(begins)

    def fitting():
        """The beginning and the end may overlap. Some proposals are scrolled away."""
        return [e for e in page.find(role="listitem", hidden=True)
                if e["name"].startswith(begins) and e["name"].endswith(ends[0] if ends else "")]
    page.click(until(fitting, "a proposal")[0]["ref"], method="pointer")
    page.submit()


def entry_of(page, words):
    """The entry that is nearest to what is called so: its label is beside it, above it, or below."""
    label = page.task(role="label", regex=words)[0]["bounds"]

    def gap(entry):
        box = entry["bounds"]
        return sum(max(0, box[at] - label[at] - label[size], label[at] - box[at] - box[size])
                   for at, size in (("x", "width"), ("y", "height")))
    return min(page.task(role="entry"), key=gap)["ref"]


@solves("multi-layouts", "multi-orderings")
def search_form(page, text):
    genre, name, year = re.search("Search for (.*) movies directed by (.*) from year (.*)\\.", text).groups()
    for words, value in (("Genre", genre), ("Director", name), ("Year|Date", year)):
        page.set(entry_of(page, words), value)
    page.click(page.task(regex="^(Submit|Search|Go!?)$")[-1]["ref"], method="pointer")


# --- spinners and sliders ------------------------------------------------------------------------

@solves("use-spinner")
def spinner(page, text):
    page.set("spin", re.search(r"Select (-?\d+)", text)[1])
    page.submit()


def slide(page, handle, value, now):
    """A handle that only the keyboard moves: it is clicked, then one key for each step."""
    page.press_at(handle)
    key = "Right" if value > now() else "Left"
    for _ in range(40):
        at = now()
        if at == value:
            return
        for _ in range(min(abs(value - at), 15)):
            page.keys(key if (value > at) == (key == "Right") else ("Left" if key == "Right" else "Right"))
        until(lambda was=at: now() != was, "the slider moves")


def handles(page):
    """jQuery's: small squares without a name."""
    found = [e for e in page.task(role="group") + page.task(role="element")
             if abs(e["bounds"]["width"] - e["bounds"]["height"]) < 3 and 10 < e["bounds"]["width"] < 26]
    return sorted(found, key=lambda e: e["bounds"]["y"])


def numbers(page):
    return [int(name) for name in page.labels() if re.fullmatch(r"-?\d+", name)]


@solves("use-slider")
def slider(page, text):
    slide(page, handles(page)[0], int(re.search(r"Select (-?\d+)", text)[1]), lambda: numbers(page)[0])
    page.submit()


@solves("use-slider-2")
def three_sliders(page, text):
    for i, value in enumerate(re.findall(r"\d+", text)):
        slide(page, handles(page)[i], int(value), lambda i=i: numbers(page)[i])
    page.submit()


@solves("form-sequence")
def slider_and_box(page, text):
    value, nth = re.search(r"Select (-?\d+) .* the (\d)", text).groups()
    slide(page, handles(page)[0], int(value), lambda: numbers(page)[0])
    page.click(page.task(role="checkbox")[int(nth) - 1]["ref"])
    page.submit()


@solves("form-sequence-2")
def radio_and_field(page, text):
    nth, value, field = re.search(r'the (\d)\w* radio button and enter the number "(.*?)" into the (\d)', text).groups()
    page.click(page.task(role="radio")[int(nth) - 1]["ref"])
    page.set(page.task(role="field")[int(field) - 1]["ref"], value)
    page.submit()


# --- several pages ----------------------------------------------------------------------------

@solves("search-engine")
def search(page, text):
    word = quoted(text)[0]
    nth = int(re.search(r"the (\d+)\w* search result", text)[1])
    page.set(page.task(role="entry")[0]["ref"], word)
    page.submit("Search")
    if nth > 3:
        page.click(f'link "{(nth - 1) // 3 + 1}"')
    titles = until(lambda: [e for e in page.task(role="link") if not re.fullmatch(r"\d|<|>", e["name"])], "results")
    page.click(titles[(nth - 1) % 3]["ref"])


@solves("phone-book")
def phone_book(page, text):
    name, what = re.search(r"Find (\S+) in .* click on their (.*?)\.?$", text).groups()
    order = ["phone number", "email", "address"].index(what)
    for _ in range(12):
        if [e for e in page.task(role="heading") if e["name"] == name]:
            links = [e for e in page.task(role="link") if not re.fullmatch(r"\d+|<|>", e["name"])]
            page.click(links[order]["ref"])
            return
        page.click('link ">"')


# --- the pointer -----------------------------------------------------------------------------

@solves("drag-box")
def box_in_box(page, _text):
    found = [e for e in page.task(role="group") if abs(e["bounds"]["width"] - e["bounds"]["height"]) < 6
             and 20 < e["bounds"]["width"] < 90]
    found.sort(key=lambda e: e["bounds"]["width"])
    small, large = found[0]["bounds"], found[-1]["bounds"]
    page.drag((small["x"] + small["width"] // 2, small["y"] + small["height"] // 2),
              (large["x"] + large["width"] // 2, large["y"] + large["height"] // 2))
    page.submit()


@solves("drag-sort-numbers")
def sorted_by_dragging(page, _text):
    def rows():
        found = page.task(role="label", regex=r"^-?\d+$")
        return sorted(found, key=lambda e: e["bounds"]["y"])

    def order():
        return [int(e["name"]) for e in rows()]
    for place in range(3):
        now = rows()
        least = min(now[place:], key=lambda e: int(e["name"]))
        if least is now[place]:
            continue
        was = order()
        x, y = middle(least)
        page.drag((x, y), (x, now[place]["bounds"]["y"] - 3))
        until(lambda before=was: order() != before, "another order")
    page.submit()


@solves("find-greatest")
def greatest(page, _text):
    """A card shows its number once it is clicked, and the others hide theirs."""
    cards = [e for e in page.task(role="group") + page.task(role="element")
             if 36 < e["bounds"]["width"] < 50 and 50 < e["bounds"]["height"] < 70]
    shown = []
    for card in cards:
        page.press_at(card)
        box = card["bounds"]
        number = until(lambda at=box: [e for e in page.task(role="label", regex=r"^\d+$") if e["bounds"]["width"] > 1
                                       and at["x"] <= e["bounds"]["x"] < at["x"] + at["width"]], "a number")[0]
        shown.append((int(number["name"]), card))
    page.press_at(max(shown, key=lambda pair: pair[0])[1])
    page.submit()


LEFT_OUT = (
    ("a picture has to be seen", "bisect-angle chase-circle circle-center click-color click-pie click-pie-nodelay click-shades "
     "click-shape count-shape count-sides drag-circle drag-cube drag-items drag-items-grid drag-shapes drag-shapes-2 "
     "drag-single-shape draw-circle draw-line find-midpoint grid-coordinate hover-shape identify-shape moving-items "
     "number-checkboxes right-angle simon-says tic-tac-toe use-colorwheel use-colorwheel-2 visual-addition"),
    ("what is to be clicked has no name, or is not in the tree", "form-sequence-3 click-menu-2 email-inbox email-inbox-delete email-inbox-forward "
     "email-inbox-important email-inbox-noscroll email-inbox-reply email-inbox-star-reply social-media "
     "social-media-all social-media-some text-editor"),
    ("language has to be understood", "click-checkboxes-soft email-inbox-forward-nl email-inbox-forward-nl-turk "
     "email-inbox-nl-turk"),
)
