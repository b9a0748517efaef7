"""The plan and the log that the order forms of the drift tests share (drift_qt.py, drift_gtk4.py, DriftSwing.java, page()).

The plan is a JSON file, read at the start: "title", "log", "names" of the fields and buttons, "rows", "more" (buttons that nobody
asks for), "font" in points, "tip" (a modal dialog comes first), "delay" (milliseconds until a press has its effect). The log has a
line of JSON for each press, {"press": NAME}, and for each change of a field, {"field": NAME, "value": TEXT}; names are those of
PLAIN, whatever the window shows.
"""

import json

PLAIN = {"name": "Name", "mail": "Mail", "add": "Add", "remove": "Remove", "send": "Send", "tip": "Tip of the day", "ok": "OK"}
GERMAN = {"name": "Vorname", "mail": "Post", "add": "Hinzu", "remove": "Entfernen", "send": "Absenden", "tip": "Tipp des Tages", "ok": "Gut"}
ROWS = ["Plum", "Pear", "Quince"]
MORE_ROWS = ["Plum", "Apple", "Pear", "Quince"]


class Form:
    """The plan of a program and its log."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.plan = json.load(file)
        self.names, self.rows, self.values = self.plan["names"], self.plan["rows"], {"name": "", "mail": ""}

    def note(self, **what):
        with open(self.plan["log"], "a", encoding="utf-8") as file:
            file.write(json.dumps(what) + "\n")

    def wrote(self, key, value):
        self.values[key] = value
        self.note(field=PLAIN[key], value=value)

    def title_when_sent(self):
        return f"sent {self.values['name']}"


def plan(path, log, title, **more):
    """Writes a plan."""
    path.write_text(json.dumps({"title": title, "log": str(log), "names": PLAIN, "rows": ROWS, "more": [], "font": 0, "tip": False,
                                "delay": 0, **more}), encoding="utf-8")


PAGE = """<!doctype html><meta charset="utf-8"><title></title><style>:root { font-size: SIZEpx } STYLE</style><body><script>
const plan = PLAN, values = {name: "", mail: ""};
document.title = plan.title;
function note(what) { const call = new XMLHttpRequest(); call.open("POST", "/log", false); call.send(JSON.stringify(what)); }   // in order
function add(parent, kind, text) { const made = document.createElement(kind); made.textContent = text || ""; parent.append(made); return made; }
function button(parent, key, name, effect) {
  const made = add(parent, "button", key);
  made.onclick = () => { note({press: name}); if (effect) setTimeout(effect, plan.delay); };
  return made;
}
for (const key of ["name", "mail"]) {
  const label = add(add(document.body, "p"), "label", plan.names[key] + " ");
  add(label, "input").oninput = event => { values[key] = event.target.value; note({field: PLAIN[key], value: event.target.value}); };
}
const list = add(document.body, "ul"), said = document.createElement("p");
for (const row of plan.rows) {
  const item = add(list, "li", row + " ");
  button(item, plan.names.add, "Add " + row, () => { said.textContent = "added " + row; });
}
for (const name of plan.more) button(document.body, name, name);
button(document.body, plan.names.remove, "Remove");
button(document.body, plan.names.send, "Send", () => { document.title = "sent " + values.name; });
document.body.append(said);
if (plan.tip) {
  const tip = add(document.body, "dialog");
  tip.ariaLabel = plan.names.tip;
  add(tip, "p", plan.names.tip);
  button(tip, plan.names.ok, "OK", () => tip.close());
  tip.showModal();
}
</script>"""


def page(plan_of_it, dark):
    """The text of the same form as a page."""
    style = "body { background: black; color: white } button { background: #333; color: yellow }" if dark else ""
    return (PAGE.replace("SIZE", str(plan_of_it["font"] or 16)).replace("STYLE", style)
            .replace("plan = PLAN", f"plan = {json.dumps(plan_of_it)}, PLAIN = {json.dumps(PLAIN)}"))
