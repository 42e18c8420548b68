// Connects VS Code with msci's programs: the language server, and tasks that lint, evaluate and check.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { LanguageClient, type ExecuteCommandSignature } from "vscode-languageclient/node";
import * as commands from "./commands";

let client: LanguageClient | undefined;
let moduleFile = "";  // of the extension; absent in a package without the module

/** msci-lint, or the module in its place. */
function available(line: commands.CommandLine, settings: commands.Settings): commands.CommandLine {
  return commands.withModule(line, settings, moduleFile, process.execPath, process.env["PATH"] ?? "");
}

function settingsFor(scope?: vscode.Uri): commands.Settings {
  const values = vscode.workspace.getConfiguration("msci", scope);
  return {
    path: values.get("path", ""),
    lintArguments: values.get<string[]>("lint.arguments", []),
    select: values.get<string[]>("lint.select", []),
    ignore: values.get<string[]>("lint.ignore", []),
    severity: values.get<Record<string, string>>("lint.severity", {}),
    task: values.get("eval.task", ""),
    plan: values.get("eval.plan", ""),
    evalArguments: values.get<string[]>("eval.arguments", []),
  };
}

async function startServer(): Promise<void> {
  const settings = settingsFor();
  const { program, args, env } = available(commands.server(settings), settings);
  client = new LanguageClient("msci", "msci", { command: program, args, options: { env: { ...process.env, ...env } } }, {
    documentSelector: [{ language: "metal" }],
    middleware: { executeCommand: runLens },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const choice = await vscode.window.showErrorMessage(
      `Cannot start ${program}. Install msci, or set the folder of its programs. (${String(error)})`, "Open Settings");
    if (choice) await vscode.commands.executeCommand("workbench.action.openSettings", "msci.path");
  }
}

async function stopServer(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function askForTask(settings: commands.Settings): Promise<commands.Target | undefined> {
  const { program, args } = commands.listTasks(settings);
  const { stdout } = await promisify(execFile)(program, args);
  const items = commands.parseTasks(stdout).map(({ name, summary }) => ({ label: name, description: summary }));
  const chosen = await vscode.window.showQuickPick(items, { title: "The task that this kernel is written for", matchOnDescription: true });
  return chosen && { task: chosen.label };
}

function commandLine(action: commands.Action, file: string, settings: commands.Settings, target?: commands.Target) {
  if (action === "lint") return available(commands.lint(settings, file), settings);
  return target && commands.evaluate(settings, file, target, action === "check");
}

interface Definition extends vscode.TaskDefinition {
  action: commands.Action;
  file: string;
  task?: string;
  plan?: string;
}

function makeTask(definition: Definition, scope: vscode.WorkspaceFolder | vscode.TaskScope, line: commands.CommandLine): vscode.Task {
  const task = new vscode.Task(definition, scope, `${definition.action} ${vscode.workspace.asRelativePath(definition.file)}`, "msci",
    new vscode.ProcessExecution(line.program, line.args, { env: line.env ?? {} }), "$msci");
  task.presentationOptions = { clear: true, showReuseMessage: false };
  return task;
}

/** Runs a code lens of the server as a task of VS Code; other commands of the server stay with it. */
async function runLens(command: string, args: unknown[], next: ExecuteCommandSignature): Promise<unknown> {
  const lens = commands.lensOf(command, args);
  if (!lens) return next(command, args);
  return run(lens.action, await vscode.workspace.openTextDocument(vscode.Uri.parse(lens.uri)), { task: lens.task });
}

/** Runs an action on a file, as a task whose output the problem matcher reads. */
async function run(action: commands.Action, document = vscode.window.activeTextEditor?.document, named?: commands.Target): Promise<void> {
  if (!document || document.uri.scheme !== "file") {
    void vscode.window.showErrorMessage("Open a Metal source first.");
    return;
  }
  await document.save();
  const settings = settingsFor(document.uri);
  const target = action === "lint" ? undefined : named ?? commands.configuredTarget(settings) ?? (await askForTask(settings));
  const line = commandLine(action, document.uri.fsPath, settings, target);
  if (!line) return;  // the choice was cancelled
  const folder = vscode.workspace.getWorkspaceFolder(document.uri) ?? vscode.TaskScope.Workspace;
  await vscode.tasks.executeTask(makeTask({ type: "msci", action, file: document.uri.fsPath, ...target }, folder, line));
}

/** Completes the tasks of tasks.json, which name an action and a file. */
function resolveTask(task: vscode.Task): vscode.Task | undefined {
  const definition = task.definition as Definition;
  const settings = settingsFor();
  const named = definition.plan ? { plan: definition.plan } : definition.task ? { task: definition.task } : undefined;
  const line = commandLine(definition.action, definition.file, settings, named ?? commands.configuredTarget(settings));
  return line && makeTask(definition, task.scope ?? vscode.TaskScope.Workspace, line);
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  moduleFile = context.asAbsolutePath("module/lint.mjs");
  const command = (name: string, act: () => Promise<void>) => vscode.commands.registerCommand(name, async () => {
    try {
      await act();
    } catch (error) {
      void vscode.window.showErrorMessage(`msci: ${String(error)}`);
    }
  });
  const restart = async () => {
    await stopServer();
    await startServer();
  };
  context.subscriptions.push(
    command("msci.evaluate", () => run("evaluate")),
    command("msci.check", () => run("check")),
    command("msci.lint", () => run("lint")),
    command("msci.restart", restart),
    vscode.tasks.registerTaskProvider("msci", { provideTasks: () => [], resolveTask }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("msci.path") || change.affectsConfiguration("msci.lint")) await restart();
    }),
  );
  await startServer();
}

export async function deactivate(): Promise<void> {
  await stopServer();
}
