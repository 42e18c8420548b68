// A first plan for a kernel of one's own.
import {h} from './dom.js';
import {download} from './saved.js';

function file(name, words, text, type) {
  return [
    h('h2', {}, name),
    h(
      'p',
      {},
      words,
      ' ',
      h('button', {type: 'button', onclick: () => download(name, text, type)}, `Download ${name}`),
    ),
    h('pre', {class: 'file'}, text),
  ];
}

// `draft`: the answer to that verdict.
export function draftView(draft, name) {
  if (draft.missing) return h('p', {class: 'verdict bad'}, `No plan can be drafted: ${draft.missing}`);
  return h(
    'div',
    {},
    h('p', {}, 'Put both files beside the kernel, complete them, and open the kernel with its task:'),
    h('pre', {}, `msci-eval --page ${name} --plan plan.json`),
    ...file('plan.json', 'Buffers, sizes and launches, to adapt.', draft.plan, 'application/json'),
    ...file('reference.py', 'What is right, to write where it says so.', draft.reference, 'text/x-python'),
  );
}
