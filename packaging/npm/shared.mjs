// What instances of the module need on Node and in a browser alike.

// Thrown where the module ends itself.
export class Exit {
  constructor(code) {
    this.code = code;
  }
}

// What the module needs at its start; it grows. A copy begins with as much, so that more would cost twice.
export const firstPages = 640;
const pageBytes = 65536;
const mostPages = 65536;

// What is heard of a copy (packaging/wasm/platform/module_host.h).
export const events = { answer: 0, kept: 1, ended: 2, crashed: 3, outOfMemory: 4, outOfStack: 5, outOfTime: 6 };
const outOfMemoryStatus = 3;

// Memory of this many pages, which may grow by as many bytes as the limit says.
export function memoryOf(pages, moreBytes = Infinity) {
  const maximum = Math.min(mostPages, moreBytes === Infinity ? mostPages : pages + Math.ceil(moreBytes / pageBytes));
  return new WebAssembly.Memory({ initial: pages, maximum });
}

// What a new copy takes over: the memory above the top of the stack.
export function snapshot(instance, memory) {
  const stack = instance.exports.__stack_pointer.value >>> 0;
  return { stack, pages: memory.buffer.byteLength / pageBytes, bytes: memory.buffer.slice(stack) };
}

// A module without room on its own stack writes below address 0.
function isOutOfStack(error, stack) {
  if (error instanceof RangeError) return true;
  return error instanceof WebAssembly.RuntimeError && (stack < 65536 || stack > 2 ** 31);
}

// Runs the function of a copy in a fresh instance. The event with which it ends; `onError` hears of what it threw.
export function runCopy({ instance, memory }, { stack, bytes }, body, onError = () => {}) {
  const pointer = instance.exports.__stack_pointer;
  new Uint8Array(memory.buffer).set(new Uint8Array(bytes), stack);
  pointer.value = stack;
  try {
    return instance.exports.msci_copy_main(body) === 0 ? events.ended : events.crashed;
  } catch (error) {
    if (error instanceof Exit) return error.code === outOfMemoryStatus ? events.outOfMemory : events.crashed;
    onError(error);
    return isOutOfStack(error, pointer.value >>> 0) ? events.outOfStack : events.crashed;
  }
}

// The functions of the host in a copy, which starts no copies itself. `send(kind, bytes)` passes its texts on.
export function hostOfCopy(memory, send) {
  const unavailable = () => -1;
  return {
    spawn: unavailable,
    end: unavailable,
    next: () => BigInt(events.crashed) << 32n,
    take: unavailable,
    poll: unavailable,
    leaves: () => 0,
    send: (isKept, text, size) =>
      send(isKept ? events.kept : events.answer, new Uint8Array(memory.buffer, text, size).slice()),
  };
}
