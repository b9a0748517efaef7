"""Steps of a client before it calls a running application: it is found, read, searched and checked."""

import json

from script import SAY, running
from tools import Failure, same

# Each curated example about the application that is a call over D-Bus, against its dictionary as it runs.
CHECKED = 'local json = require "sys.json"' + SAY + """
local check, curated, library = require "dictionary.example_check", require "dictionary.curated", require "dictionary.library"
local model = assert(library.model(assert(library.find(%s))))
local faults, count = json.array {}, 0
for _, example in ipairs(curated.of(model).examples) do
  local how, err = check.run(example, { model = model })
  count = count + 1
  if how ~= "dictionary" then faults[#faults + 1] = ("%%s %%s"):format(example.task, err or how) end
end
say(count, faults)
"""


def is_described(tools, desktop, app, question, command):
    """The application is listed, its dictionary has the command, the question finds it among five, and its examples fit."""
    listed = {one["bundleId"]: one for one in tools("discover_apps")["apps"]}
    same(listed[app]["source"], "dbus", app)
    same(tools("get_app_info", appBundleId=app)["running"], True, app)
    answer = tools.server.ask("resources/read", {"uri": f"osa://apps/{app}/dictionary"})
    read = json.loads(answer["result"]["contents"][0]["text"])
    names = [one["name"] for one in read["commands"]]
    if command not in names:
        raise Failure(f"the dictionary of {app} has no {command}: {names}")
    found = tools("search_commands", query=question, appBundleId=app, limit=5)["results"]
    if command not in [one["command"] for one in found]:
        raise Failure(f"{question!r} does not find {command}: {found}")
    with running(desktop, CHECKED % json.dumps(app)) as script:
        count, faults = json.loads(script.ends().strip().splitlines()[-1])
    same(faults, [], f"examples of {app}")
    same(count > 0, True, f"{app} has examples")
