// A thread that runs copies of an instance, one after the other.
import { workerData } from 'node:worker_threads';
import { compileLazily, instantiate, wasiOf } from './instance.mjs';
import { hostOfCopy, runCopy } from './shared.mjs';

const { module, signal, env, port } = workerData;
compileLazily();

function tell(message, transfer = []) {
  port.postMessage(message, transfer);
  Atomics.add(signal, 0, 1);
  Atomics.notify(signal, 0);
}

function run({ copy, body, taken, memoryBytes }) {
  const send = (kind, bytes) => tell({ copy, kind, bytes }, [bytes.buffer]);
  const host = (memory) => hostOfCopy(memory, send);
  const made = instantiate(module, wasiOf([], env), host, taken.pages, { moreBytes: memoryBytes });
  return runCopy(made, taken, body, process.env.MSCI_DEBUG ? console.error : undefined);
}

port.on('message', (job) => {
  tell({ copy: job.copy, kind: 'began' });
  tell({ copy: job.copy, kind: run(job) });
});
