// Instances of the module on Node: one that a program starts, and copies of it.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { Exit, memoryOf } from './shared.mjs';

const require = createRequire(import.meta.url);

// V8 compiles a function when it is first called: of this module, a run calls a small part.
export function compileLazily() {
  const v8 = require('node:v8');
  v8.setFlagsFromString('--wasm-lazy-compilation');
  v8.setFlagsFromString('--wasm-lazy-validation');
}

// Node says of its WASI that it is experimental, on standard error.
function quietly(work) {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

// The system's files under their own names.
export function wasiOf(args, env) {
  const { WASI } = quietly(() => require('node:wasi'));
  return quietly(() => new WASI({ version: 'preview1', args, env, preopens: { '/': '/' }, returnOnExit: true }));
}

// WASI's numbers of errors.
const brokenPipe = 64;
const inputOutput = 29;

// Writes all of it: Node can have made a pipe one that does not wait.
function writeAll(descriptor, bytes) {
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  for (let at = 0; at < bytes.length; ) {
    try {
      at += fs.writeSync(descriptor, bytes, at);
    } catch (error) {
      if (error.code === 'EPIPE') return brokenPipe;
      if (error.code !== 'EAGAIN') return inputOutput;
      Atomics.wait(asleep, 0, 0, 1);
    }
  }
  return 0;
}

// WASI's fd_write() of standard output and standard error.
function writeVectors(memory, descriptor, vectors, count, written) {
  const view = new DataView(memory.buffer);
  let total = 0;
  for (let i = 0; i < count; ++i) {
    const size = view.getUint32(vectors + 8 * i + 4, true);
    const bytes = new Uint8Array(memory.buffer, view.getUint32(vectors + 8 * i, true), size);
    const error = writeAll(descriptor, bytes);
    if (error) return error;
    total += size;
  }
  view.setUint32(written, total, true);
  return 0;
}

// WASI's fd_read() of standard input, from what serves it.
function readVectors(memory, input, vectors, count, taken) {
  const view = new DataView(memory.buffer);
  let total = 0;
  for (let i = 0; i < count; ++i) {
    const room = view.getUint32(vectors + 8 * i + 4, true);
    const bytes = total > 0 && !input.isReady() ? [] : input.read(room);
    new Uint8Array(memory.buffer).set(bytes, view.getUint32(vectors + 8 * i, true));
    total += bytes.length;
    if (bytes.length < room) break;
  }
  view.setUint32(taken, total, true);
  return 0;
}

// An instance whose memory has this many pages, and may grow by as many bytes as the limit says. `input` replaces
// standard input.
export function instantiate(module, wasi, host, pages, { moreBytes, input } = {}) {
  const memory = memoryOf(pages, moreBytes);
  // Functions of our own between: V8's fast calls of Node's abort where the memory is imported.
  const system = {};
  for (const [name, call] of Object.entries(wasi.wasiImport)) system[name] = (...all) => call(...all);
  system.fd_write = (descriptor, ...rest) =>
    descriptor === 1 || descriptor === 2
      ? writeVectors(memory, descriptor, ...rest)
      : wasi.wasiImport.fd_write(descriptor, ...rest);
  if (input)
    system.fd_read = (descriptor, ...rest) =>
      descriptor === 0 ? readVectors(memory, input, ...rest) : wasi.wasiImport.fd_read(descriptor, ...rest);
  system.proc_exit = (code) => {
    throw new Exit(code);
  };
  const instance = new WebAssembly.Instance(module, {
    wasi_snapshot_preview1: system,
    msci: host(memory),
    env: { memory },
  });
  wasi.initialize({ exports: { memory, _initialize() {} } });
  return { instance, memory };
}
