#!/usr/bin/env python3
"""Looking with a model: the tool `analyze`, `image` with a question, and the commands, on the desktop in memory and against
a double that checks every request as the model's API would."""

import base64
import json
import random
import re
import sys

from kit import FOLDER, TOP, done, folder, has, hasnt, must, perigee, same, tap, write

sys.path.insert(0, str(TOP / "tests/lib"))
import png  # noqa: E402
import server  # noqa: E402
from model_apis.shape import image_size  # noqa: E402
from models import KEYS, Double  # noqa: E402

DOUBLE = Double()
HERE = folder("images")
WEBP = base64.b64decode("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
QUESTION = "What is it?"
UNSET = "AI analysis not configured on this server. Set the PEEKABOO_AI_PROVIDERS environment variable."
NONE_UP = "No configured AI providers in PEEKABOO_AI_PROVIDERS are currently operational."
MODELS = {"openai": "local-model", "anthropic": "claude-haiku-4-5", "gemini": "gemini-2.0-flash", "ollama": "llava"}


def environment(providers, scenario="ok", session=None, **more):
    """A server's: the providers, each led to the double."""
    env = {"PERIGEE_DESKTOP": "fake", "PEEKABOO_AI_PROVIDERS": providers, "TMPDIR": str(folder("tmp")), **KEYS}
    for name in MODELS:
        for variable, url in DOUBLE.variables(name, session or scenario, scenario).items():
            env["PEEKABOO_OLLAMA_BASE_URL" if variable == "OLLAMA_HOST" else variable] = url
    env.update(more)
    return {name: value for name, value in env.items() if value is not None}


def opened(*words, **env):
    it = server.perigee(*words, env={"PERIGEE_RUNTIME_DIR": str(folder("run")), "XDG_STATE_HOME": str(folder("state")), **env})
    it.initialize()
    return it


def shot(name, *words):
    path = str(HERE / name)
    answer = perigee("image", "--path", path, "--app", "editor", *words, PERIGEE_DESKTOP="fake")
    same(answer.code, 0, str(answer))
    return path


PATH = shot("editor.png")


def analyze(providers, arguments=None, **more):
    """The result of the tool, in a server of its own."""
    with opened(**environment(providers, **more)) as it:
        return it.call("analyze", {"image_path": PATH, "question": QUESTION, **(arguments or {})})["result"]


def refused(result, text, code):
    same((result["isError"], result["content"][0]["text"]), (True, text))
    same((result["_meta"]["backend_error_code"], result["_meta"]["perigee/code"]), (code, code))


def each_api(name):
    def case():
        session = "each-" + name
        DOUBLE.script(session, [{"text": "An editor."}])
        result = analyze(f"{name}/{MODELS[name]}", session=session)
        same(result.get("isError", False), False, json.dumps(result))
        facts = {"analysis_text": "An editor.", "model_used": f"{name}/{MODELS[name]}"}
        same(result["structuredContent"], facts)
        same({key: result[key] for key in facts}, facts)             # beside content, as Peekaboo has them
        must(result["content"][0]["text"].startswith("An editor.\n\n--- Peekaboo MCP Server Status ---"), result)
        has(result["content"][0]["text"], f"(from PEEKABOO_AI_PROVIDERS ENV): {name}/{MODELS[name]}\n---")
        asked, problems = DOUBLE.requests(session)
        same(problems, [])
        has(asked[-1]["raw"], QUESTION)
        with open(PATH, "rb") as file:
            same(image_in(asked[-1]), file.read(), "what fits is sent as it is")
    return case


def order_and_defaults():
    for providers, env, used in [
        ("gemini,openai/local-model", {}, "gemini/gemini-2.0-flash"),
        ("gemini,openai/local-model", {"GEMINI_API_KEY": None}, "openai/local-model"),
        (" unknown/x , ollama/llava , openai/local-model", {}, "ollama/llava"),
        ("ollama/llava,openai/local-model", {"PEEKABOO_OLLAMA_BASE_URL": "http://127.0.0.1:9"}, "openai/local-model"),
        ("ollama,openai/local-model", {}, "ollama/llava:latest"),
    ]:
        result = analyze(providers, session="order", **env)
        same(result.get("structuredContent", {}).get("model_used"), used, json.dumps(result))


def chosen_by_the_request():
    both = "openai/gpt-4.1-mini,anthropic/claude-haiku-5-5"
    for config, used in [
        ({"type": "anthropic"}, "anthropic/claude-haiku-5-5"),
        ({"type": "anthropic", "model": "claude-haiku-4-5"}, "anthropic/claude-haiku-4-5"),
        ({"type": "auto", "model": "local-model"}, "openai/local-model"),
        ({}, "openai/gpt-4.1-mini"),
    ]:
        same(analyze(both, {"provider_config": config}, session="chosen")["structuredContent"]["model_used"], used)


def refusals():
    unset = analyze(None)
    refused(unset, UNSET, "AI_NOT_CONFIGURED")
    has(unset["content"][1]["text"], "OPENAI_API_KEY", '"ocr"', "`perigee help vision.md`")
    refused(analyze(" "), UNSET, "AI_NOT_CONFIGURED")
    refused(analyze("openai/gpt-4o", {"provider_config": {"type": "ollama"}}),
            "Provider 'ollama' is not enabled in server's PEEKABOO_AI_PROVIDERS configuration.", "PROVIDER_NOT_ENABLED")
    down = analyze("ollama/llava,gemini/x,nobody/x", PEEKABOO_OLLAMA_BASE_URL="http://127.0.0.1:9", GEMINI_API_KEY=None)
    refused(down, NONE_UP, "NO_PROVIDER")
    has(down["content"][1]["text"], "ollama/llava: ", "127.0.0.1:9", "gemini/x: GEMINI_API_KEY is not set.", "nobody/x: ")
    refused(analyze("nonsense"), NONE_UP, "NO_PROVIDER")


def what_apis_say():
    for scenario, code, says in [("401", "UNAUTHORIZED", "Set OPENAI_API_KEY"), ("404", "MODEL_NOT_FOUND", "Choose another model."),
                                 ("429-always", "RATE_LIMITED", "3600"), ("no-images", "NO_IMAGES", "takes no images"),
                                 ("cut-off", "CUT_OFF", "cut off"), ("blocked", "BLOCKED", "refused"),
                                 ("malformed", "BAD_RESPONSE", "not a JSON object")]:
        result = analyze("openai/local-model", scenario=scenario)
        refused(result, result["content"][0]["text"], code)
        has(result["content"][0]["text"], says)
        hasnt(result["content"][0]["text"], KEYS["OPENAI_API_KEY"], "--model")
    result = analyze("ollama/mistral", scenario="ok", session="pull")
    has(result["content"][0]["text"], "ollama pull mistral")


def files():
    with opened(**environment("openai/local-model", session="files")) as it:
        def ask(path):
            return it.call("analyze", {"image_path": str(path), "question": QUESTION})["result"]

        text = write("images/not.png", "no image")
        refused(ask(text), f"Unsupported image format: {text}: it is not a PNG, JPEG or WebP image. Supported formats: .png, "
                           ".jpg, .jpeg, .webp.", "INVALID_ARGUMENT")
        for path, code in [(HERE / "missing.png", "FILE_IO_ERROR"), (HERE, "FILE_IO_ERROR"), ("/dev/zero", "FILE_IO_ERROR"),
                           ("relative.png", "INVALID_ARGUMENT")]:
            result = ask(path)
            refused(result, result["content"][0]["text"], code)
        named = HERE / "photo.txt"
        named.write_bytes(WEBP)                          # by content, not by name
        same(ask(named).get("isError", False), False)
        bomb = HERE / "bomb.png"
        bomb.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x7f\xff\0\0\x7f\xff\x08\x02\0\0\0\0\0\0\0")
        result = ask(bomb)
        refused(result, result["content"][0]["text"], "IMAGE_TOO_LARGE")
    asked, problems = DOUBLE.requests("files")
    same((len(asked), problems), (1, []))


def only_granted_for_scripts():
    """A script of a client reaches only what was granted."""
    code = "return tools.analyze { image_path = %s, question = 'What?' }"
    for words, reason in (((), "no directory is granted to this script"),
                          (("--grant", str(folder("tmp"))), "is outside the directories that this script may use")):
        with opened(*words, **environment("openai/local-model", session="granted")) as it:
            result = it.call("run_lua", {"code": code % json.dumps(PATH)})["result"]
            has(result["content"][0]["text"], reason)
    same(DOUBLE.requests("granted")[0], [])


def drawn(name, width, height, noise=False):
    """An image file of this size; its bytes are few, or as many as its pixels need."""
    pixels = width * height * 3
    path = HERE / name
    path.write_bytes(png.encode(png.Picture(width, height, random.Random(1).randbytes(pixels) if noise else bytes(pixels)), 1))
    return path


def image_in(request):
    """The image that reached the model."""
    return base64.b64decode(max(request["raw"].split('"'), key=len).split("base64,")[-1], validate=True)


def width_sent(path, provider, session):
    answer = perigee("analyze", str(path), QUESTION, **environment(provider, session=session))
    same((answer.code, answer.out), (0, "FINAL_ANSWER: [done]\n"), str(answer))
    asked, problems = DOUBLE.requests(session)
    same(problems, [])
    data = image_in(asked[-1])
    width = image_size(data)[0]
    same(data == path.read_bytes(), width == image_size(path.read_bytes())[0], "what is not scaled is the same file")
    return width


def scaled():
    """An image is scaled if the API does not do so, refuses so large a one, or if the upload would take longer."""
    large, heavy = drawn("large.png", 2400, 300), drawn("heavy.png", 1700, 500, noise=True)
    must(1000000 < heavy.stat().st_size < 3900000, heavy.stat().st_size)
    for number, (path, provider, width) in enumerate([
            (large, "openai/local-model", 2048), (large, "openai/gpt-4.1-mini", 2400), (large, "anthropic/claude-haiku-4-5", 2400),
            (drawn("long.png", 8200, 90), "anthropic/claude-haiku-4-5", 1568), (heavy, "anthropic/claude-haiku-4-5", 1568),
            (drawn("wide.png", 4000, 90), "gemini/gemini-2.0-flash", 4000), (large, "ollama/llava", 2400)]):
        same(width_sent(path, provider, f"scaled-{number}"), width, f"{path.name} for {provider}")


def captured_and_asked():
    DOUBLE.script("captured", [{"text": "Save it."}])
    with opened(**environment("openai/local-model", session="captured")) as it:
        result = it.call("image", {"app": "editor", "question": "What now?"})["result"]
        same(result["structuredContent"], {"saved_files": [], "analysis_text": "Save it.", "model_used": "openai/local-model"})
        same([block["type"] for block in result["content"]], ["text"])
        system = DOUBLE.requests("captured")[0][-1]["body"]["messages"][0]["content"]
        refs = re.findall(r"^(e\d+) (\w+) .* at (\d+),(\d+)$", system, re.M)
        must(refs, system)
        DOUBLE.script("captured", [{"text": "Two."}])
        result = it.call("image", {"question": "How many?", "path": str(HERE / "asked.png"), "return_data": True})["result"]
        files = result["structuredContent"]["saved_files"]
        same([result["structuredContent"]["analysis_text"], len(files)], ["Two.", 2], json.dumps(files))
        same([block["type"] for block in result["content"]].count("image"), 2)
        asked = DOUBLE.requests("captured")[0][-1]["body"]["messages"][1]["content"]
        same([part["type"] for part in asked], ["text", "image_url", "image_url"])
        has(asked[0]["text"], "Image 1: Display 1 / Main", "Image 2: Display 2")
        same(DOUBLE.requests("captured")[1], [])
        refused(it.call("image", {"app": "photoshop", "question": "?"})["result"],
                it.text("image", {"app": "photoshop"}), "APP_NOT_FOUND")


def elements_of_a_file():
    """A file that this server saved, of a window whose elements were listed: the model is told of them."""
    with opened(**environment("openai/local-model", session="file")) as it:
        path = str(HERE / "known.png")
        it.call("image", {"app": "editor", "path": path})
        it.call("analyze", {"image_path": path, "question": QUESTION})
        hasnt(DOUBLE.requests("file")[0][-1]["body"]["messages"][0]["content"], "These elements")
        tree = it.text("get_ui_tree", {})
        ref = re.search(r"(e\d+) button", tree)
        must(ref, tree)
        it.call("analyze", {"image_path": path, "question": QUESTION})
        has(DOUBLE.requests("file")[0][-1]["body"]["messages"][0]["content"], "These elements", ref.group(1) + " button")
        with open(path, "wb") as file:
            file.write(WEBP)                              # another image now
        it.call("analyze", {"image_path": path, "question": QUESTION})
        hasnt(DOUBLE.requests("file")[0][-1]["body"]["messages"][0]["content"], "These elements")


def status_names_them():
    with opened(**environment("ollama/llava:7b,anthropic,gemini/gemini-2.0-flash")) as it:
        has(it.text("list", {"item_type": "server_status"}),
            "Configured AI Providers (from PEEKABOO_AI_PROVIDERS ENV): ollama/llava:7b, anthropic, gemini/gemini-2.0-flash\n---")


def by_command():
    env = environment("openai/local-model", session="command")
    DOUBLE.script("command", [{"text": "One\x1b[2J\nTwo"}, {"text": "A."}, {"text": "B."}])
    answer = perigee("analyze", PATH, QUESTION, **env)
    same((answer.code, answer.out), (0, "One^[[2J\nTwo\n"), str(answer))
    answer = perigee("analyze", PATH, QUESTION, "--json-output", **env)
    same(json.loads(answer.out)["data"], {"analysis_text": "A.", "model_used": "openai/local-model"})
    answer = perigee("image", "--app", "editor", "--analyze", "What?", "--json-output", **env)
    same(json.loads(answer.out)["data"], {"saved_files": [], "analysis_text": "B.", "model_used": "openai/local-model"})
    same(DOUBLE.requests("command")[1], [])
    answer = perigee("analyze", PATH, QUESTION, "--json-output", PERIGEE_DESKTOP="fake")
    error = json.loads(answer.out)["error"]
    has(error.pop("details"), "OPENAI_API_KEY", "`perigee help vision.md`")
    same((answer.code, error), (1, {"message": UNSET, "code": "AI_NOT_CONFIGURED"}))
    answer = perigee("image", "--analyze", "What?", PERIGEE_DESKTOP="fake")
    same(answer.code, 1, str(answer))
    has(answer.err, UNSET)
    answer = perigee("analyze", str(HERE / "missing.png"), QUESTION, **env)
    same(answer.code, 1, str(answer))
    same(perigee("analyze", PATH).code, 2)
    same(perigee("analyze", PATH, "two", "words").code, 2)


def by_recognition():
    demo = str(TOP / "docs/demo.png")
    answer = perigee("analyze", demo, 'Where is "hello from"?', "--provider", "ocr", "--json-output")
    facts = json.loads(answer.out)
    if facts.get("error", {}).get("code") == "OCR_NOT_BUILT":
        raise tap.Skip("this build has no text recognition")
    if "not all of the image was read" in facts["data"]["analysis_text"]:
        hasnt(facts["data"]["analysis_text"], "recognized anywhere")
        raise tap.Skip("the machine is busy, so that only a part was read")
    same(facts["data"]["model_used"], "tesseract", str(answer))
    has(facts["data"]["analysis_text"], "No AI model looked at it", "Hello from")
    must(re.search('"hello from" is at pixel [0-9]+,[0-9]+', facts["data"]["analysis_text"]), facts)
    with opened(PERIGEE_DESKTOP="fake", PEEKABOO_AI_PROVIDERS="openai/gpt-4o,ocr") as it:      # without the key
        result = it.call("analyze", {"image_path": demo, "question": "What?"})["result"]
        same(result["structuredContent"]["model_used"], "tesseract", json.dumps(result))


for api in MODELS:
    tap.case(f"{api}: the image and the question arrive, and the answer comes back", each_api(api))
tap.case("auto asks the first that is available, in the order of the variable", order_and_defaults)
tap.case("a request chooses the provider and the model", chosen_by_the_request)
tap.case("a provider that is not configured, not enabled or not available is refused in fixed words", refusals)
tap.case("an API's refusal is an error with a code of its own", what_apis_say)
tap.case("a file is known by its content", files)
tap.case("scripts of clients reach only granted images", only_granted_for_scripts)
tap.case("a large image is scaled, unless the API does that itself", scaled)
tap.case("image captures and answers in one call", captured_and_asked)
tap.case("a screenshot's elements go along", elements_of_a_file)
tap.case("the server's status names the providers", status_names_them)
tap.case("text recognition answers what it can, and says so", by_recognition)
tap.case("the commands answer, and fail with their codes", by_command)
DOUBLE.stop()
done()
