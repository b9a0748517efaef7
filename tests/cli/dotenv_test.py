#!/usr/bin/env python3
"""The file .env of the working directory, which may be a stranger's: what it sets, what it never sets, and who is told."""

import json
import os

from kit import FOLDER, PERIGEE, done, folder, has, hasnt, perigee, same, tap, write

ALLOWED = ["GEMINI_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "LOG_LEVEL", "SCREENSHOT_PATH", "KEYNOTE_THEME",
           "KEYNOTE_DOCUMENT_MODE"]

# Hosts, programs, files that run, and all that decides who is trusted.
NEVER = """PERIGEE_CODE_PYTHON PERIGEE_MAIL PERIGEE_HOME PERIGEE_LUA PERIGEE_MODULES PERIGEE_TOKEN PERIGEE_DESKTOP PERIGEE_PYTHON PERIGEE_LOG_FILE
    PERIGEE_LOG_LEVEL PERIGEE_RUNTIME_DIR PERIGEE_AGENT_SERVERS PERIGEE_OF_DIRECTORY PERIGEE_GMAIL_URL PEEKABOO_AI_PROVIDERS PEEKABOO_LOG_FILE
    PEEKABOO_OLLAMA_BASE_URL PEEKABOO_DEFAULT_SAVE_PATH OPENAI_BASE_URL ANTHROPIC_BASE_URL GEMINI_BASE_URL GOOGLE_API_KEY
    OPENAI_API_BASE OLLAMA_HOST KEYNOTE_DRIVER PATH HOME SHELL BROWSER EDITOR LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES
    HTTP_PROXY HTTPS_PROXY https_proxy ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE DISPLAY WAYLAND_DISPLAY
    DBUS_SESSION_BUS_ADDRESS XDG_CONFIG_HOME XDG_DATA_DIRS XDG_RUNTIME_DIR XAUTHORITY TMPDIR TESSDATA_PREFIX PYTHONPATH
    PYTHONSTARTUP LUA_PATH LUA_INIT BASH_ENV ENV IFS GCONV_PATH NODE_OPTIONS GIT_SSH_COMMAND MAIL mail openai_api_key
    OPENAI_API_KEY_FILE XOPENAI_API_KEY MY_API_KEY""".split()

READ = "for _, name in ipairs { ... } do print(name .. '=' .. tostring(require('sys.env').get(name))) end"
SECRET = "sk-of-the-directory"

count = 0


def project(text, mode=0o644):
    """A new directory with this .env."""
    global count
    count += 1
    path = folder(f"project{count}")
    if text is not None:
        (path / ".env").write_bytes(text if isinstance(text, bytes) else text.encode())
        (path / ".env").chmod(mode)
    return path


def values(names, cwd, **env):
    """(the variables as a script sees them, stderr)"""
    ended = perigee("run", "-e", READ, *names, cwd=cwd, **env)
    same(ended.code, 0, str(ended))
    return dict(line.split("=", 1) for line in ended.out.splitlines()), ended.err


def allowed():
    lines = "".join(f"{name}=value-of-{name}\n" for name in ALLOWED if name != "LOG_LEVEL") + "LOG_LEVEL=warning\n"
    place = project(lines)
    got, err = values(ALLOWED, place)
    same(got, {name: "warning" if name == "LOG_LEVEL" else f"value-of-{name}" for name in ALLOWED})
    same(len(err.splitlines()), 1, err)
    has(err, f"{place}/.env sets {', '.join(ALLOWED[:3])}, ", ", LOG_LEVEL")
    hasnt(err, "value-of-GEMINI_API_KEY")


def passed_on():
    """An engine that another one starts has the values as variables, often in another directory: it knows where they are from."""
    place = project("SCREENSHOT_PATH=/home/ann/wedding.png\n")
    asks = """local of_directory = require('dotenv').of_directory
        print(of_directory 'SCREENSHOT_PATH', of_directory 'SCREENSHOT', require('sys.env').get 'SCREENSHOT_PATH')"""
    starts = f"""local ran = assert(require('sys.process').run {{ {json.dumps(PERIGEE)}, 'run', '-e', ..., cwd = '/' }}) print(ran.stdout)"""
    for words in (("run", "-e", asks), ("run", "-e", starts, asks)):
        same(perigee(*words, cwd=place).out.strip(), "true\tfalse\t/home/ann/wedding.png", words)
    theirs = perigee("run", "-e", asks, cwd=place, SCREENSHOT_PATH="/home/ann/slide.png")
    same(theirs.out.strip(), "false\tfalse\t/home/ann/slide.png")


def never():
    quiet, _ = values(NEVER, project(None))
    got, err = values(NEVER, project("".join(f"{name}=/evil/{name}\n" for name in NEVER)))
    same({name for name in NEVER if "evil" in got[name]}, set())
    same(got, quiet)
    same(err, "", "nothing was set, so nothing is told")


def disguised():
    """Lines that a careless reader takes for other names."""
    text = ("export PERIGEE_MAIL=smtps://evil\n  export  PATH = /evil\nexport\tOLLAMA_HOST=evil\n"
            "OPENAI_API_KEY\n=x\nPERIGEE_MAIL='smtps://evil\nOPENAI_API_KEY=\"a\nPATH=/evil\"\n"
            "\ufeffPERIGEE_MAIL=smtps://evil\n\x00PERIGEE_MAIL=smtps://evil\nLOG_LEVEL=debug\rPERIGEE_MAIL=smtps://evil\n"
            "PERIGEE_MAIL\u200b=x\nPERIGEE_MAIL+=smtps://evil\nPERIGEE_MAIL==x\n=PERIGEE_MAIL\n" + "A" * 3000 + "=1\n")
    names = ["PERIGEE_MAIL", "PATH", "OLLAMA_HOST"]
    quiet, _ = values(names, project(None))
    same(values(names, project(text))[0], quiet)


def order():
    """The environment comes first, then the user's file, then that of the directory."""
    place = project(f"OPENAI_API_KEY={SECRET}\nGEMINI_API_KEY={SECRET}\nANTHROPIC_API_KEY={SECRET}\n")
    write("ordered/.env", "GEMINI_API_KEY=of-the-user\nPERIGEE_MAIL=smtps://me@host\n", 0o600)
    names = ["OPENAI_API_KEY", "GEMINI_API_KEY", "ANTHROPIC_API_KEY", "PERIGEE_MAIL"]
    got, err = values(names, place, OPENAI_API_KEY="of-the-environment", PERIGEE_HOME=str(FOLDER / "ordered"))
    same(got, {"OPENAI_API_KEY": "of-the-environment", "GEMINI_API_KEY": "of-the-user", "ANTHROPIC_API_KEY": SECRET,
               "PERIGEE_MAIL": "smtps://me@host"})
    has(err, ".env sets ANTHROPIC_API_KEY")
    hasnt(err, "GEMINI", "OPENAI")
    same(values(names[:1], place, OPENAI_API_KEY="")[0], {"OPENAI_API_KEY": "nil"}, "a variable that is set to nothing is set")


def users_own():
    """In the user's own directory its file is not a stranger's."""
    write("mine/.env", "PERIGEE_MAIL=smtps://me@host\nOPENAI_API_KEY=mine\n", 0o600)
    got, err = values(["PERIGEE_MAIL", "OPENAI_API_KEY"], FOLDER / "mine", PERIGEE_HOME=str(FOLDER / "mine"))
    same((got, err), ({"PERIGEE_MAIL": "smtps://me@host", "OPENAI_API_KEY": "mine"}, ""))


def others_can_write():
    for mode in (0o666, 0o622, 0o646):
        place = project(f"OPENAI_API_KEY={SECRET}\n", mode)
        got, err = values(["OPENAI_API_KEY"], place)
        same(got, {"OPENAI_API_KEY": "nil"}, oct(mode))
        has(err, f"other users can write {place}/.env", f"chmod go-w {place}/.env")
        hasnt(err, SECRET)
    place = project(f"OPENAI_API_KEY={SECRET}\n")
    place.chmod(0o777)
    got, err = values(["OPENAI_API_KEY"], place)
    same(got, {"OPENAI_API_KEY": "nil"}, "in a directory that others can write")
    has(err, "other users can write in the directory")


def another_owner():
    if os.geteuid() != 0:
        raise tap.Skip("only root can give files away")
    place = project(f"OPENAI_API_KEY={SECRET}\n")
    os.chown(place / ".env", 65534, 65534)
    got, err = values(["OPENAI_API_KEY"], place)
    same(got, {"OPENAI_API_KEY": "nil"})
    has(err, "belongs to another user and is not used")
    link = project(None)
    (link / ".env").symlink_to(place / ".env")
    same(values(["OPENAI_API_KEY"], link)[0], {"OPENAI_API_KEY": "nil"}, "by a link")


def no_files():
    """None of these holds a command up, and none is fatal."""
    pipe, directory, device, large, broken = (project(None) for _ in range(5))
    os.mkfifo(pipe / ".env")
    (directory / ".env").mkdir()
    (device / ".env").symlink_to("/dev/zero")
    (large / ".env").write_text("OPENAI_API_KEY=x\n" + "# \n" * 100000)
    (broken / ".env").symlink_to("nowhere")
    for place in (pipe, directory, device, large, broken):
        same(values(["OPENAI_API_KEY"], place)[0], {"OPENAI_API_KEY": "nil"}, str(place))


def harmless_values():
    """Values of settings are no secrets: the log would lack the word everywhere."""
    text = "SCREENSHOT_PATH=/tmp/picture.png\nKEYNOTE_THEME=Gradient\n"
    write("words/.env", text, 0o600)
    said = "require('sys.log').warn('Gradient of /tmp/picture.png')"
    for place, home in ((project(text), "home"), (folder("here"), "words")):
        has(perigee("run", "-e", said, cwd=place, PERIGEE_HOME=str(FOLDER / home)).err, "Gradient of /tmp/picture.png")
    keyed = perigee("run", "-e", f"require('sys.log').warn('the key {SECRET}')", cwd=project(f"OPENAI_API_KEY={SECRET}\n"))
    has(keyed.err, "the key ***")


def told_first():
    """The line comes before all others of a run; and not among what a shell completes."""
    place = project("LOG_LEVEL=info\n")
    same(perigee("agent", "--model", "offline", "--server", "false", "Do it", cwd=place).err.splitlines()[0].split("] ")[-1],
         f"{place}/.env sets LOG_LEVEL")
    for level in ("error", "off"):          # the file cannot keep itself from being told
        hidden = project(f"OPENAI_API_KEY={SECRET}\nLOG_LEVEL={level}\n")
        for words in (("run", "-e", "print 'ran'"), ("call", "engine_status"), ("serve",)):
            err = perigee(*words, cwd=hidden).err
            same(err.count("\n"), 1, err)
            has(err, f"{hidden}/.env sets OPENAI_API_KEY, LOG_LEVEL")
    served = perigee("serve", cwd=place, stdin='{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    has(served.err.splitlines()[0], f"{place}/.env sets LOG_LEVEL")
    hasnt(perigee("__complete", "ca", cwd=place).err, ".env")
    same(perigee("--version", cwd=place).err, "")


def doctor():
    def row(place):
        value = json.loads(perigee("doctor", "--json", cwd=place, PERIGEE_DESKTOP="fake").out)
        return next(check for check in value["checks"] if check["id"] == "settings")
    same(row(project(None))["text"], "no .env in this directory")
    place = project(f"OPENAI_API_KEY={SECRET}\nLOG_LEVEL=error\n")
    same((row(place)["status"], row(place)["text"]), ("ok", f"{place}/.env sets OPENAI_API_KEY, LOG_LEVEL"))
    place = project("PERIGEE_MAIL=smtps://evil\nOPENAI_BASE_URL=http://evil\nDATABASE_URL=x\n")
    found = row(place)
    same((found["status"], found["text"]),
         ("warning", f"{place}/.env sets nothing that is not set already, and may not set PERIGEE_MAIL, OPENAI_BASE_URL"))
    has(found["next"], "~/.config/perigee")
    found = row(project("PERIGEE_\x1b[31m=x\nPERIGEE_A B=x\nPERIGEE_MAIL=x\n"))
    has(found["text"], "may not set PERIGEE_MAIL")
    hasnt(found["text"], "\x1b", "A B")
    found = row(project("LOG_LEVEL=error\n", 0o666))
    same(found["status"], "warning")
    has(found["text"], "other users can write")
    hasnt(json.dumps(row(project(f"OPENAI_API_KEY={SECRET}\n"))), SECRET)


tap.case("keys of models and settings of slides and of the log are set, and told", allowed)
tap.case("a variable of the directory is known as one, also in an engine that is started later", passed_on)
tap.case("no host, no program and no other name is ever set", never)
tap.case("nor by a line in disguise", disguised)
tap.case("the environment comes first, then the user's file", order)
tap.case("the user's own file sets all, wherever it is read from", users_own)
tap.case("a file that others can write is not read, and this is said", others_can_write)
tap.case("nor is one of another user", another_owner)
tap.case("a pipe, a device or a directory of that name holds nothing up", no_files)
tap.case("settings are no secrets, and keys are", harmless_values)
tap.case("a run tells of it first", told_first)
tap.case("doctor tells of it", doctor)
done()
