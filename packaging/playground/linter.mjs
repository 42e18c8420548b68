// What msci-lint says about texts, one after the other.
import { LanguageServer } from './language_server.mjs';

// A server that has grown so much is replaced.
const mostBytes = 512 << 20;
const uriOf = (name) => `file:///${encodeURIComponent(name)}`;

export class Linter {
  // `files`: what the module can read, by path.
  constructor(module, files) {
    this.module = module;
    this.files = files;
  }

  // The answers to the questions, [{method, params}]. Errors: what ended the module; the next question starts it anew.
  answer({ options, name, text, questions }) {
    const answers = [];
    try {
      this.prepare(options.join('\n'), options);
      this.server.converse(this.talk(uriOf(name), text, questions, answers));
    } catch (error) {
      this.server = null;
      throw error;
    }
    return answers;
  }

  prepare(key, options) {
    if (this.server && this.key === key && this.server.bytes <= mostBytes) return;
    Object.assign(this, { key, count: 0, uri: undefined, text: undefined });
    this.server = new LanguageServer(this.module, this.files, options);
    this.server.converse(this.start());
  }

  *ask(method, params) {
    const { result, error } = yield { id: ++this.count, method, params };
    if (error) throw new Error(error.message);
    return result;
  }

  *start() {
    yield* this.ask('initialize', { capabilities: {} });
    yield { method: 'initialized', params: {} };
  }

  *talk(uri, text, questions, answers) {
    if (this.uri !== uri || this.text !== text) yield* this.show(uri, text);
    for (const { method, params } of questions)
      answers.push(yield* this.ask(`textDocument/${method}`, { ...params, textDocument: { uri } }));
  }

  // The server has one document open at a time.
  *show(uri, text) {
    const tell = (what, params) => ({ method: `textDocument/did${what}`, params });
    const version = ++this.count;
    const before = this.uri;
    Object.assign(this, { uri, text });
    if (before === uri) {
      yield tell('Change', { textDocument: { uri, version }, contentChanges: [{ text }] });
      return;
    }
    if (before) yield tell('Close', { textDocument: { uri: before } });
    yield tell('Open', { textDocument: { uri, languageId: 'metal', version, text } });
  }
}
