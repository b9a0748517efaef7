// Tasks of 2025-11-25, as the TypeScript SDK v1 drives them (`client.experimental.tasks`).
//   node tasks1.mjs HOT_ROOT SERVER|URL [ARGUMENT ...]     a URL wants the token in PERIGEE_TOKEN
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema, ElicitRequestSchema, TaskStatusNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { check, done, refused, remote } from "./checks.mjs";

const [, command, ...args] = process.argv.slice(2);
const client = new Client({ name: "tasks1", version: "1" }, { capabilities: { elicitation: { form: {} } } });
const asked = [];
const told = [];
client.setRequestHandler(ElicitRequestSchema, (request) => {
    asked.push(request.params);
    return { action: "accept", content: { name: "Ada" } };
});
client.setNotificationHandler(TaskStatusNotificationSchema, (notice) => void told.push(notice.params));
const transport = command.startsWith("http")
    ? new StreamableHTTPClientTransport(new URL(command), remote)
    : new StdioClientTransport({ command, args, env: process.env, stderr: "ignore" });
await client.connect(transport);

const tasks = client.experimental.tasks;
const begin = (args, task = { ttl: 60000 }) =>
    tasks.callToolStream({ name: "work", arguments: args }, CallToolResultSchema, { task });

// What the stream said: the task, the statuses, and the result (or throws its error).
async function followed(stream) {
    const seen = { statuses: [] };
    for await (const message of stream) {
        if (message.type === "taskCreated") seen.task = message.task;
        else if (message.type === "taskStatus") seen.statuses.push(message.task.status);
        else if (message.type === "result") seen.result = message.result;
        else throw message.error;
    }
    return seen;
}

// The task of a call that goes on, without following it.
async function created(args, task) {
    for await (const message of begin(args, task))
        if (message.type === "taskCreated") return message.task;
    throw new Error("no task was made");
}

await check("the server offers tasks", async () => {
    assert.deepEqual(client.getServerCapabilities().tasks, { list: {}, cancel: {}, requests: { tools: { call: {} } } });
    const { tools } = await client.listTools();
    assert.equal(tools.find((tool) => tool.name === "only_task").execution.taskSupport, "required");
    assert.equal(tools.find((tool) => tool.name === "work").execution.taskSupport, "optional");
});
await check("a call as a task, to its result", async () => {
    const seen = await followed(begin({ seconds: 0.7 }));
    assert.equal(seen.task.status, "working");
    assert.equal(seen.task.ttl, 60000);
    assert.equal(seen.result.content[0].text, "worked");
    assert.ok(seen.statuses.length >= 1);
});
await check("the tool that is nothing else is called as a task by itself", async () => {
    const stream = tasks.callToolStream({ name: "only_task", arguments: {} }, CallToolResultSchema);
    assert.equal((await followed(stream)).result.content[0].text, "ran as a task");
});
await check("a question of the task, answered while its result is waited for", async () => {
    asked.length = 0;
    const seen = await followed(begin({ seconds: 0.2, ends: "asking" }));
    assert.equal(seen.result.content[0].text, "worked for Ada");
    assert.equal(asked.length, 1);
    assert.equal(asked[0]._meta["io.modelcontextprotocol/related-task"].taskId, seen.task.taskId);
});
await check("a tool's failure", async () => {
    const { taskId } = await created({ ends: "failing" });
    const result = await tasks.getTaskResult(taskId, CallToolResultSchema);
    assert.equal(result.isError, true);
    assert.equal(result.content[0].text, "The work failed");
    assert.equal((await tasks.getTask(taskId)).status, "failed");
});
await check("cancelled", async () => {
    const { taskId } = await created({ seconds: 3000 });
    assert.equal((await tasks.cancelTask(taskId)).status, "cancelled");
    assert.equal((await tasks.getTask(taskId)).status, "cancelled");
    await refused(tasks.getTaskResult(taskId, CallToolResultSchema));
    assert.match((await refused(tasks.cancelTask(taskId))).message, /already ended/);
});
await check("listed", async () => {
    const { taskId } = await created({ seconds: 3000 });
    const listed = await tasks.listTasks();
    assert.ok(listed.tasks.some((task) => task.taskId === taskId && task.status === "working"));
    await tasks.cancelTask(taskId);
});
await check("told of its end", async () => {
    const { taskId } = await created({ seconds: 0.1 });
    await tasks.getTaskResult(taskId, CallToolResultSchema);
    const end = Date.now() + 10000;
    while (!told.some((task) => task.taskId === taskId && task.status === "completed") && Date.now() < end)
        await new Promise((wake) => setTimeout(wake, 20));
    assert.ok(told.some((task) => task.taskId === taskId && task.status === "completed"));
});
await check("gone after its time", async () => {
    const { taskId } = await created({ seconds: 3000 }, { ttl: 300 });
    assert.match((await refused(tasks.getTaskResult(taskId, CallToolResultSchema))).message, /expired/);
    assert.match((await refused(tasks.getTask(taskId))).message, /not found/);
});
await check("other calls meanwhile", async () => {
    const { taskId } = await created({ seconds: 3000 });
    const result = await client.callTool({ name: "echo", arguments: { text: "here" } });
    assert.equal(result.content[0].text, "here");
    await tasks.cancelTask(taskId);
});
await transport.terminateSession?.();
await client.close();
done();
