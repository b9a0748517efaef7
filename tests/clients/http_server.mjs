// A server over Streamable HTTP on the TypeScript SDK v1, with sessions: the peer of `make bench`.
//   node http_server.mjs        prints its URL
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import * as z from "zod";

const sessions = new Map();

async function open() {
    const server = new McpServer({ name: "theirs", version: "1" });
    server.registerTool("echo", { description: "Echo", inputSchema: { message: z.string() } },
        async ({ message }) => ({ content: [{ type: "text", text: message }] }));
    const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: true,
        onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await server.connect(transport);
    return transport;
}

const web = createServer(async (request, response) => {
    const transport = sessions.get(request.headers["mcp-session-id"]) ?? await open();
    await transport.handleRequest(request, response);
});
web.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${web.address().port}/mcp`));
