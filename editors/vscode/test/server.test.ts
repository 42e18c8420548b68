// A session with the real programs, as VS Code's client would hold it: the library under that client speaks the
// protocol. MSCI_BIN names the folder of the programs, and MSCI_MODULE that of the WebAssembly module.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import * as rpc from "vscode-jsonrpc/node";
import * as lsp from "vscode-languageserver-protocol";
import * as commands from "../src/commands";

const bin = process.env["MSCI_BIN"] ?? "";
const skip = bin ? false : "MSCI_BIN does not name the folder of msci's programs";
const module_ = process.env["MSCI_MODULE"] ?? "";
const skipModule = module_ ? false : "MSCI_MODULE does not name the folder of the WebAssembly module";
const settings: commands.Settings = {
  path: bin, lintArguments: ["--no-config"], select: [], ignore: ["slow"], severity: {}, task: "saxpy", plan: "",
  evalArguments: ["--verify-only"],
};
const bad = `#include <metal_stdlib>
using namespace metal;
kernel void f(device const float* restrict x [[buffer(0)]],
              device float* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = x[i];
}
`;
const manifest = JSON.parse(readFileSync(path.resolve(__dirname, "../../package.json"), "utf8")) as {
  contributes: { problemMatchers: { pattern: { regexp: string } }[] };
};

/** The session of an editor. `isNative`: the server knows the tasks. */
async function holdSession({ program, args, env }: commands.CommandLine, isNative: boolean): Promise<void> {
  const process_ = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, ...env } });
  const connection = rpc.createMessageConnection(new rpc.StreamMessageReader(process_.stdout), new rpc.StreamMessageWriter(process_.stdin));
  const published: lsp.PublishDiagnosticsParams[] = [];
  let arrived = () => {};
  connection.onNotification(lsp.PublishDiagnosticsNotification.type, (params) => {
    published.push(params);
    arrived();
  });
  const publishedFor = async (version: number) => {
    for (;;) {
      const found = published.find((each) => each.version === version);
      if (found) return found;
      await new Promise<void>((resolve) => { arrived = resolve; });
    }
  };
  connection.onRequest("window/workDoneProgress/create", () => null);
  connection.onRequest("client/registerCapability", () => null);
  connection.listen();

  const folder = mkdtempSync(path.join(tmpdir(), "msci-vscode-"));
  const uri = pathToFileURL(path.join(folder, "f.metal")).href;
  try {
    const initialized = await connection.sendRequest(lsp.InitializeRequest.type, {
      processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities: {},
    });
    assert(initialized.capabilities.hoverProvider && initialized.capabilities.completionProvider);
    await connection.sendNotification(lsp.InitializedNotification.type, {});
    await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: "metal", version: 1, text: bad },
    });
    const [diagnostic, ...others] = (await publishedFor(1)).diagnostics;
    assert.equal(others.length, 0);
    assert.equal(diagnostic?.code, "metal.restrict");
    assert.equal(diagnostic.range.start.line, 2);

    const actions = await connection.sendRequest(lsp.CodeActionRequest.type, {
      textDocument: { uri }, range: diagnostic.range, context: { diagnostics: [diagnostic] },
    });
    const fix = (actions ?? []).find((each): each is lsp.CodeAction => "kind" in each && each.kind === "quickfix");
    const edits = fix?.edit?.changes?.[uri];
    assert.equal(edits?.[0]?.newText, "__restrict");

    const good = bad.replace("restrict", "__restrict");
    await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version: 2 }, contentChanges: [{ text: good }],
    });
    assert.deepEqual((await publishedFor(2)).diagnostics, []);

    const hover = await connection.sendRequest(lsp.HoverRequest.type, { textDocument: { uri }, position: { line: 2, character: 13 } });
    assert.match(JSON.stringify(hover), /void f/);
    const completed = await connection.sendRequest(lsp.CompletionRequest.type, { textDocument: { uri }, position: { line: 4, character: 9 } });
    const items = Array.isArray(completed) ? completed : completed?.items ?? [];
    assert(items.some((each) => each.label.startsWith("threadgroup_barrier")));

    // What a client asks for while one reads and edits.
    const textDocument = { uri };
    const inBody = { line: 4, character: 2 };  // y
    const found = await connection.sendRequest(lsp.ReferencesRequest.type, {
      textDocument, position: inBody, context: { includeDeclaration: true },
    });
    assert.deepEqual(found?.map((each) => each.range.start), [{ line: 3, character: 28 }, { line: 4, character: 2 }]);
    const prepared = await connection.sendRequest(lsp.PrepareRenameRequest.type, { textDocument, position: inBody });
    assert(prepared && "placeholder" in prepared && prepared.placeholder === "y");
    const renamed = await connection.sendRequest(lsp.RenameRequest.type, { textDocument, position: inBody, newName: "result" });
    assert.deepEqual(renamed?.changes?.[uri]?.map((each) => each.newText), ["result", "result"]);
    await assert.rejects(connection.sendRequest(lsp.RenameRequest.type, { textDocument, position: inBody, newName: "x" }), /another error/);
    const legend = initialized.capabilities.semanticTokensProvider?.legend;
    const tokens = await connection.sendRequest(lsp.SemanticTokensRequest.type, { textDocument });
    assert(tokens && tokens.data.length > 0 && tokens.data.length % 5 === 0);
    assert(tokens.data.every((number, i) => i % 5 !== 3 || number < (legend?.tokenTypes.length ?? 0)));
    const folds = await connection.sendRequest(lsp.FoldingRangeRequest.type, { textDocument });
    assert(folds?.some((each) => each.startLine === 3 && each.endLine === 4));

    const helpful = good.replace("[[buffer(1)]]", "").replace("x[i];", "max(x[i], 0.0f); auto p = y;");
    await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version: 3 }, contentChanges: [{ text: helpful }],
    });
    const hints = await connection.sendRequest(lsp.InlayHintRequest.type, {
      textDocument, range: { start: { line: 0, character: 0 }, end: { line: 6, character: 0 } },
    });
    assert.deepEqual(hints?.map((each) => each.label), ["[[buffer(1)]]", ": device float*"]);
    const help = await connection.sendRequest(lsp.SignatureHelpRequest.type, {
      textDocument, position: { line: 4, character: helpful.split("\n")[4]?.indexOf("0.0f") ?? 0 },
    });
    assert.equal(help?.signatures[0]?.label, "float max(float x, float y)");
    assert.equal(help.activeParameter, 1);

    if (isNative) {
      const seed = execFileSync(commands.program(settings, "msci-tasks"), ["seed", "saxpy"], { encoding: "utf8" });
      await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
        textDocument: { uri, version: 4 }, contentChanges: [{ text: seed }],
      });
      const lenses = await connection.sendRequest(lsp.CodeLensRequest.type, { textDocument });
      const actions_ = lenses?.map((each) => commands.lensOf(each.command?.command ?? "", each.command?.arguments ?? []));
      assert.deepEqual(actions_, [{ action: "evaluate", uri, task: "saxpy" }, { action: "check", uri, task: "saxpy" }]);
      const symbols = await connection.sendRequest(lsp.WorkspaceSymbolRequest.type, { query: "saxpy" });
      assert.deepEqual(symbols?.map((each) => each.name), ["saxpy"]);
    }

    await connection.sendRequest(lsp.ShutdownRequest.type);
    const ended = new Promise((resolve) => process_.on("exit", resolve));
    await connection.sendNotification(lsp.ExitNotification.type);
    assert.equal(await ended, 0);
  } finally {
    connection.dispose();
    process_.kill();
    rmSync(folder, { recursive: true });
  }
}

test("the server diagnoses, fixes, completes, explains and stops", { skip, timeout: 60_000 },
  () => holdSession(commands.server(settings), true));

test("the module in place of the server does the same", { skip: skipModule, timeout: 300_000 }, () => {
  const without = { ...settings, path: "" };
  const line = commands.withModule(commands.server(without), without, path.join(module_, "lint.mjs"), process.execPath, "");
  assert.equal(line.program, process.execPath);
  return holdSession(line, false);
});

test("the commands run, and the problem matcher reads what they print", { skip, timeout: 300_000 }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), "msci-vscode-"));
  try {
    const regexp = manifest.contributes.problemMatchers[0]?.pattern.regexp;
    assert(regexp);
    const matches = (text: string) => text.split("\n").map((line) => new RegExp(regexp).exec(line)).filter((each) => each !== null);
    const run = ({ program, args }: commands.CommandLine) => spawnSync(program, args, { cwd: folder, encoding: "utf8" });

    writeFileSync(path.join(folder, "bad.metal"), bad);
    const linted = run(commands.lint(settings, "bad.metal"));
    assert.equal(linted.status, 1);
    const finding = matches(linted.stdout)[0];
    assert.deepEqual([finding?.[1], finding?.[2], finding?.[4]], ["bad.metal", "3", "error"]);
    assert.equal(finding?.[6], "metal.restrict");

    const tasks = commands.listTasks(settings);
    const names = commands.parseTasks(execFileSync(tasks.program, tasks.args, { encoding: "utf8" })).map((each) => each.name);
    assert(names.includes("saxpy") && names.includes("nbody"));

    const seed = execFileSync(tasks.program, ["seed", "saxpy"], { encoding: "utf8" });
    writeFileSync(path.join(folder, "seed.metal"), seed);
    const evaluated = run(commands.evaluate(settings, "seed.metal", { task: "saxpy" }, false));
    assert.equal(evaluated.status, 0, evaluated.stderr);
    assert.match(evaluated.stdout, /all sizes right/);

    const racy = seed.replace(/\[[^\]]*thread_position_in_grid[^\]]*\]\]\)\s*\{/, (head) => `${head} threadgroup float s[1]; s[0] = float(i); y[i] = s[0];`);
    assert.notEqual(racy, seed);
    writeFileSync(path.join(folder, "racy.metal"), racy);
    const checked = run(commands.evaluate({ ...settings, evalArguments: [] }, "racy.metal", { task: "saxpy" }, true));
    assert.equal(checked.status, 1, checked.stdout + checked.stderr);
    assert(matches(checked.stdout).some((each) => each[6] === "check.race" && each[1] === "racy.metal"), checked.stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
