// The page: an editor on the left, and what msci says about its text on the right.
import {askLanguage, gallery as readGallery, isPlayground, judge} from './backend.js';
import {codeView, coloursOf} from './code.js';
import {differencesOf, measuredView, predictedComparison} from './compare.js';
import {cutInMiddle, h} from './dom.js';
import {draftView} from './draft.js';
import {Editor} from './editor.js';
import {asDiagnostics, findFindings, findingsView} from './findings.js';
import {fillGallery, taskOf} from './gallery.js';
import {chooseNeeds, setUpPlayground} from './playground.js';
import {checkView, headline, linesOf, predictedView, profileView, resultView} from './results.js';
import {download, savedPage} from './saved.js';

const TYPING_MILLISECONDS = 30;
const TABS = {
  findings: 'Findings',
  ...(!isPlayground && {
    result: 'Result',
    check: 'Checked run',
    profile: 'Profile',
    predicted: 'Predicted',
    code: 'Code',
    compare: 'Compare',
  }),
};
// What "Run" asks for, one after the other in the judging server's queue.
const RUN = {result: 'verify', check: 'check', profile: 'profile'};

const part = id => document.getElementById(id);
let gallery;
let editor;
let name = 'kernel.metal';
let tab = 'findings';
let findings = null;
let unfinished = ''; // why there are no findings
let results = {}; // of the current text: by tab, {answer} or {error}
let running = null; // the AbortController of what the text waits for
let other = null; // the kernel to compare with: {name, text}
let language = 'opencl'; // of the tab of the code
let asked = 0;

const ask = (method, params) => askLanguage(name, editor.text, method, params);

async function check() {
  const mine = ++asked;
  const {doc} = editor.view.state;
  try {
    const found = await findFindings(ask, doc);
    if (mine !== asked) return;
    findings = found;
    unfinished = '';
    editor.show(asDiagnostics(found, doc, apply));
    say('');
  } catch (error) {
    if (mine !== asked) return;
    findings = null;
    unfinished = error.message;
    editor.show([]);
  }
  draw();
}

const apply = edits => editor.apply(edits);
const go = line => editor.go(line);
const say = words => {
  part('progress').textContent = words;
};

let timer;
function changed() {
  stop();
  if (Object.keys(results).length > 0) {
    editor.showHeat(new Map());
    editor.showOrigins(new Map());
  }
  results = {};
  clearTimeout(timer);
  timer = setTimeout(check, TYPING_MILLISECONDS);
  if (tab !== 'findings') draw();
}

function stop() {
  running?.abort();
  running = null;
  part('stop').hidden = true;
}

const WITHOUT_TASK = ['code', 'draft'];
const request = (verdict, text = editor.text) => ({
  source: text,
  name: name.split('/').at(-1),
  verdict,
  ...(WITHOUT_TASK.includes(verdict) ? {} : {task: part('task').value}),
});

// Asks for one result, and shows it when it comes.
async function want(key, words, answer) {
  running ??= new AbortController();
  const {signal} = running;
  part('stop').hidden = false;
  const progress = (waiting, seconds) =>
    say(waiting > 0 ? `${words}: ${waiting} before it, ${seconds.toFixed(0)} s` : `${words}: ${seconds.toFixed(0)} s`);
  results[key] = {waits: true};
  let result;
  try {
    result = {answer: await answer(signal, progress)};
  } catch (error) {
    result = {error: error.message};
  }
  if (signal.aborted) return; // an edit has begun anew
  results[key] = result;
  if (key === 'profile' && results.profile.answer)
    editor.showHeat(new Map([...linesOf(results.profile.answer.profile)].map(([line, sum]) => [line, sum.share])));
  if (key === 'result' && isWrong()) {
    LATER.diagnosis();
    LATER.difference();
  }
  draw();
  if (Object.values(results).some(each => each.waits)) return;
  say('');
  part('stop').hidden = true;
}

// Whether the kernel ran and has wrong results.
function isWrong() {
  const evaluation = results.result?.answer?.evaluation;
  return Boolean(evaluation?.sizes?.length) && headline(evaluation)[1] === 'bad';
}

async function run() {
  if (isPlayground) return check();
  if (!part('task').value) return show('result');
  stop();
  results = {};
  if (tab === 'findings') tab = 'result';
  const jobs = Object.entries(RUN).map(([key, verdict]) =>
    want(key, TABS[key], (signal, progress) => judge(request(verdict), signal, progress)),
  );
  draw();
  await Promise.all(jobs);
}

const LATER = {
  predicted: () =>
    want('predicted', 'Predicted', (signal, progress) => judge(request('predicted'), signal, progress)),
  code: () => want('code', 'Code', (signal, progress) => judge(request('code'), signal, progress)),
  diagnosis: () =>
    want('diagnosis', 'Cause', (signal, progress) =>
      judge({...request('verify'), diagnosis: true}, signal, progress),
    ),
  difference: () =>
    want('difference', 'Difference', (signal, progress) => judge(request('difference'), signal, progress)),
  draft: () => want('draft', 'Plan', (signal, progress) => judge(request('draft'), signal, progress)),
  measured: () =>
    want('measured', 'Measuring in turns', (signal, progress) =>
      judge({...request('compared'), rival: other.text}, signal, progress),
    ),
  compare: () =>
    want('compare', 'Compare', (signal, progress) =>
      judge({...request('predicted'), rival: other.text}, signal, progress),
    ),
};

const chosenTask = () => gallery.tasks.find(each => each.id === part('task').value);

// The kernels that this one can be compared with.
function choices() {
  const task = chosenTask();
  return [
    ...(task?.seed ? [{name: `the seed of ${task.name}`, text: task.seed}] : []),
    ...gallery.files
      .filter(file => file.name !== name)
      .map(file => ({name: cutInMiddle(file.name.split('/').at(-1)), text: file.text})),
  ];
}

function measuredPart() {
  const {answer, error, waits} = results.measured ?? {};
  if (answer) return measuredView(answer.evaluation, other.name);
  if (waits) return h('p', {class: 'dim'}, 'Both kernels are being measured; nothing else runs meanwhile.');
  return h(
    'p',
    {},
    error && h('span', {class: 'bad'}, `${error} `),
    h(
      'button',
      {
        type: 'button',
        id: 'measure',
        onclick: () => {
          LATER.measured();
          draw();
        },
      },
      'Measure both in turns',
    ),
  );
}

let merge = null;
function compareView() {
  const all = choices();
  if (all.length === 0)
    return h('p', {class: 'dim'}, 'Choose a task: the kernel is compared with its seed, and with your other files.');
  if (!all.some(each => each.name === other?.name)) other = all[0];
  const select = h(
    'select',
    {
      'aria-label': 'Compare with',
      onchange: () => {
        other = all[select.selectedIndex];
        delete results.compare;
        delete results.measured;
        draw();
      },
    },
    all.map(each => h('option', {selected: each.name === other.name}, each.name)),
  );
  if (!results.compare) LATER.compare();
  const [box, view] = differencesOf(editor.text, other.text);
  merge = view;
  const {answer, error} = results.compare ?? {};
  return h(
    'div',
    {},
    h('p', {}, 'Compare with ', select),
    results.result?.answer &&
      headline(results.result.answer.evaluation)[1] !== 'good' &&
      h('p', {class: 'bad'}, 'This kernel is not right: see Result.'),
    answer
      ? predictedComparison(answer.evaluation, other.name)
      : h('p', {class: error ? 'bad' : 'dim'}, error ?? 'Both kernels are being profiled.'),
    h('h2', {}, 'Measured on this machine'),
    measuredPart(),
    h('h2', {}, `Text: ${other.name} on the left, this kernel on the right`),
    box,
  );
}

const VIEWS = {
  result: answer => resultView(answer, {...(isWrong() && {...differenceSoFar(), ...diagnosisSoFar()}), go}),
  check: answer => checkView(answer, {go}),
  profile: (answer, line = editor.line) => profileView(answer, {line, go}),
  predicted: answer => predictedView(answer),
  code: (answer, line) => {
    const isSaved = line === null;
    if (!isSaved) editor.showOrigins(coloursOf(answer.code));
    return codeView(answer, {chosen: isSaved ? null : language, choose: chooseLanguage, go});
  },
};

// The answer, why there is none, or null while it is awaited.
function differenceSoFar() {
  const {answer, error} = results.difference ?? {};
  return {difference: answer?.difference ?? (error ? {missing: error} : null)};
}

// Another run with random inputs may be right, so that there is no cause to look for.
function diagnosisSoFar() {
  const {answer, error} = results.diagnosis ?? {};
  return {diagnosis: answer || error ? (answer?.evaluation.diagnosis ?? undefined) : null};
}

function chooseLanguage(key) {
  language = key;
  draw();
  part('panel').querySelector('[aria-pressed=true]')?.focus();
}

function withoutTask() {
  const {answer, error, waits} = results.draft ?? {};
  if (answer) return draftView(answer.draft, name.split('/').at(-1));
  if (waits) return h('p', {class: 'dim'}, 'A plan is being drafted.');
  return h(
    'div',
    {},
    error && h('p', {class: 'bad'}, error),
    h(
      'p',
      {class: 'dim'},
      'Choose a task at the top: it has the inputs, the sizes and the right results. A plan of your own is a task, too.',
    ),
    h(
      'p',
      {},
      h(
        'button',
        {
          type: 'button',
          id: 'draft',
          onclick: () => {
            LATER.draft();
            draw();
          },
        },
        'Draft a plan for this kernel',
      ),
    ),
  );
}

function viewOf(key) {
  if (key === 'findings') return findingsView({findings, unfinished, go, apply});
  if (key === 'compare') return compareView();
  if (key !== 'code' && !part('task').value) return withoutTask();
  const result = results[key];
  if (!result && LATER[key]) LATER[key]();
  if (!result && !LATER[key]) return h('p', {class: 'dim'}, 'Press Run, or Ctrl+Enter in the editor.');
  if (!result || result.waits) return h('p', {class: 'dim'}, 'The kernel is being judged.');
  if (result.error) return h('p', {class: 'verdict unknown'}, result.error);
  return VIEWS[key](result.answer);
}

function draw() {
  merge?.destroy();
  merge = null;
  if (tab !== 'code') editor.showOrigins(new Map());
  for (const button of part('tabs').children) {
    const isMine = button.dataset.tab === tab;
    button.setAttribute('aria-selected', isMine);
    button.tabIndex = isMine ? 0 : -1;
    button.querySelector('.mark').textContent = markOf(button.dataset.tab);
  }
  part('panel').setAttribute('aria-labelledby', `tab-${tab}`);
  part('panel').replaceChildren(viewOf(tab));
  follow(false);
}

// A sign beside a tab's name, so that its result is seen from another tab.
function markOf(key) {
  if (key === 'findings') return findings?.length ? String(findings.length) : '';
  const answer = results[key]?.answer;
  if (results[key]?.waits) return '…';
  if (key === 'result' && answer) return headline(answer.evaluation)[1] === 'good' ? '✓' : '✗';
  if (key === 'check' && answer) return answer.check.valid ? '✓' : '✗';
  return '';
}

// The items of the cursor's line stand out.
function follow(scrolls) {
  let first = null;
  for (const item of part('panel').querySelectorAll('[data-line]')) {
    const isHere = Number(item.dataset.line) === editor.line;
    item.classList.toggle('here', isHere);
    if (isHere) first ??= item;
  }
  if (scrolls) first?.scrollIntoView({block: 'nearest'});
}

function moved() {
  if (tab === 'profile' && results.profile?.answer) draw();
  follow(true);
}

function show(key) {
  tab = key;
  draw();
}

// `needs`: the version and the target of an example.
function open(newName, text, task, needs) {
  stop();
  if (isPlayground && needs) chooseNeeds(needs);
  name = newName;
  results = {};
  findings = null;
  unfinished = '';
  other = null;
  editor.open(text);
  part('task').value = task ?? taskOf(text, gallery);
  part('name').textContent = cutInMiddle(newName.split('/').at(-1), 32);
  part('name').title = newName;
  document.title = `${newName.split('/').at(-1)} – msci`;
  show('findings');
  check();
}

async function save() {
  const style = await (await fetch('style.css')).text();
  const sections = [
    ['Findings', findingsView({findings: findings ?? [], go, apply})],
    ...Object.keys(VIEWS)
      .filter(key => results[key]?.answer)
      .map(key => [TABS[key], VIEWS[key](results[key].answer, null)]),
  ];
  if (results.measured?.answer)
    sections.push(['Measured in turns', measuredView(results.measured.answer.evaluation, other.name)]);
  if (results.compare?.answer)
    sections.push([TABS.compare, predictedComparison(results.compare.answer.evaluation, other.name)]);
  const shares = results.profile?.answer
    ? new Map([...linesOf(results.profile.answer.profile)].map(([line, sum]) => [line, sum.share]))
    : new Map();
  const page = savedPage({
    name,
    task: chosenTask()?.name,
    version: gallery.version,
    text: editor.text,
    findings: findings ?? [],
    shares,
    sections,
    style,
  });
  download(
    `${name
      .split('/')
      .at(-1)
      .replace(/\.metal$/, '')}.html`,
    page,
    'text/html',
  );
}

function makeTabs() {
  part('tabs').append(
    ...Object.entries(TABS).map(([key, title]) =>
      h(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: `tab-${key}`,
          'data-tab': key,
          'aria-controls': 'panel',
          onclick: () => show(key),
        },
        title,
        h('span', {class: 'mark'}),
      ),
    ),
  );
  part('tabs').addEventListener('keydown', event => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!step) return;
    const keys = Object.keys(TABS);
    show(keys[(keys.indexOf(tab) + step + keys.length) % keys.length]);
    part(`tab-${tab}`).focus();
  });
}

async function start() {
  makeTabs();
  editor = new Editor(part('source'), {ask, changed, moved, run});
  part('run').onclick = run;
  part('stop').onclick = () => {
    stop();
    for (const [key, result] of Object.entries(results))
      if (result.waits) results[key] = {error: 'Stopped. Run judges the kernel again.'};
    say('Stopped.');
    draw();
  };
  part('save').onclick = save;
  part('download').onclick = () => download(name.split('/').at(-1), editor.text, 'text/plain');
  part('open').onclick = () => part('gallery').showModal();
  part('task').onchange = () => {
    stop();
    results = {};
    draw();
  };
  gallery = await readGallery();
  part('task').append(
    h('option', {value: ''}, 'none'),
    ...gallery.tasks.map(task => h('option', {value: task.id, title: task.title}, cutInMiddle(task.name, 24))),
  );
  fillGallery(part('gallery'), gallery, open);
  const source = () => ({name, text: editor.text});
  if (isPlayground && (await setUpPlayground(gallery, {source, open, changed, say}))) return;
  const [first] = gallery.files;
  if (first) open(first.name, first.text, gallery.task || undefined);
  else part('gallery').showModal();
  draw();
}

start().catch(error => say(`The page could not start: ${error.message}`));
