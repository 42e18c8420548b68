// A thread that runs copies of an instance, one after the other.
import { workerData } from 'node:worker_threads';
import { compileLazily, Exit, events, instantiate, wasiOf } from './instance.mjs';

const { module, signal, env, port } = workerData;
compileLazily();

function tell(message, transfer = []) {
  port.postMessage(message, transfer);
  Atomics.add(signal, 0, 1);
  Atomics.notify(signal, 0);
}

function send(memory, copy, isKept, text, size) {
  const bytes = new Uint8Array(memory.buffer, text, size).slice();
  tell({ copy, kind: isKept ? events.kept : events.answer, bytes }, [bytes.buffer]);
}

// A module without room on its own stack writes below address 0.
function isOutOfStack(error, stack) {
  if (error instanceof RangeError) return true;
  return error instanceof WebAssembly.RuntimeError && (stack < 65536 || stack > 2 ** 31);
}

function run({ copy, body, stack, pages, bytes, memoryBytes }) {
  const unavailable = () => -1;
  const host = (memory) => ({
    spawn: unavailable,
    end: unavailable,
    next: () => BigInt(events.crashed) << 32n,
    take: unavailable,
    poll: unavailable,
    send: (isKept, text, size) => send(memory, copy, isKept, text, size),
  });
  const { instance, memory } = instantiate(module, wasiOf([], env), host, pages, memoryBytes);
  const pointer = instance.exports.__stack_pointer;
  new Uint8Array(memory.buffer).set(new Uint8Array(bytes), stack);
  pointer.value = stack;
  try {
    return instance.exports.msci_copy_main(body) === 0 ? events.ended : events.crashed;
  } catch (error) {
    if (error instanceof Exit) return error.code === 3 ? events.outOfMemory : events.crashed;
    if (process.env.MSCI_DEBUG) console.error(error);
    return isOutOfStack(error, pointer.value >>> 0) ? events.outOfStack : events.crashed;
  }
}

port.on('message', (job) => {
  tell({ copy: job.copy, kind: 'began' });
  tell({ copy: job.copy, kind: run(job) });
});
