// The thread of the playground that runs the module.
import { LanguageServer } from './language_server.mjs';

// A server that has grown so much is replaced.
const mostBytes = 512 << 20;
const uriOf = (name) => `file:///${encodeURIComponent(name)}`;

let module;
let server = null;
const files = new Map();

// Asks the server, within a conversation.
function* ask(method, params) {
  const { result, error } = yield { id: server.ids++, method, params };
  if (error) throw new Error(error.message);
  return result;
}

// The server has one document open at a time.
function* show(name, text) {
  const uri = uriOf(name);
  const version = server.ids++;
  const tell = (what, params) => ({ method: `textDocument/did${what}`, params });
  if (server.uri === uri) {
    yield tell('Change', { textDocument: { uri, version }, contentChanges: [{ text }] });
    return;
  }
  if (server.uri) yield tell('Close', { textDocument: { uri: server.uri } });
  server.uri = uri;
  yield tell('Open', { textDocument: { uri, languageId: 'metal', version, text } });
}

// The messages about a text; `answers` gets what the server says to the questions.
function* talk({ name, text, questions }, answers) {
  if (server.text !== text || server.uri !== uriOf(name)) yield* show(name, text);
  server.text = text;
  for (const { method, params } of questions)
    answers.push(yield* ask(`textDocument/${method}`, { ...params, textDocument: { uri: server.uri } }));
}

function* start() {
  yield* ask('initialize', { capabilities: {} });
  yield { method: 'initialized', params: {} };
}

// Reads what the module is to find under these paths.
async function load(wanted) {
  for (const [path, address] of Object.entries(wanted)) {
    if (files.has(path)) continue;
    const response = await fetch(address);
    if (response.ok) files.set(path, new Uint8Array(await response.arrayBuffer()));
  }
}

function serve({ options, ...question }) {
  if (server?.options !== options.join('\n') || server.bytes > mostBytes) {
    server = Object.assign(new LanguageServer(module, files, options), { options: options.join('\n'), ids: 1 });
    server.converse(start());
  }
  const answers = [];
  server.converse(talk(question, answers));
  return answers;
}

addEventListener('message', async ({ data }) => {
  module ??= data.module;
  try {
    await load(data.files);
    postMessage({ answers: serve(data) });
  } catch (error) {
    server = null;
    postMessage({ error: error.message });
  }
});
