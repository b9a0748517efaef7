"""The Finder, Safari, Mail, Music and System Events as the scripts of lua/scripts/common see them: a TEST DOUBLE. The Finder's files
are real ones, in the folders that the arguments name; the rest is in a JSON file:

    tabs      Safari's windows, the frontmost first, each a list of [URL, title]; absent: it does not run
    stays     true: a page keeps its tab open
    inbox     [messages, unread]
    processes [[pid, bundle id, frontmost, visible, name], ...]
    music     {"state": playing, paused or stopped, "at": the place of the current track, "tracks": [[ID, milliseconds or "", title,
              artist, album], ...], "position": milliseconds, "deaf": true: it does nothing}; absent: it does not run
    opened    what the Finder was told to open: [path, bundle id]
    trash     the folder of the trash
"""

from __future__ import annotations

import os
import pathlib
import shutil
from typing import Any, Callable

from keynote_model import Failed

State = dict[str, Any]
NO_FILE = "Finder got an error: File wasn\u2019t found."


def existing(path: str) -> pathlib.Path:
    if not os.path.isabs(path) or not os.path.lexists(path):
        raise Failed(-43, NO_FILE)
    return pathlib.Path(path)


def shown(folder: pathlib.Path, text: str) -> str:
    """The Finder's names have a slash where a path has a colon."""
    parts = []
    for name in sorted(os.listdir(folder)):
        known = name.replace(":", "/")
        if not name.startswith(".") and text.lower() in known.lower():
            parts += ["folder" if (folder / name).is_dir() else "document file", known]
    return ":".join(parts)


def finder_list_folder(_: State, folder: str) -> str:
    return shown(existing(folder), "")


def finder_get_items(_: State, folder: str, text: str) -> str:
    return shown(existing(folder), text)


def finder_open(state: State, path: str, bundle: str) -> str:
    state.setdefault("opened", []).append([path, bundle])
    return f"{path}/" if existing(path).is_dir() and not bundle else ""


def finder_move(_: State, path: str, folder: str) -> str:
    target = existing(folder) / existing(path).name
    os.rename(path, target)
    return str(target)


def finder_copy(_: State, path: str, folder: str) -> str:
    target = existing(folder) / existing(path).name
    (shutil.copytree if os.path.isdir(path) else shutil.copy2)(path, target)
    return str(target)


def finder_trash(state: State, path: str) -> str:
    return finder_move(state, path, state["trash"])


def windows(state: State) -> list[list[list[str]]]:
    if state.get("tabs") is None:
        raise Failed(-600, "Safari does not run")
    return state["tabs"]


def safari_open_url(state: State, url: str, where: str) -> str:
    tabs = state.setdefault("tabs", [])
    if where == "window" or not tabs:
        tabs.insert(0, [])
    tabs[0].insert(0, [url, f"Page of {url}"[:80]])
    return f"{len(tabs)}\n{len(tabs[0])}"


def front(state: State) -> list[list[str]]:
    if not windows(state):
        raise Failed(9001, "Safari has no window")
    return windows(state)[0]


def safari_get_current_url(state: State) -> str:
    url, title = front(state)[0]
    return f"{url}\n{title}"


def safari_close_tab(state: State, wanted: str) -> str:
    url = front(state)[0][0]
    if wanted and url != wanted:
        raise Failed(9002, url)
    before = sum(map(len, state["tabs"]))
    if not state.get("stays"):
        state["tabs"][0].pop(0)
        state["tabs"] = [window for window in state["tabs"] if window]
    return f"{before}\n{sum(map(len, state['tabs']))}\n{url}"


def mail_get_inbox_count(state: State) -> str:
    return "\n".join(map(str, state["inbox"]))


def system_events_get_processes(state: State) -> str:
    def words(row: list[Any]) -> list[str]:
        return [str(value).lower() if isinstance(value, bool) else str(value) for value in row]
    return "".join("\x1f".join(words(row)) + "\x1e" for row in state["processes"])


def music_of(state: State) -> dict[str, Any]:
    if state.get("music") is None:
        raise Failed(-600, "Music does not run")
    return state["music"]


def look(music: dict[str, Any]) -> str:
    if not music.get("tracks"):
        return "\x1f".join([music["state"], "", "", "", "", "", ""])
    number, length, title, artist, album = music["tracks"][music.get("at", 0)]
    return "\x1f".join([music["state"], number, str(music.get("position", 0)), str(length), title, artist, album])


def music_get_track(state: State) -> str:
    return look(music_of(state))


def music_control(state: State, action: str) -> str:
    music = music_of(state)
    past, step = look(music), {"next": 1, "previous": -1}.get(action, 0)
    if action not in ("play", "pause", "play_pause", "next", "previous", "stop"):
        raise Failed(-1703, "music_control knows no such action")
    if music.get("deaf"):
        pass
    elif step and 0 <= music.get("at", 0) + step < len(music["tracks"]):
        music.update(at=music.get("at", 0) + step, position=0)
    elif action == "previous":
        music["position"] = 0
    elif action in ("next", "stop"):
        music.update(state="stopped", tracks=[])
    elif action == "pause" or action == "play_pause" and music["state"] == "playing":
        music["state"] = "stopped" if music["state"] == "stopped" else "paused"
    else:
        music["state"] = "playing"
    return past + "\x1f" + look(music)


SCRIPTS: dict[str, Callable[..., str]] = {name: function for name, function in globals().items()
                                          if name.startswith(("finder_", "safari_", "mail_", "music_", "system_events_"))
                                          and name != "music_of"}
TERMS = {"finder": "com.apple.finder", "safari": "com.apple.Safari", "mail": "com.apple.mail", "music": "com.apple.Music",
         "system": "com.apple.systemevents"}


def play(state: State, script: str, args: list[str], terms: str) -> str:
    """What the script prints. Raises Failed with what osascript would say."""
    if terms != TERMS[script.split("_")[0]]:
        raise Failed(-1728, f"Can\u2019t get application id \"{terms}\".", "syntax")
    try:
        return SCRIPTS[script](state, *args)
    except TypeError as error:
        raise Failed(-1703, f"{script}: {error}") from None
