// The language server of msci-lint in this thread. A copy of its instance runs here as well, to its end, when it is
// started: pages share memory between threads only where their server sends the headers for it.
import { Exit, events, firstPages, hostOfCopy, memoryOf, runCopy, snapshot } from './shared.mjs';
import { System } from './system.mjs';

const firstCopy = 1 << 20;
const env = { MSCI_HEADERS: '/headers', MSCI_FOLDER: '/', MSCI_PROCESSORS: '1' };
const encoder = new TextEncoder();
const decoder = new TextDecoder();

// An instance of the module and its memory.
function instantiate(module, system, host, pages, moreBytes) {
  const memory = memoryOf(pages, moreBytes);
  const imports = { wasi_snapshot_preview1: system.imports(memory), msci: host(memory), env: { memory } };
  return { instance: new WebAssembly.Instance(module, imports), memory };
}

// The copies of an instance, each of which has ended.
class EndedCopies {
  constructor(module, files) {
    this.module = module;
    this.files = files;
    this.queues = new Map(); // of the events, by copy
    this.next = 0;
  }

  spawn(made, body, memoryBytes) {
    const queue = [];
    const system = new System({ args: [], env, files: this.files });
    const host = (memory) => hostOfCopy(memory, (kind, bytes) => queue.push({ kind, bytes }));
    const taken = snapshot(made.instance, made.memory);
    const copy = instantiate(this.module, system, host, taken.pages, memoryBytes >>> 0);
    queue.push({ kind: runCopy(copy, taken, body), bytes: [] });
    this.queues.set(this.next, queue);
    return this.next++;
  }

  // The event as the module reads it; take() copies its text.
  nextEvent(copy) {
    const event = this.queues.get(copy)?.shift() ?? { kind: events.crashed, bytes: [] };
    this.taken = event.bytes;
    return (BigInt(event.kind) << 32n) | BigInt(event.bytes.length);
  }

  take(memory, at) {
    new Uint8Array(memory.buffer).set(this.taken, at);
  }

  // As poll() does.
  poll(memory, at, count, exchange) {
    const view = new DataView(memory.buffer);
    let ready = 0;
    for (let i = 0; i < count; ++i) {
      const descriptor = view.getInt32(at + 8 * i, true);
      const has = descriptor === 0 ? exchange.isReady() : !this.queues.has(descriptor - firstCopy) || this.hasEvents(descriptor);
      view.setInt16(at + 8 * i + 6, has ? view.getInt16(at + 8 * i + 4, true) : 0, true);
      if (has) ++ready;
    }
    if (ready === 0) throw new Error('the module waits for an answer of its own');
    return ready;
  }

  hasEvents(descriptor) {
    return this.queues.get(descriptor - firstCopy).length > 0;
  }
}

function joined(first, second) {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

// What the server reads and writes: the messages of a generator, which gets the answer to each request.
class Exchange {
  constructor() {
    this.pending = new Uint8Array();
    this.received = new Uint8Array();
    this.isOver = true;
  }

  begin(messages) {
    this.messages = messages;
    this.step();
  }

  step(answer) {
    const { value, done } = this.messages.next(answer);
    this.isOver = done;
    if (done) return;
    this.awaited = value.id;
    const body = encoder.encode(JSON.stringify({ jsonrpc: '2.0', ...value }));
    this.pending = joined(encoder.encode(`Content-Length: ${body.length}\r\n\r\n`), body);
  }

  isReady() {
    return this.pending.length > 0;
  }

  read(most) {
    const piece = this.pending.subarray(0, most);
    this.pending = this.pending.subarray(piece.length);
    if (this.pending.length === 0 && this.awaited === undefined) this.step();
    return piece;
  }

  write(bytes) {
    this.received = joined(this.received, bytes);
    for (let message; (message = this.nextMessage()); )
      if (message.id === this.awaited && !message.method) this.step(message);
  }

  nextMessage() {
    const [head] = decoder.decode(this.received.subarray(0, 64)).split('\r\n\r\n', 1);
    const begin = head.length + 4;
    const end = begin + Number(/Content-Length: (\d+)/.exec(head)?.[1]);
    if (!(this.received.length >= end)) return undefined;
    const message = JSON.parse(decoder.decode(this.received.subarray(begin, end)));
    this.received = this.received.subarray(end);
    return message;
  }
}

// A server with these options. It keeps what it knows between conversations.
export class LanguageServer {
  constructor(module, files, options) {
    const output = (descriptor, bytes) =>
      descriptor === 1 ? this.exchange.write(bytes) : this.said.push(decoder.decode(bytes));
    const args = ['msci-lint', '--lsp', ...options];
    this.exchange = new Exchange();
    this.said = []; // on standard error
    this.copies = new EndedCopies(module, files);
    this.system = new System({ args, env, files, input: this.exchange, output });
    this.made = instantiate(module, this.system, (memory) => this.host(memory), firstPages);
  }

  host(memory) {
    return {
      spawn: (body, _seconds, memoryBytes) => this.copies.spawn(this.made, body, memoryBytes),
      end: (copy) => this.copies.queues.delete(copy),
      next: (copy) => this.copies.nextEvent(copy),
      take: (_copy, at) => this.copies.take(memory, at),
      poll: (at, count) => this.copies.poll(memory, at, count, this.exchange),
      send: () => {},
      leaves: (round) => this.leaves(round),
    };
  }

  // At the end of a conversation the module leaves by a trap, which unwinds nothing.
  leaves(round) {
    if (!this.exchange.isOver) return 0;
    this.round = round;
    this.hasLeft = true;
    return 1;
  }

  // Passes on the messages, and returns once the server has answered them. Errors: what ends the server.
  converse(messages) {
    const { exports } = this.made.instance;
    this.exchange.begin(messages);
    this.hasLeft = false;
    try {
      if (this.round === undefined) exports._start();
      else {
        exports.__stack_pointer.value = this.stack;
        exports.msci_resume(this.round);
      }
    } catch (error) {
      if (!this.hasLeft && !(error instanceof Exit)) throw error;
    }
    if (!this.hasLeft) throw new Error(this.said.join('').trim() || 'the module ended early');
    this.stack ??= exports.__stack_pointer.value;
  }

  get bytes() {
    return this.made.memory.buffer.byteLength;
  }
}
