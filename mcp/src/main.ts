// Serves the tools over standard input and output.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createServer } from "./server.ts";
import { readSettings } from "./settings.ts";

try {
  const settings = readSettings(process.argv.slice(2), process.env);
  serveStdio(() => createServer(settings));
} catch (error) {
  console.error(`pas-mcp: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
