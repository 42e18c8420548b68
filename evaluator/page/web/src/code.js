// The tab of the code that msci makes of a kernel: OpenCL C, LLVM IR, the assembly of this processor, and machine code
// of an Apple GPU, each line beside the line of the source that it comes from.
import {h} from './dom.js';

const LANGUAGES = {opencl: 'OpenCL C', 'llvm-ir': 'LLVM IR', assembly: 'Assembly', apple: 'Apple M1'};
const WORDS = {
  opencl: 'The translation to OpenCL C 1.2, which GPUs and PoCL run.',
  'llvm-ir': 'The LLVM IR of one thread, after optimisation.',
  assembly: 'What this processor runs: a simdgroup of 32 threads as vectors, in threadgroups of any shape.',
  apple: 'What Mesa’s compiler makes for an Apple M1; Apple’s own may differ. The lines are estimates.',
};
const MOST_LINES = 8000;
const COLOURS = 6; // the classes of style.css, from-0 to from-5

// [text, line of the source or 0] of each line. msci ends lines with comments such as "// line 12".
export function linesOfCode(text) {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map(line => {
      const match = line.match(/^(.*?)\s+(?:\/\/|;|#|@) line (\d+)$/);
      return match ? [match[1], Number(match[2])] : [line, 0];
    });
}

// A colour for each line of the source that code comes from, so that neighbours differ.
export function coloursOf(code) {
  const lines = new Set();
  for (const language of Object.keys(LANGUAGES))
    for (const [, line] of linesOfCode(code[language]?.text ?? '')) if (line > 0) lines.add(line);
  return new Map([...lines].sort((a, b) => a - b).map((line, i) => [line, i % COLOURS]));
}

function listing({text, error, missing}, colours, go) {
  if (missing) return h('p', {class: 'dim'}, missing);
  if (!text) return h('p', {class: 'verdict bad'}, error ?? 'There is no translation.');
  const lines = linesOfCode(text);
  const rows = lines.slice(0, MOST_LINES).map(([words, line]) =>
    h(
      'div',
      {class: line ? `code-line from-${colours.get(line)}` : 'code-line', 'data-line': line || null},
      h('span', {class: 'from', 'aria-hidden': 'true'}, line ? String(line) : ''),
      words,
    ),
  );
  const pre = h('pre', {class: 'code', tabindex: '0'}, rows);
  pre.addEventListener('click', event => {
    const line = event.target.closest('[data-line]')?.dataset.line;
    if (line && getSelection().isCollapsed) go(Number(line));
  });
  return [
    h('div', {class: 'scroll'}, pre),
    lines.length > MOST_LINES &&
      h('p', {class: 'dim'}, `The first ${MOST_LINES} of ${lines.length} lines; msci-eval FILE --emit prints all.`),
  ].filter(Boolean);
}

// `chosen`: a language, or null for all of them, in a saved page.
export function codeView({code}, {chosen, choose, go}) {
  if (code.rejection) return h('p', {class: 'verdict bad'}, code.rejection);
  const colours = coloursOf(code);
  const part = language => [h('p', {class: 'dim'}, WORDS[language]), listing(code[language], colours, go)];
  const all = Object.entries(LANGUAGES);
  return h(
    'div',
    {},
    code.refused.map(reason => h('p', {class: 'bad'}, reason)),
    chosen &&
      h(
        'p',
        {class: 'choice', role: 'group', 'aria-label': 'Language of the code'},
        all.map(([key, title]) =>
          h('button', {type: 'button', 'aria-pressed': String(key === chosen), onclick: () => choose(key)}, title),
        ),
      ),
    chosen
      ? [part(chosen), h('p', {class: 'dim'}, 'The number before a line of code is its line in the source.')].flat(2)
      : all.map(([key, title]) => [h('h2', {}, title), part(key)]).flat(3),
  );
}
