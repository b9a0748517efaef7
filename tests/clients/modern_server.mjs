// A server on the TypeScript SDK v2, for our own client: it speaks both eras, or one when told.
//   node modern_server.mjs [modern]      over stdio
//   node modern_server.mjs http          prints its port
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

const text = (words) => ({ content: [{ type: "text", text: words }] });

function make() {
    const server = new McpServer({ name: "theirs", version: "2" }, { instructions: "Be brief." });
    server.registerTool("echo", { description: "Echo", inputSchema: z.object({ message: z.string() }) },
        async ({ message }) => text(message));
    server.registerTool("greet", {
        description: "Greets",
        inputSchema: z.object({ name: z.string() }),
        outputSchema: z.object({ said: z.string() }),
    }, async ({ name }) => ({ ...text(`Hello ${name}`), structuredContent: { said: `Hello ${name}` } }));
    server.registerTool("fail", { description: "Fails", inputSchema: z.object({}) },
        async () => ({ ...text("it broke"), isError: true }));
    server.registerTool("count", { description: "Counts", inputSchema: z.object({ to: z.number(), ms: z.number() }) },
        async ({ to, ms }, ctx) => {
            const progressToken = ctx.mcpReq._meta?.progressToken;
            for (let progress = 1; progress <= to; progress++) {
                await new Promise((resolve) => setTimeout(resolve, ms));
                if (progressToken !== undefined)
                    await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: to } });
            }
            return text(`counted to ${to}`);
        });
    server.registerPrompt("ask", { description: "Asks", argsSchema: z.object({ what: z.string() }) },
        ({ what }) => ({ messages: [{ role: "user", content: { type: "text", text: `Explain ${what}.` } }] }));
    return server;
}

if (process.argv[2] === "http") {
    const listener = createServer(toNodeHandler(createMcpHandler(make)));
    listener.listen(0, "127.0.0.1", () => console.log(listener.address().port));
} else {
    serveStdio(make, process.argv[2] === "modern" ? { legacy: "reject" } : {});
}
