// msci-lint as a WebAssembly module, in a thread of the page: what the playground asks instead of a server.
const LIMIT_SECONDS = 10; // as msci-lint has for a source

async function read(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: status ${response.status}`);
  return response;
}

export const gallery = async () => (await read('gallery.json')).json();

export async function rulePage(id) {
  const response = await fetch(`rules/${encodeURIComponent(id)}.md`);
  return response.ok ? response.text() : `The page of ${id} is missing.`;
}

// What the source is checked for: a version of the language, and a target or ''.
export const choice = {version: 'metal3.1', target: ''};

function options() {
  return ['--std', choice.version, ...(choice.target ? ['--target', choice.target] : [])];
}

// metal3.1 has the headers headers/310.ast.
function headers() {
  const [, major, minor] = choice.version.match(/(\d)\.(\d)/);
  const file = `headers/${major}${minor}0.ast`;
  return {[file]: file};
}

// Static hosts may serve the module under another type, which cannot be compiled while it loads.
async function compile() {
  const file = 'msci-lint.wasm';
  return WebAssembly.compileStreaming(fetch(file)).catch(async () => WebAssembly.compile(await (await read(file)).arrayBuffer()));
}

// The page loads the module while it is being built itself.
let compiled = null;
export const prepare = () => (compiled ??= compile());

let thread = null;
let running = null; // the job that the thread works on
const waiting = [];

function end(job, error, answers) {
  clearTimeout(job.timer);
  running = null;
  if (error) job.reject(error);
  else job.resolve(answers);
  next();
}

function stopThread() {
  thread?.terminate();
  thread = null;
}

async function begin(job) {
  const message = {...job.question, options: options(), files: headers()};
  if (!thread) {
    message.module = await prepare();
    thread = new Worker('worker.mjs', {type: 'module'});
  }
  thread.onmessage = ({data}) => end(job, data.error && new Error(data.error), data.answers);
  thread.onerror = event => {
    stopThread();
    end(job, new Error(`Unfinished: ${event.message ?? 'the module ended'}`));
  };
  job.timer = setTimeout(() => {
    stopThread();
    end(job, new Error(`Unfinished: the source takes more than ${LIMIT_SECONDS} s.`));
  }, LIMIT_SECONDS * 1000);
  thread.postMessage(message);
}

function next() {
  if (running || waiting.length === 0) return;
  running = waiting.shift();
  begin(running).catch(error => end(running, error));
}

function run(question) {
  return new Promise((resolve, reject) => {
    // Of questions that wait, only the last of its kind matters: the others are about texts that are gone.
    const kind = question.questions[0].method;
    const old = waiting.findIndex(job => job.question.questions[0].method === kind);
    if (old >= 0) waiting.splice(old, 1)[0].reject(new Error('The text has changed.'));
    waiting.push({question, resolve, reject});
    next();
  });
}

// The language server's answer about a text.
export async function askLanguage(name, text, method, params = {}) {
  const [answer] = await run({name, text, questions: [{method, params}]});
  return answer;
}
