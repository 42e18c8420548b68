// The copies of an instance, as threads. The instance waits for them, so that nothing here may wait for an event of Node.
import { receiveMessageOnPort, Worker, MessageChannel } from 'node:worker_threads';
import { events, snapshot } from './shared.mjs';

const firstCopy = 1 << 20;
const stackMegabytes = 96;
const readable = 1;
// Another program's work must not end ours: the limit is one of processor time, and Node measures only that of all threads.
const mostWaitingFactor = 6;

function processorSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

export class Copies {
  constructor(module, env, input) {
    this.module = module;
    this.env = env;
    this.input = input; // replaces standard input (server.mjs); undefined where nobody waits for it
    this.signal = input?.signal ?? new Int32Array(new SharedArrayBuffer(4));
    this.idle = [];
    this.running = new Map();
    this.next = 0;
  }

  startThread() {
    const { port1, port2 } = new MessageChannel();
    const worker = new Worker(new URL('./copy.mjs', import.meta.url), {
      workerData: { module: this.module, signal: this.signal, env: this.env, port: port2 },
      transferList: [port2],
      resourceLimits: { stackSizeMb: stackMegabytes },
      stdin: false,
    });
    worker.unref();
    port1.unref();
    return { worker, port: port1 };
  }

  spawn({ instance, memory }, body, seconds, memoryBytes) {
    const copy = this.next++;
    const thread = this.idle.pop() ?? this.startThread();
    const taken = snapshot(instance, memory);
    this.running.set(copy, { thread, seconds, queue: [], taken: null });
    thread.port.postMessage({ copy, body, taken, memoryBytes: memoryBytes >>> 0 }, [taken.bytes]);
    return copy;
  }

  end(copy) {
    const each = this.running.get(copy);
    if (!each) return;
    this.running.delete(copy);
    if (each.hasEnded) this.idle.push(each.thread);
    else each.thread.worker.terminate();
  }

  // Takes in what the threads have said.
  drain() {
    for (const each of this.running.values()) {
      for (let received; (received = receiveMessageOnPort(each.thread.port)); ) this.note(received.message);
      if (!each.hasEnded && this.isOverdue(each)) {
        each.thread.worker.terminate();
        each.queue.push({ kind: events.outOfTime });
      }
    }
  }

  note({ copy, kind, bytes }) {
    const each = this.running.get(copy);
    if (!each) return;
    if (kind === 'began') {
      each.wall = performance.now() / 1000;
      each.processor = processorSeconds();
      return;
    }
    each.queue.push({ kind, bytes });
    if (kind >= events.ended) each.hasEnded = true;
  }

  isOverdue(each) {
    if (each.wall === undefined || each.isOver) return false;
    const wall = performance.now() / 1000 - each.wall;
    if (wall < each.seconds) return false;
    const share = (processorSeconds() - each.processor) / this.running.size;
    each.isOver = share >= each.seconds || wall >= mostWaitingFactor * each.seconds;
    return each.isOver;
  }

  wait(seen, milliseconds) {
    Atomics.wait(this.signal, 0, seen, milliseconds);
  }

  poll(view, at, count, milliseconds) {
    const deadline = milliseconds < 0 ? Infinity : performance.now() + milliseconds;
    for (;;) {
      const seen = Atomics.load(this.signal, 0);
      this.drain();
      const ready = this.mark(view, at, count);
      const left = deadline - performance.now();
      if (ready > 0 || left <= 0) return ready;
      this.wait(seen, Math.min(left, this.running.size > 0 ? 100 : 1000));
    }
  }

  // Sets the events of each struct pollfd; how many have some.
  mark(view, at, count) {
    let ready = 0;
    for (let i = 0; i < count; ++i) {
      const descriptor = view.getInt32(at + 8 * i, true);
      const copy = this.running.get(descriptor - firstCopy);
      const has = copy ? copy.queue.length > 0 : descriptor === 0 ? !this.input || this.input.isReady() : true;
      view.setInt16(at + 8 * i + 6, has ? view.getInt16(at + 8 * i + 4, true) & 0xffff : 0, true);
      if (has) ++ready;
    }
    return ready;
  }

  nextEvent(copy) {
    const each = this.running.get(copy);
    if (!each) return BigInt(events.crashed) << 32n;
    for (;;) {
      const seen = Atomics.load(this.signal, 0);
      this.drain();
      const event = each.queue.shift();
      if (event) {
        each.taken = event.bytes;
        return (BigInt(event.kind) << 32n) | BigInt(event.bytes?.length ?? 0);
      }
      this.wait(seen, 100);
    }
  }

  take(memory, copy, text) {
    new Uint8Array(memory.buffer).set(this.running.get(copy).taken, text);
  }
}
