// What every TypeScript client must be able to do with the server. Prints TAP.
//
// `at` is an adapter of one client library:
//   client                 the connected client
//   notified(method, fn)   fn(params) at every such notification
//   loud(level)            ask for log messages: returns what to put into _meta, or null
//   listen(fn)             fn() when the list of tools changed
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";

export const TEXTS = ["", "plain", 'quote " backslash \\ slash /', "line\nbreak\r\n tab\t", "é ß 漢字 かな 한글",
    "😀 👩‍👩‍👧 🇨🇭", "¦|`'$(rm)%s{}[]", "x".repeat(100000), "漢".repeat(50000)];
// What cannot be seen is taken out (docs/untrusted-text.md).
export const HIDDEN = [["e\u0301 \u202eright to left\u202c", "e\u0301 right to left"], ["a\u0001\u007f b\u200b", "a b"],
    ["a\u2028b", "a\nb"]];
// What a transport over HTTP needs to be let in.
export const remote = { requestInit: { headers: { Authorization: `Bearer ${process.env.PERIGEE_TOKEN}` } } };
let count = 0;
let failed = 0;

export function point(name, error) {
    count += 1;
    if (error) failed += 1;
    console.log(`${error ? "not ok" : "ok"} ${count} - ${name}`);
    if (error) for (const line of String(error.stack ?? error).split("\n")) console.log(`# ${line}`);
}

export function done() {
    console.log(`1..${count}`);
    process.exitCode = failed ? 1 : 0;
}

export async function check(name, fn) {
    try {
        await fn();
        point(name);
    } catch (error) {
        point(name, error);
    }
}

export async function refused(promise) {
    try {
        await promise;
    } catch (error) {
        return error;
    }
    throw new Error("it was not refused");
}

const text = (result) => result.content.map((block) => block.text ?? `[${block.type}]`).join("\n");
const HOT = (words, description = words) => `return { description = "${description}",
  inputSchema = { type = "object" }, run = function() return "${words}" end }`;

export async function checks(at, hotRoot) {
    const { client } = at;
    const call = (name, args = {}, options = undefined, meta = undefined) =>
        client.callTool({ name, arguments: args, ...(meta ? { _meta: meta } : {}) },
            ...(at.before ?? []), options);

    await check("tools/list", async () => {
        const { tools } = await client.listTools();
        const echo = tools.find((tool) => tool.name === "echo");
        assert.equal(echo.title, "Echo");
        assert.equal(echo.annotations.readOnlyHint, true);
        assert.deepEqual(echo.inputSchema.required, ["text"]);
        assert.ok(tools.some((tool) => tool.name === "run_lua"));
    });
    await check("odd texts come back as they went", async () => {
        for (const odd of TEXTS) assert.equal(text(await call("echo", { text: odd })), odd);
        for (const [odd, seen] of HIDDEN) assert.equal(text(await call("echo", { text: odd })), seen);
    });
    await check("a text of a megabyte", async () => {
        const big = "é".repeat(500000);
        assert.equal(text(await call("echo", { text: big })), big);
    });
    await check("a structured result, checked against its schema by the client", async () => {
        const result = await call("structured", { id: 7 });
        assert.deepEqual(result.structuredContent,
            { id: 7, title: "Inbox — 📬", bounds: [0, 25.5, 800, 600], tags: [], extra: {} });
        assert.deepEqual(JSON.parse(text(result)), result.structuredContent);
    });
    await check("an image and a sound", async () => {
        const [words, image] = (await call("image")).content;
        assert.equal(words.text, "one pixel");
        assert.equal(image.mimeType, "image/png");
        assert.equal(Buffer.from(image.data, "base64").subarray(1, 4).toString(), "PNG");
        assert.equal((await call("audio")).content[0].mimeType, "audio/wav");
    });
    await check("members of a tool's own beside content", async () => {
        const members = { saved_files: [{ path: "/x" }], count: 1 };
        const result = await call("members", { members });
        assert.deepEqual({ saved_files: result.saved_files, count: result.count }, members);
    });
    await check("a tool that fails is a result, not an exception", async () => {
        for (const name of ["fail", "raise", "bad_output"])
            if (name !== "bad_output" || !at.checksOutput) assert.equal((await call(name)).isError, true, name);
        assert.match(text(await call("fail", { message: "No window 7." })), /No window 7\./);
    });
    await check("bad arguments are a result that names them", async () => {
        const result = await call("echo", { text: 7 });
        assert.equal(result.isError, true);
        assert.match(text(result), /text/);
    });
    await check("an unknown tool is refused with -32602", async () => {
        assert.equal((await refused(call("no_such_tool"))).code, -32602);
    });
    await check("progress", async () => {
        const seen = [];
        const result = await call("progress", { steps: 4, seconds: 0.1 },
            { onprogress: (p) => seen.push(`${p.progress}/${p.total} ${p.message}`) });
        assert.equal(text(result), "counted to 4");
        // The SDK forgets who wants progress when it reads the result, before it tells of progress that came in one piece
        // with it (typescript-sdk #2580). That all are sent, and in this order, is in tests/wire.
        assert.ok(seen.length >= 1);
        assert.deepEqual(seen, [1, 2, 3, 4].slice(0, seen.length).map((n) => `${n}/4 step ${n}`));
    });
    await check("progress keeps a call alive beyond its time limit", async () => {
        const result = await call("progress", { steps: 8, seconds: 0.15 },
            { onprogress: () => {}, timeout: 700, resetTimeoutOnProgress: true });
        assert.equal(text(result), "counted to 8");
    });
    await check("a cancelled call is let go by the server", async () => {
        const before = text(await call("slept"));
        const abort = new AbortController();
        const waiting = refused(call("sleep", { seconds: 600 }, { signal: abort.signal }));
        const begun = Number(before.match(/begun (\d+)/)[1]) + 1;
        while (!text(await call("slept")).startsWith(`begun ${begun},`));
        abort.abort("enough");
        await waiting;
        while (text(await call("slept")) !== `begun ${begun}, closed ${begun}`);
    });
    await check("a call that runs out of the client's time", async () => {
        await refused(call("sleep", { seconds: 600 }, { timeout: 100 }));
        assert.equal(text(await call("echo", { text: "after" })), "after");
    });
    await check("two hundred calls at once", async () => {
        const numbers = Array.from({ length: 200 }, (_, n) => n);
        const answers = await Promise.all(numbers.map((n) => call("echo", { text: `n${n}` })));
        assert.deepEqual(answers.map(text), numbers.map((n) => `n${n}`));
    });
    await check("log messages of the level asked for", async () => {
        const seen = [];
        at.notified("notifications/message", (params) => seen.push(params.level));
        const meta = await at.loud("critical");
        await call("log", {}, undefined, meta);
        assert.deepEqual(seen, ["critical", "alert", "emergency"]);
    });
    await check("prompts", async () => {
        const { prompts } = await client.listPrompts();
        assert.deepEqual(prompts.find((p) => p.name === "greet").arguments.map((a) => a.name), ["name", "mood"]);
        const got = await client.getPrompt({ name: "greet", arguments: { name: "Ada" } });
        assert.deepEqual(got.messages, [{ role: "user", content: { type: "text", text: "Greet Ada warmly." } }]);
        assert.deepEqual((await client.getPrompt({ name: "talk" })).messages.map((m) => m.role),
            ["user", "assistant", "user"]);
        assert.equal((await refused(client.getPrompt({ name: "greet" }))).code, -32602);
        assert.equal((await refused(client.getPrompt({ name: "none" }))).code, -32602);
    });
    await check("a saved tool is announced and its new code runs", async () => {
        let tell;
        const told = () => new Promise((resolve) => { tell = resolve; });
        await at.listen(() => tell?.());
        mkdirSync(`${hotRoot}/tools/test`, { recursive: true });
        let next = told();
        writeFileSync(`${hotRoot}/tools/test/hot.lua`, HOT("one"));
        await next;
        assert.equal(text(await call("hot")), "one");
        next = told();
        writeFileSync(`${hotRoot}/tools/test/hot.lua`, HOT("two"));
        await next;
        assert.equal(text(await call("hot")), "two");
    });
}
