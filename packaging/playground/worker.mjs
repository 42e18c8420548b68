// The thread of the playground that runs the module.
import { Linter } from './linter.mjs';

const files = new Map();
let linter;

// Reads what the module is to find under these paths.
async function load(wanted) {
  for (const [path, address] of Object.entries(wanted)) {
    if (files.has(path)) continue;
    const response = await fetch(address);
    if (response.ok) files.set(path, new Uint8Array(await response.arrayBuffer()));
  }
}

addEventListener('message', async ({ data }) => {
  linter ??= new Linter(data.module, files);
  try {
    await load(data.files);
    postMessage({ answers: linter.answer(data) });
  } catch (error) {
    postMessage({ error: error.message });
  }
});
