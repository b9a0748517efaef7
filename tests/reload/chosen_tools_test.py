#!/usr/bin/env python3
"""generateCommonTools and includeApps in the file of --config, or mcp.json: which common tools are listed, also when it changes."""

import json
import os
import subprocess

from project import Project, holds, same, saying, tap

from server import PERIGEE

FINDER = {"finder_copy", "finder_get_items", "finder_list_folder", "finder_move", "finder_open", "finder_trash"}
SAFARI = {"safari_close_tab", "safari_get_current_url", "safari_open_url"}
MAIL = {"mail_get_inbox_count", "mail_send_message"}
EVENTS = {"system_events_click", "system_events_get_processes", "system_events_keystroke"}
MUSIC = {"music_control", "music_get_track"}
NOTIFICATIONS = {"notification_show"}
ALL = FINDER | SAFARI | MAIL | EVENTS | MUSIC | NOTIFICATIONS
BOTH = {"generateCommonTools": True, "includeApps": ["com.apple.finder", "com.apple.Safari"]}


class Chosen(Project):
    """A project with a file of servers in a folder of its own."""

    def __init__(self, config=None, *, arguments=(), named=True):
        super().__init__({"tools/test/hello.lua": saying("hello")}, start=False)
        self.config = os.path.join(self.top, "config", "servers.json") if named else None
        os.makedirs(os.path.join(self.top, "config"))
        if config is not None:
            self.say(config)
        self.arguments = [*arguments, *(["--config", self.config] if named else [])]
        self.start()

    def say(self, config, path=None):
        """Replaces the file, as editors do."""
        path = path or self.config
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(config if isinstance(config, str) else json.dumps(config))
        os.replace(path + ".new", path)

    def listed(self):
        """The common tools in the list."""
        names, cursor = set(), None
        while True:
            page = self.server.ask("tools/list", {"cursor": cursor} if cursor else {})["result"]
            names |= {tool["name"] for tool in page["tools"]}
            cursor = page.get("nextCursor")
            if not cursor:
                return names & ALL

    def told(self):
        """Waits until the server says that its list of tools changed, and sees that it says so once."""
        self.await_changed()
        same(self.changes(), 0, "further notifications")


def chosen():
    """Members of other programs are passed over, comments too."""
    for config, wanted in ((None, set()), ({}, set()), ({"generateCommonTools": False}, set()), (BOTH, FINDER | SAFARI),
                           ({"generateCommonTools": True}, ALL), ({"generateCommonTools": True, "includeApps": []}, set()),
                           ({"includeApps": ["com.apple.finder"]}, set()), ({"generateCommonTools": True, "includeApps": None}, ALL),
                           ({"generateCommonTools": True, "includeApps": ["com.apple.Mail"], "mcpServers": {"x": {"command": "x"}},
                             "theme": {"generateCommonTools": 7}}, MAIL),
                           ('// mine\n{"generateCommonTools": true, /* some */ "includeApps": ["com.apple.systemevents",],}', EVENTS),
                           ('{"generate\\u0043ommonTools": true}', ALL),
                           ({"generateCommonTools": True, "includeApps": ["com.apple.Music", "com.apple.notificationcenterui"]},
                            MUSIC | NOTIFICATIONS)):
        with Chosen(config) as project:
            same(project.listed(), wanted, f"{config!r}")


def users_own_file():
    """Without --config it is mcp.json of the user's folder."""
    with Chosen(named=False) as project:
        same(project.listed(), set())
        project.say(BOTH, os.path.join(project.server.home, "mcp.json"))
        project.told()
        same(project.listed(), FINDER | SAFARI)


def hot():
    """Each change of the choice is told, and another change of the file is not."""
    with Chosen() as project:
        same(project.listed(), set())
        for config, wanted in (({"generateCommonTools": True}, ALL), (BOTH, FINDER | SAFARI),
                               ({**BOTH, "includeApps": ["com.apple.mail"]}, MAIL), ({"generateCommonTools": False}, set())):
            project.say(config)
            project.told()
            same(project.listed(), wanted, f"{config!r}")
        project.say({"generateCommonTools": False, "mcpServers": {}})
        project.write("tools/test/other.lua", saying("other"))
        project.told()      # of the new tool alone
        project.say(BOTH)
        project.told()
        same(project.listed(), FINDER | SAFARI)
        os.remove(project.config)
        project.told()
        same(project.listed(), set())


def found():
    """search_tools offers what is chosen; call_tool runs what is named."""
    with Chosen() as project:
        def names(query):
            found = project.server.call("search_tools", {"query": query, "limit": 200})["result"].get("structuredContent", {})
            return {tool["name"] for tool in found.get("tools", [])} & ALL
        same((names("finder trash"), names("")), (set(), set()))
        listed = project.server.call("call_tool", {"name": "finder_list_folder", "arguments": {"folder": "/nowhere"}})["result"]
        holds(listed["content"][0]["text"], "outside the granted directories")
        project.say(BOTH)
        project.told()
        same(("finder_trash" in names("finder trash"), names("")), (True, FINDER | SAFARI))


def toolset():
    with Chosen(arguments=("--toolset", "common")) as project:
        same(project.listed(), ALL)


def faults():
    """The log and doctor say what is wrong; nothing is listed that was not chosen for certain."""
    for config, said, wanted in (
            ({"generateCommonTools": True, "includeApps": ["com.apple.finder", "com.aple.mail"]}, "com.aple.mail", FINDER),
            ({"generateCommonTools": "yes"}, "neither true nor false", set()),
            ({"generateCommonTools": True, "includeApps": "com.apple.finder"}, "not a list of strings", set()),
            ({"generateCommonTools": True, "includeApps": [7]}, "not a list of strings", set()),
            ('{"generateCommonTools": tru}', "line 1", set()), ('{"mcpServers": {},,}', "line 1", set())):
        with Chosen(config) as project:
            same(project.listed(), wanted, f"{config!r}")
            project.await_that(f"a line of the log about {config!r}",
                               lambda wanted=said: wanted in "\n".join(project.server.errors))
            check = doctor(project)
            same(check["status"], "warning", check["text"])
            holds(check["text"], said)
    with Chosen(BOTH) as project:
        check = doctor(project)
        same((check["status"], check["text"]), ("ok", "listed for com.apple.finder, com.apple.Safari"))
    with Chosen({}) as project:
        same(doctor(project)["text"], "none is listed; \"generateCommonTools\" in mcp.json lists them")


def doctor(project):
    done = subprocess.run([PERIGEE, "doctor", "--json", "--config", project.config], capture_output=True, text=True, check=False,
                          env=dict(os.environ, PERIGEE_HOME=project.server.home, PERIGEE_DESKTOP="fake", DISPLAY=""))
    return next(check for check in json.loads(done.stdout)["checks"] if check["id"] == "common_tools")


tap.case("the file chooses which common tools are listed", chosen)
tap.case("mcp.json of the user's folder does so, too", users_own_file)
tap.case("a change of the choice is told at once", hot)
tap.case("search_tools finds what is chosen", found)
tap.case("--toolset common lists all", toolset)
tap.case("faults are in the log and in doctor", faults)
tap.done()
