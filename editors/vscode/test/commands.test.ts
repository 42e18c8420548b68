import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { test } from "node:test";
import * as commands from "../src/commands";

const root = path.resolve(__dirname, "../..");
const defaults: commands.Settings = {
  path: "", lintArguments: [], select: [], ignore: [], severity: {}, task: "", plan: "", evalArguments: [],
};
interface Manifest {
  contributes: {
    commands: { command: string }[];
    configuration: { properties: Record<string, { default: unknown }> };
    problemMatchers: { pattern: { regexp: string } }[];
  };
}
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as Manifest;

test("by default, the programs come from the PATH and rules from .msci.json", () => {
  assert.deepEqual(commands.server(defaults), { program: "msci-lint", args: ["--lsp"] });
  assert.deepEqual(commands.listTasks(defaults), { program: "msci-tasks", args: ["list"] });
});

test("the module takes the place of a program that is neither on the PATH nor in a folder of the settings", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "msci-vscode-"));
  try {
    const module = path.join(folder, "lint.mjs");
    const line = commands.server(defaults);
    const start = (settings: commands.Settings, folders: string) => commands.withModule(line, settings, module, "/code", folders);
    assert.equal(start(defaults, ""), line, "without a module, the message names the program");
    writeFileSync(module, "");
    assert.deepEqual(start(defaults, "/none"), { program: "/code", args: [module, "--lsp"], env: { ELECTRON_RUN_AS_NODE: "1" } });
    assert.equal(start({ ...defaults, path: "/opt" }, ""), line);
    writeFileSync(path.join(folder, process.platform === "win32" ? "msci-lint.exe" : "msci-lint"), "");
    assert.equal(start(defaults, ["/none", folder].join(path.delimiter)), line);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the server gets the folder, the arguments and the rules of the settings", () => {
  const settings = {
    ...defaults, path: "/opt/m s/bin", lintArguments: ["--std", "metal3.2"], select: ["hazard", "metal"],
    ignore: ["slow"], severity: { hazard: "error", "slow.divergence": "off" },
  };
  assert.deepEqual(commands.server(settings), {
    program: "/opt/m s/bin/msci-lint",
    args: ["--lsp", "--std", "metal3.2", "--select", "hazard,metal", "--ignore", "slow", "--severity", "hazard=error,slow.divergence=off"],
  });
});

test("a plan takes precedence over a task, and without either the user chooses", () => {
  assert.equal(commands.configuredTarget(defaults), undefined);
  assert.deepEqual(commands.configuredTarget({ ...defaults, task: "nbody" }), { task: "nbody" });
  assert.deepEqual(commands.configuredTarget({ ...defaults, task: "nbody", plan: "p.json" }), { plan: "p.json" });
});

test("evaluating and checking differ in one option", () => {
  const settings = { ...defaults, evalArguments: ["--held-out"] };
  assert.deepEqual(commands.evaluate(settings, "k.metal", { task: "saxpy" }, false).args, ["k.metal", "--task", "saxpy", "--held-out"]);
  assert.deepEqual(commands.evaluate(settings, "k.metal", { plan: "p.json" }, true).args, ["k.metal", "--plan", "p.json", "--check", "--held-out"]);
});

test("code lenses become actions, and nothing else does", () => {
  const argument = { uri: "file:///k.metal", task: "saxpy" };
  assert.deepEqual(commands.lensOf("msci.evaluateKernel", [argument]), { action: "evaluate", ...argument });
  assert.deepEqual(commands.lensOf("msci.checkKernel", [argument]), { action: "check", ...argument });
  assert.equal(commands.lensOf("other.command", [argument]), undefined);
  assert.equal(commands.lensOf("msci.checkKernel", []), undefined);
  assert.equal(commands.lensOf("msci.checkKernel", [{ uri: 1, task: "saxpy" }]), undefined);
});

test("the extension leaves the names of the server's commands to the client", () => {
  const names = manifest.contributes.commands.map((each) => each.command);
  assert(!names.includes("msci.evaluateKernel") && !names.includes("msci.checkKernel"));
});

test("a file that looks like an option stays a file", () => {
  assert.equal(commands.lint(defaults, "--fix").args.at(-1), "./--fix");
  assert.equal(commands.evaluate(defaults, "-x.metal", { task: "saxpy" }, false).args[0], "./-x.metal");
});

test("the list of tasks is read line by line", () => {
  assert.deepEqual(commands.parseTasks("saxpy      y = a x + y\nheat2d     2-D heat\n\n"), [
    { name: "saxpy", summary: "y = a x + y" }, { name: "heat2d", summary: "2-D heat" },
  ]);
});

test("the extension registers each command of its manifest, and reads each setting", () => {
  const source = readFileSync(path.join(root, "src/extension.ts"), "utf8");
  for (const { command } of manifest.contributes.commands) assert(source.includes(`"${command}"`), command);
  for (const setting of Object.keys(manifest.contributes.configuration.properties)) {
    assert(source.includes(`"${setting.replace(/^msci\./, "")}"`), setting);
  }
});

test("the problem matcher reads findings of msci-lint and of msci-eval --check", () => {
  const [matcher] = manifest.contributes.problemMatchers;
  assert(matcher);
  const pattern = new RegExp(matcher.pattern.regexp);
  const parts = (line: string) => pattern.exec(line)?.slice(1);
  const restrict = "'restrict' is a C keyword; use '__restrict' (expected ')')";
  assert.deepEqual(parts(`src/a b.metal:5:42: error: ${restrict} [metal.restrict]`),
    ["src/a b.metal", "5", "42", "error", restrict, "metal.restrict"]);
  assert.deepEqual(parts("k.metal:9:26: note: thread (127, 0, 0) reads [0] here"),
    ["k.metal", "9", "26", "note", "thread (127, 0, 0) reads [0] here", undefined]);
  assert.equal(parts("1 file: 1 error, 0 warnings, 0 notes"), undefined);
  assert.equal(parts("  fix: line 5: replace 'restrict' with '__restrict'"), undefined);
});
