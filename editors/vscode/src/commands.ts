// The command lines of msci's programs. Nothing here needs VS Code.
import { existsSync } from "node:fs";
import * as path from "node:path";

/** What the user set under `msci.`; an empty text or list stands for the default. */
export interface Settings {
  /** The folder of the programs; empty: the PATH is searched. */
  path: string;
  lintArguments: readonly string[];
  select: readonly string[];
  ignore: readonly string[];
  severity: Readonly<Record<string, string>>;
  /** The task that kernels are evaluated on; empty: not known yet. */
  task: string;
  /** A plan file in place of a task. */
  plan: string;
  evalArguments: readonly string[];
}

/** A program and its arguments, to be started without a shell. */
export interface CommandLine {
  program: string;
  args: string[];
  /** Variables beside those of VS Code. */
  env?: Record<string, string>;
}

export type Action = "lint" | "evaluate" | "check";

/** What a kernel is judged on. */
export type Target = { task: string } | { plan: string };

export function program(settings: Settings, name: string): string {
  return settings.path ? path.join(settings.path, name) : name;
}

/**
 * The command line for msci-lint as a WebAssembly module, where the program is not on the PATH and no folder is set.
 * `module` is the file that Node.js runs, and `node` the program of VS Code, which is Node.js with a variable set.
 */
export function withModule(line: CommandLine, settings: Settings, module: string, node: string, folders: string): CommandLine {
  const names = process.platform === "win32" ? [`${line.program}.exe`] : [line.program];
  const isInstalled = folders.split(path.delimiter).some((folder) => folder && names.some((name) => existsSync(path.join(folder, name))));
  if (settings.path || isInstalled || !existsSync(module)) return line;
  return { program: node, args: [module, ...line.args], env: { ELECTRON_RUN_AS_NODE: "1" } };
}

function lintOptions(settings: Settings): string[] {
  const options = [...settings.lintArguments];
  if (settings.select.length) options.push("--select", settings.select.join(","));
  if (settings.ignore.length) options.push("--ignore", settings.ignore.join(","));
  const severities = Object.entries(settings.severity).map(([rule, severity]) => `${rule}=${severity}`);
  if (severities.length) options.push("--severity", severities.join(","));
  return options;
}

export function server(settings: Settings): CommandLine {
  return { program: program(settings, "msci-lint"), args: ["--lsp", ...lintOptions(settings)] };
}

/** The configured target, or undefined where the user has to choose a task. */
export function configuredTarget(settings: Settings): Target | undefined {
  if (settings.plan) return { plan: settings.plan };
  return settings.task ? { task: settings.task } : undefined;
}

/** A file whose name begins with a dash must not become an option. */
function operand(file: string): string {
  return file.startsWith("-") ? `./${file}` : file;
}

export function lint(settings: Settings, file: string): CommandLine {
  return { program: program(settings, "msci-lint"), args: ["--color", "never", ...lintOptions(settings), operand(file)] };
}

export function evaluate(settings: Settings, file: string, target: Target, check: boolean): CommandLine {
  const judged = "plan" in target ? ["--plan", target.plan] : ["--task", target.task];
  const args = [operand(file), ...judged, ...(check ? ["--check"] : []), ...settings.evalArguments];
  return { program: program(settings, "msci-eval"), args };
}

export function listTasks(settings: Settings): CommandLine {
  return { program: program(settings, "msci-tasks"), args: ["list"] };
}

/** What a code lens of the language server asks for. */
export interface Lens {
  action: "evaluate" | "check";
  uri: string;
  task: string;
}

/** The commands that the server's code lenses name. It runs them itself where an editor does not. */
const lensActions: Readonly<Record<string, Lens["action"]>> = {
  "msci.evaluateKernel": "evaluate",
  "msci.checkKernel": "check",
};

/** The lens behind a command of the server, or undefined for other commands. */
export function lensOf(command: string, args: readonly unknown[]): Lens | undefined {
  const action = lensActions[command];
  const [argument] = args as [Partial<Lens>?];
  if (!action || typeof argument?.uri !== "string" || typeof argument.task !== "string") return undefined;
  return { action, uri: argument.uri, task: argument.task };
}

/** The lines of `msci-tasks list`: a name, spaces, what the task is. */
export function parseTasks(text: string): { name: string; summary: string }[] {
  return text.split("\n").flatMap((line) => {
    const [, name, summary] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    return name && summary ? [{ name, summary }] : [];
  });
}
