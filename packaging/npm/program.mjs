// One run of msci-lint: the module in this thread, its copies in others.
import { readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Copies } from './copies.mjs';
import { compileLazily, instantiate, wasiOf } from './instance.mjs';
import { Exit, firstPages } from './shared.mjs';

const couldNotCheck = 2;

function pathOf(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

// The results that are kept belong to a build of the module.
function buildOf(path) {
  const { size, mtimeMs } = statSync(path);
  return `${size}-${mtimeMs}`;
}

function environment(module) {
  return {
    ...process.env,
    MSCI_FOLDER: process.cwd(),
    MSCI_HEADERS: process.env.MSCI_HEADERS ?? pathOf('headers'),
    MSCI_MODULE: buildOf(module),
    MSCI_PROCESSORS: String(availableParallelism()),
  };
}

// The exit status. `input` replaces standard input, for a server that waits for it and for copies (server.mjs).
export function run(args, input) {
  compileLazily();
  const path = process.env.MSCI_WASM ?? pathOf('msci-lint.wasm');
  const env = environment(path);
  const module = new WebAssembly.Module(readFileSync(path));
  const copies = new Copies(module, env, input);
  let made;
  const host = (memory) => ({
    spawn: (body, seconds, memoryBytes) => copies.spawn(made, body, seconds, memoryBytes),
    end: (copy) => copies.end(copy),
    next: (copy) => copies.nextEvent(copy),
    take: (copy, text) => copies.take(memory, copy, text),
    poll: (at, count, milliseconds) => copies.poll(new DataView(memory.buffer), at, count, milliseconds),
    send: () => {},
    leaves: () => 0,
  });
  made = instantiate(module, wasiOf(['msci-lint', ...args], env), host, firstPages, { input });
  try {
    made.instance.exports._start();
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.code;
    process.stderr.write(`msci-lint: the module ended: ${error.message}\n`);
    if (process.env.MSCI_DEBUG) console.error(error);
    return couldNotCheck;
  }
}
