// Runs a module that starts no copies: node run.mjs MODULE ARGUMENT…
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { compileLazily, wasiOf } from './instance.mjs';

compileLazily();
const [path, ...rest] = process.argv.slice(2);
const wasi = wasiOf([path, ...rest.map((each) => resolve(each))], process.env);
const module = new WebAssembly.Module(readFileSync(path));
const instance = new WebAssembly.Instance(module, {
  wasi_snapshot_preview1: wasi.wasiImport,
});
process.exitCode = wasi.start(instance);
