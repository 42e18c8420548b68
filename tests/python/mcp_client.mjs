import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { readFileSync } from "node:fs";

const [python, bin, source] = process.argv.slice(2);
const client = new Client({ name: "check", version: "1" });
await client.connect(new StdioClientTransport({
  command: "python3", args: ["-m", "msci.mcp"], env: { ...process.env, PYTHONPATH: python, MSCI_BIN: bin } }));
const names = (await client.listTools()).tools.map((each) => each.name).sort().join(" ");
if (names !== "check evaluate explain fix lint profile tasks") throw new Error(`tools: ${names}`);
const seed = readFileSync(source, "utf8");
const judged = await client.callTool({ name: "evaluate", arguments: { source: seed, task: "morton", full: true } });
if (JSON.parse(judged.content[0].text).correct !== true) throw new Error(JSON.stringify(judged));
const failed = await client.callTool({ name: "evaluate", arguments: { source: seed, task: "mortn" } });
if (failed.isError !== true) throw new Error(JSON.stringify(failed));
console.log(`${client.getServerVersion().name}: ${names}; the seed is right, an unknown task is an error`);
await client.close();
