// The thread of a server, which waits for standard input and for copies at once. The first thread passes the input on:
// a thread that reads a pipe itself could not be ended.
import { receiveMessageOnPort, Worker, workerData, MessageChannel, isMainThread } from 'node:worker_threads';
import { run } from './program.mjs';

const stackMegabytes = 96;

// What has arrived on standard input.
class Input {
  constructor({ port, signal }) {
    this.port = port;
    this.signal = signal;
    this.pieces = [];
    this.hasEnded = false;
  }

  isReady() {
    for (let received; (received = receiveMessageOnPort(this.port)); )
      if (received.message) this.pieces.push(received.message);
      else this.hasEnded = true;
    return this.hasEnded || this.pieces.length > 0;
  }

  // At most so many bytes, and none at the end.
  read(most) {
    for (;;) {
      const seen = Atomics.load(this.signal, 0);
      if (this.isReady()) break;
      Atomics.wait(this.signal, 0, seen);
    }
    const [first] = this.pieces;
    if (!first) return [];
    if (first.length <= most) return this.pieces.shift();
    this.pieces[0] = first.subarray(most);
    return first.subarray(0, most);
  }
}

// Runs a server. This thread ends with its exit status.
export function serve(args) {
  const { port1, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const server = new Worker(new URL(import.meta.url), {
    workerData: { args, signal, port: port2 },
    transferList: [port2],
    resourceLimits: { stackSizeMb: stackMegabytes },
  });
  const pass = (message) => {
    port1.postMessage(message);
    Atomics.add(signal, 0, 1);
    Atomics.notify(signal, 0);
  };
  process.stdin.on('data', pass);
  process.stdin.on('end', () => pass(null));
  server.on('exit', (status) => process.exit(status));
}

if (!isMainThread && workerData?.args) process.exit(run(workerData.args, new Input(workerData)));
