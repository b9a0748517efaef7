// The TypeScript SDK v1 (`@modelcontextprotocol/sdk`), which knows the revisions with `initialize`.
//   node typescript1.mjs HOT_ROOT SERVER|URL [ARGUMENT ...]     a URL wants the token in PERIGEE_TOKEN
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { LoggingMessageNotificationSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { checks, done, point, remote } from "./checks.mjs";

const [hotRoot, command, ...args] = process.argv.slice(2);
const client = new Client({ name: "typescript1", version: "1" }, { capabilities: {} });
const transport = command.startsWith("http")
    ? new StreamableHTTPClientTransport(new URL(command), remote)
    : new StdioClientTransport({ command, args, env: process.env, stderr: "ignore" });
await client.connect(transport);
point(`connects to ${client.getServerVersion().name}`,
    client.getServerVersion().name === "perigee" ? undefined : new Error("another server"));
await checks({
    client,
    before: [undefined],        // callTool(params, resultSchema, options)
    checksOutput: true,
    notified: (method, fn) => client.setNotificationHandler(LoggingMessageNotificationSchema, (n) => fn(n.params)),
    loud: async (level) => void await client.setLoggingLevel(level),
    listen: async (fn) => client.setNotificationHandler(ToolListChangedNotificationSchema, fn),
}, hotRoot);
await transport.terminateSession?.();
await client.close();
done();
