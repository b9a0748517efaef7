// What the TypeScript SDK v2 shows its user where the policy asks, and what a client without questions gets. As approvals.py.
//   node approvals.mjs legacy|modern form|url|none SERVER [ARGUMENT ...]
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { check, done } from "./checks.mjs";

const LABELS = ["Allow once", "Allow for 15 minutes", "Allow until it disconnects", "Do not allow"];
const [mode, how, command, ...args] = process.argv.slice(2);
const elicitation = { form: { form: {} }, url: { url: {} }, none: undefined }[how];
const client = new Client({ name: "typescript", version: "1" }, {
    capabilities: elicitation ? { elicitation } : {},
    versionNegotiation: { mode: mode === "modern" ? { pin: "2026-07-28" } : mode },
});
const approvals = (...words) => execFileSync(process.env.PERIGEE, ["approvals", ...words], { encoding: "utf8" });

// What a browser and its user do.
async function byPage(url, label) {
    const shown = await (await fetch(url)).text();
    const action = /action="([^"]+)"/.exec(shown)[1];
    const token = new RegExp(`value="([0-9a-f]+)">${label}<`).exec(shown)[1];
    assert.equal((await fetch(`${new URL(url).origin}${action}?answer=${token}`)).status, 200);
    return shown;
}

const asked = [];
let answers = [];
if (elicitation) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
        const answer = answers.shift();
        if (answer === "decline" || answer === "cancel") {
            asked.push(params.message);
            return { action: answer };
        }
        if (params.mode === "url") {
            asked.push(await byPage(params.url, answer));
            return { action: "accept" };
        }
        assert.deepEqual(params.requestedSchema.properties.answer.enum, LABELS);
        asked.push(params.message);
        return { action: "accept", content: { answer } };
    });
}

// [text, code, how often the user was asked]
async function call(name, word, ...next) {
    answers = next;
    const before = asked.length;
    const result = await client.callTool({ name, arguments: { command: `echo ${word}` } });
    assert.deepEqual(answers, [], "not asked");
    return [result.content[0].text, result._meta?.["perigee/code"], asked.length - before];
}

await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: "ignore" }));
if (elicitation) {
    await check("is asked, in words that say who wants what, and why", async () => {
        assert.deepEqual(await call("run_shell", "a", "Allow for 15 minutes"), ["ran echo a", undefined, 1]);
        const message = 'The client "typescript" wants to use run_shell.\nWhy you are asked: it runs what it is given.\n'
            + 'Its arguments:\n  command: "echo a"\nAllowing it for longer covers: '
            + 'every call of run_shell, whatever its arguments, for the client "typescript".';
        if (how === "form") assert.deepEqual(asked, [message]);
        else assert.ok(asked[0].includes(message.replaceAll('"', "&quot;")), asked[0]);
    });
    await check("is not asked again, until the approval is revoked", async () => {
        assert.deepEqual(await call("run_shell", "b"), ["ran echo b", undefined, 0]);
        assert.match(approvals(), /^[0-9a-f]{8} {2}every call of run_shell, whatever its arguments, for the client "typescript": 14 min left\n$/);
        assert.equal(approvals("revoke", "--all"), "1 approval revoked\n");
        assert.deepEqual(await call("run_shell", "c", "Allow once"), ["ran echo c", undefined, 1]);
        assert.deepEqual(await call("run_shell", "d", "Allow once"), ["ran echo d", undefined, 1]);
    });
    await check("declines, and cancels", async () => {
        assert.deepEqual(await call("run_shell", "e", "decline"), ["The user refused run_shell. Nothing was done.", "denied", 1]);
        assert.equal((await call("run_shell", "f"))[1], "denied");
        assert.deepEqual((await call("create_tool", "g", "cancel")).slice(1), ["denied", 1]);
    });
} else {
    await check("gets not_approved, and what the user can do", async () => {
        const [said, code] = await call("run_shell", "a");
        assert.equal(code, "not_approved");
        assert.match(said, /the client has no elicitation.*rule in policy\.lua.*perigee policy explain run_shell.*Nothing was done\.$/);
    });
}
await client.close();
done();
