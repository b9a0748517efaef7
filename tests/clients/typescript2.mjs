// The TypeScript SDK v2 (`@modelcontextprotocol/client`), which speaks both eras.
//   node typescript2.mjs legacy|auto|modern HOT_ROOT SERVER|URL [ARGUMENT ...]
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { checks, done, point, remote } from "./checks.mjs";

const LEVEL = "io.modelcontextprotocol/logLevel";
const [mode, hotRoot, command, ...args] = process.argv.slice(2);
const negotiation = mode === "modern" ? { pin: "2026-07-28" } : mode;
const client = new Client({ name: "typescript2", version: "1" },
    { capabilities: {}, versionNegotiation: { mode: negotiation } });
await client.connect(command.startsWith("http")
    ? new StreamableHTTPClientTransport(new URL(command), remote)
    : new StdioClientTransport({ command, args, env: process.env, stderr: "ignore" }));

const era = client.getProtocolEra();
const version = client.getNegotiatedProtocolVersion();
const wanted = mode === "legacy" ? "legacy 2025-11-25" : "modern 2026-07-28";
point(`connects, ${wanted}`, `${era} ${version}` === wanted ? undefined : new Error(`${era} ${version}`));
await checks({
    client,
    checksOutput: true,
    notified: (method, fn) => client.setNotificationHandler(method, (n) => fn(n.params)),
    loud: async (level) => era === "modern" ? { [LEVEL]: level } : void await client.setLoggingLevel(level),
    listen: async (fn) => {
        client.setNotificationHandler("notifications/tools/list_changed", fn);
        if (era === "modern") await client.listen({ toolsListChanged: true });
    },
}, hotRoot);
await client.close();
done();
