#!/usr/bin/env node
// msci-lint as a WebAssembly module on Node: the options, output and exit statuses of the native program.
import { readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Copies } from './copies.mjs';
import { compileLazily, Exit, instantiate, wasiOf } from './instance.mjs';

// What the module needs at its start; it grows.
const firstPages = 1024;
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

function main() {
  compileLazily();
  const path = process.env.MSCI_WASM ?? pathOf('msci-lint.wasm');
  const env = environment(path);
  const module = new WebAssembly.Module(readFileSync(path));
  const copies = new Copies(module, env);
  let instance;
  const host = (memory) => ({
    spawn: (body, seconds, memoryBytes) =>
      copies.spawn(memory, instance.exports.__stack_pointer.value >>> 0, body, seconds, memoryBytes),
    end: (copy) => copies.end(copy),
    next: (copy) => copies.nextEvent(copy),
    take: (copy, text) => copies.take(memory, copy, text),
    poll: (at, count, milliseconds) => copies.poll(new DataView(memory.buffer), at, count, milliseconds),
    send: () => {},
  });
  const made = instantiate(module, wasiOf(['msci-lint', ...process.argv.slice(2)], env), host, firstPages);
  instance = made.instance;
  try {
    instance.exports._start();
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.code;
    process.stderr.write(`msci-lint: the module ended: ${error.message}\n`);
    if (process.env.MSCI_DEBUG) console.error(error);
    return couldNotCheck;
  }
}

process.exit(main());
