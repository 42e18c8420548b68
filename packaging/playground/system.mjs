// The part of WASI that msci-lint needs to read files from memory and to speak on standard input and output.
import { Exit } from './shared.mjs';

const errors = { badDescriptor: 8, noEntry: 44, notSupported: 58, readOnly: 69, seekOfPipe: 70 };
const types = { pipe: 2, folder: 3, file: 4 };
const root = 3; // the descriptor of the folder that the module finds open
const clocks = { real: 0 };
const decoder = new TextDecoder();
const encoder = new TextEncoder();

export class System {
  // `files`: bytes by path without the first "/". `input`: read(most) → bytes. `output(descriptor, bytes)`.
  constructor({ args, env, files, input, output = () => {} }) {
    this.args = args.map((each) => encoder.encode(`${each}\0`));
    this.env = Object.entries(env).map(([name, value]) => encoder.encode(`${name}=${value}\0`));
    this.files = files;
    this.input = input;
    this.output = output;
    this.open = new Map(); // of files: {bytes, at} by descriptor
    this.next = root + 1;
  }

  // The functions that an instance with this memory imports.
  imports(memory) {
    this.memory = memory;
    const own = {
      args_sizes_get: (count, size) => this.putSizes(this.args, count, size),
      args_get: (pointers, text) => this.putTexts(this.args, pointers, text),
      environ_sizes_get: (count, size) => this.putSizes(this.env, count, size),
      environ_get: (pointers, text) => this.putTexts(this.env, pointers, text),
      clock_time_get: (clock, _precision, time) => this.putTime(clock, time),
      random_get: (at, size) => this.putRandom(at, size),
      proc_exit: (status) => {
        throw new Exit(status);
      },
      fd_prestat_get: (descriptor, result) => this.prestat(descriptor, result),
      fd_prestat_dir_name: (descriptor, path) => this.nameRoot(descriptor, path),
      fd_fdstat_get: (descriptor, result) => this.describe(descriptor, result),
      fd_fdstat_set_flags: () => 0,
      fd_filestat_get: (descriptor, result) => this.statDescriptor(descriptor, result),
      path_filestat_get: (_folder, _flags, path, size, result) => this.statPath(this.text(path, size), result),
      path_open: (...all) => this.openPath(...all),
      fd_read: (descriptor, vectors, count, taken) => this.read(descriptor, vectors, count, taken),
      fd_pread: (descriptor, vectors, count, at, taken) => this.readAt(descriptor, vectors, count, Number(at), taken),
      fd_seek: (descriptor, by, whence, result) => this.seek(descriptor, Number(by), whence, result),
      fd_readdir: (_descriptor, _at, _size, _cookie, used) => this.put32(used, 0),
      fd_write: (descriptor, vectors, count, written) => this.write(descriptor, vectors, count, written),
      fd_close: (descriptor) => (this.open.delete(descriptor), 0),
      path_readlink: () => errors.noEntry,
    };
    const refused = (name) => (/^path_|^fd_sync/.test(name) ? () => errors.readOnly : () => errors.notSupported);
    return new Proxy(own, { get: (functions, name) => functions[name] ?? refused(name) });
  }

  get view() {
    return new DataView(this.memory.buffer);
  }
  bytes(at, size) {
    return new Uint8Array(this.memory.buffer, at, size);
  }
  text(at, size) {
    return decoder.decode(this.bytes(at, size));
  }
  put32(at, value) {
    this.view.setUint32(at, value, true);
    return 0;
  }

  putSizes(texts, count, size) {
    this.put32(count, texts.length);
    return this.put32(
      size,
      texts.reduce((sum, each) => sum + each.length, 0),
    );
  }

  putTexts(texts, pointers, text) {
    for (const [i, each] of texts.entries()) {
      this.put32(pointers + 4 * i, text);
      this.bytes(text, each.length).set(each);
      text += each.length;
    }
    return 0;
  }

  putTime(clock, at) {
    const milliseconds = clock === clocks.real ? Date.now() : performance.now();
    this.view.setBigUint64(at, BigInt(Math.round(milliseconds * 1e6)), true);
    return 0;
  }

  putRandom(at, size) {
    crypto.getRandomValues(this.bytes(at, size));
    return 0;
  }

  prestat(descriptor, result) {
    if (descriptor !== root) return errors.badDescriptor;
    this.put32(result, 0);
    return this.put32(result + 4, 1);
  }

  nameRoot(descriptor, path) {
    if (descriptor !== root) return errors.badDescriptor;
    this.bytes(path, 1)[0] = '/'.charCodeAt(0);
    return 0;
  }

  typeOf(descriptor) {
    if (descriptor < root) return types.pipe;
    if (descriptor === root) return types.folder;
    return this.open.has(descriptor) ? types.file : undefined;
  }

  describe(descriptor, result) {
    const type = this.typeOf(descriptor);
    if (type === undefined) return errors.badDescriptor;
    const all = -1n;
    this.bytes(result, 24).fill(0);
    this.view.setUint8(result, type);
    if (type !== types.pipe) this.view.setBigInt64(result + 8, all, true);
    this.view.setBigInt64(result + 16, all, true);
    return 0;
  }

  putStat(type, size, result) {
    this.bytes(result, 64).fill(0);
    this.view.setUint8(result + 16, type);
    this.view.setBigUint64(result + 32, BigInt(size), true);
    return 0;
  }

  statDescriptor(descriptor, result) {
    const type = this.typeOf(descriptor);
    if (type === undefined) return errors.badDescriptor;
    return this.putStat(type, this.open.get(descriptor)?.bytes.length ?? 0, result);
  }

  isFolder(path) {
    return path === '' || path === '.' || [...this.files.keys()].some((each) => each.startsWith(`${path}/`));
  }

  statPath(path, result) {
    const bytes = this.files.get(path);
    if (bytes) return this.putStat(types.file, bytes.length, result);
    return this.isFolder(path) ? this.putStat(types.folder, 0, result) : errors.noEntry;
  }

  openPath(_folder, _follow, at, size, creation, _rights, _inherited, _flags, result) {
    const bytes = this.files.get(this.text(at, size));
    if (!bytes) return creation & 1 ? errors.readOnly : errors.noEntry;
    this.open.set(this.next, { bytes, at: 0 });
    return this.put32(result, this.next++);
  }

  // Calls take(bytes) for each vector until it takes less than there is room for.
  fill(vectors, count, result, take) {
    let total = 0;
    for (let i = 0; i < count; ++i) {
      const room = this.view.getUint32(vectors + 8 * i + 4, true);
      const taken = take(this.bytes(this.view.getUint32(vectors + 8 * i, true), room));
      total += taken;
      if (taken < room) break;
    }
    return this.put32(result, total);
  }

  read(descriptor, vectors, count, result) {
    const file = this.open.get(descriptor);
    if (descriptor === 0)
      return this.fill(vectors, Math.min(count, 1), result, (room) => {
        const piece = this.input.read(room.length);
        room.set(piece);
        return piece.length;
      });
    if (!file) return errors.badDescriptor;
    return this.fill(vectors, count, result, (room) => {
      const piece = file.bytes.subarray(file.at, file.at + room.length);
      room.set(piece);
      file.at += piece.length;
      return piece.length;
    });
  }

  readAt(descriptor, vectors, count, at, result) {
    const file = this.open.get(descriptor);
    if (!file) return errors.badDescriptor;
    return this.fill(vectors, count, result, (room) => {
      const piece = file.bytes.subarray(at, at + room.length);
      room.set(piece);
      at += piece.length;
      return piece.length;
    });
  }

  seek(descriptor, by, whence, result) {
    const file = this.open.get(descriptor);
    if (!file) return descriptor < root ? errors.seekOfPipe : errors.badDescriptor;
    file.at = [0, file.at, file.bytes.length][whence] + by;
    this.view.setBigUint64(result, BigInt(file.at), true);
    return 0;
  }

  write(descriptor, vectors, count, written) {
    if (descriptor !== 1 && descriptor !== 2) return errors.badDescriptor;
    let total = 0;
    for (let i = 0; i < count; ++i) {
      const size = this.view.getUint32(vectors + 8 * i + 4, true);
      this.output(descriptor, this.bytes(this.view.getUint32(vectors + 8 * i, true), size).slice());
      total += size;
    }
    return this.put32(written, total);
  }
}
