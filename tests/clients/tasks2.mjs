// Tasks of 2026-07-28, as the extension's own TypeScript package (`@modelcontextprotocol/ext-tasks`) drives them on the
// SDK v2. The package leaves it to the host how requests travel: each is a line, or a POST, here.
//   node tasks2.mjs HOT_ROOT SERVER|URL [ARGUMENT ...]     a URL wants the token in PERIGEE_TOKEN
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createTaskSessionFromClient, resultFromTaskOutcome } from "@modelcontextprotocol/ext-tasks/client";
import { check, done, refused, remote } from "./checks.mjs";

const VERSION = "2026-07-28";
const [, command, ...args] = process.argv.slice(2);
const url = command.startsWith("http") ? new URL(command) : undefined;
const framing = {
    protocolVersion: VERSION,
    clientInfo: { name: "tasks2", version: "1" },
    clientCapabilities: { elicitation: { form: {} }, extensions: { "io.modelcontextprotocol/tasks": {} } },
};
const kind = (answer) => answer.error ? { kind: "error", error: answer.error } : { kind: "result", result: answer.result };

let last = 0;
const numbered = (request) => ({ ...request, jsonrpc: "2.0", id: `raw-${last += 1}` });

// A server of its own, since all that belongs to a task goes this way.
function byLines() {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
    const waiting = new Map();
    createInterface({ input: child.stdout }).on("line", (line) => {
        const message = JSON.parse(line);
        waiting.get(message.id)?.(message);
        waiting.delete(message.id);
    });
    return {
        dispatch: (request) => new Promise((settle) => {
            const message = numbered(request);
            waiting.set(message.id, (answer) => settle(kind(answer)));
            child.stdin.write(`${JSON.stringify(message)}\n`);
        }),
        end: () => new Promise((gone) => { child.on("exit", gone); child.stdin.end(); }),
    };
}

function byPosts() {
    const named = { "tools/call": "name", "tasks/get": "taskId", "tasks/update": "taskId", "tasks/cancel": "taskId" };
    return {
        dispatch: async (request) => {
            const message = numbered(request);
            const name = message.params[named[message.method]];
            const answer = await fetch(url, { method: "POST", body: JSON.stringify(message), headers: {
                ...remote.requestInit.headers, "Content-Type": "application/json",
                Accept: "application/json, text/event-stream", "MCP-Protocol-Version": VERSION,
                "Mcp-Method": message.method, ...(name ? { "Mcp-Name": name } : {}) } });
            return kind(await answer.json());
        },
        end: () => undefined,
    };
}

const client = new Client({ name: "tasks2", version: "1" },
    { capabilities: framing.clientCapabilities, versionNegotiation: { mode: { pin: VERSION } } });
await client.connect(url ? new StreamableHTTPClientTransport(url, remote)
    : new StdioClientTransport({ command, args, env: process.env, stderr: "ignore" }));
const way = url ? byPosts() : byLines();
const asked = [];
const session = createTaskSessionFromClient(client, {
    endpointId: "perigee",
    rawDispatch: way.dispatch,
    v2RequestFraming: framing,
    onInputRequest: async (request) => {
        asked.push(request);
        return { action: "accept", content: { name: "Ada" } };
    },
});
const work = (args, name = "work") => session.callTool(name, args);
const result = async (execution) => resultFromTaskOutcome((await execution.settle()).outcome);

await check("the server offers the extension", () => {
    assert.deepEqual(client.getServerCapabilities().extensions, { "io.modelcontextprotocol/tasks": {} });
    assert.equal(session.capabilities.execution, true);
});
await check("what is quick is answered at once", async () => {
    const execution = await work({});
    assert.equal(execution.kind, "immediate");
    assert.equal((await result(execution)).content[0].text, "worked");
});
await check("what takes longer is a task, to its result", async () => {
    const execution = await work({ seconds: 0.8 });
    assert.equal(execution.kind, "task");
    assert.equal((await result(execution)).content[0].text, "worked");
});
await check("two questions of a task", async () => {
    asked.length = 0;
    const execution = await work({ seconds: 0.6, ends: "twice" });
    assert.equal((await result(execution)).content[0].text, "Ada and Ada");
    assert.deepEqual(asked.map((request) => request.kind), ["elicitation", "elicitation"]);
});
await check("a question before it is a task", async () => {
    asked.length = 0;
    assert.equal((await result(await work({ ends: "asking" }))).content[0].text, "worked for Ada");
    assert.equal(asked.length, 1);
});
await check("a tool's failure is a result", async () => {
    const failed = await result(await work({ seconds: 0.6, ends: "failing" }));
    assert.equal(failed.isError, true);
    assert.equal(failed.content[0].text, "The work failed");
});
await check("an error of the protocol is the task's", async () => {
    const error = await refused(result(await work({ seconds: 0.6, ends: "sampling" })));
    assert.equal(error.code, -32021);
});
await check("cancelled", async () => {
    const execution = await work({ seconds: 3000 });
    await execution.cancel();
    const { outcome } = await execution.settle();
    assert.equal(outcome.status, "cancelled");
});
await check("seen from outside, and a task that is none", async () => {
    const execution = await work({ seconds: 3000, says: "half of it" });
    const view = await session.task(execution.handle.taskId).snapshot();
    assert.equal(view.status, "working");
    assert.equal(view.statusMessage, "half of it");
    assert.equal(view.retentionMs, 3600000);
    await session.cancelTask(execution.handle.taskId);
    await refused(session.task("none").snapshot());
});
await session.close();
await client.close();
await way.end();
done();
