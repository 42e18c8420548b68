// The tab that compares the kernel with another one: the text, the predicted times, the counters.
import {MergeView} from '@codemirror/merge';
import {cpp} from '@codemirror/lang-cpp';
import {syntaxHighlighting} from '@codemirror/language';
import {EditorState} from '@codemirror/state';
import {EditorView, lineNumbers} from '@codemirror/view';
import {classHighlighter} from '@lezer/highlight';

import {h, shortTime, table} from './dom.js';
import {metalWords, nonce} from './editor.js';
import {linesOf} from './results.js';

export function differencesOf(one, other) {
  const box = h('div', {class: 'merge'});
  const extensions = [
    EditorView.cspNonce.of(nonce),
    EditorView.editable.of(false),
    EditorState.readOnly.of(true),
    lineNumbers(),
    cpp(),
    metalWords,
    syntaxHighlighting(classHighlighter),
    EditorView.lineWrapping,
  ];
  const view = new MergeView({
    a: {doc: other, extensions},
    b: {doc: one, extensions},
    parent: box,
    collapseUnchanged: {margin: 2, minSize: 4},
  });
  return [box, view];
}

// The counters of all launches at the largest size.
function countersOf(profile) {
  const sums = {instructions: 0, device: 0, least: 0};
  for (const line of linesOf(profile).values()) for (const key of Object.keys(sums)) sums[key] += line[key];
  return sums;
}

function ratio(one, other) {
  if (!(one > 0) || !(other > 0)) return '';
  if (Math.abs(one / other - 1) < 0.005) return 'the same';
  return one <= other ? `${(other / one).toPrecision(3)} times less` : `${(one / other).toPrecision(3)} times more`;
}

// Which of two profiled kernels is predicted to be faster, and the counters beside it.
export function timesView(mine, other, name) {
  if (!mine?.sizes?.length || !other?.sizes?.length)
    return h('p', {class: 'dim'}, 'One of the kernels did not run, so that the times cannot be compared.');
  const sizes = mine.sizes.map((size, i) => [
    size.label,
    shortTime(size.predicted_seconds),
    shortTime(other.sizes[i]?.predicted_seconds ?? NaN),
    ratio(size.predicted_seconds, other.sizes[i]?.predicted_seconds),
  ]);
  const [a, b] = [countersOf(mine), countersOf(other)];
  const last = mine.sizes.at(-1).predicted_seconds / other.sizes.at(-1).predicted_seconds;
  const words =
    Math.abs(last - 1) < 0.01
      ? `As fast as ${name}`
      : last < 1
        ? `${(1 / last).toPrecision(3)} times as fast as ${name}`
        : `${last.toPrecision(3)} times slower than ${name}`;
  return h(
    'div',
    {},
    h(
      'p',
      {class: `verdict ${last <= 1.01 ? 'good' : 'bad'}`},
      `${words} at the largest size, as predicted for ${mine.chip}.`,
    ),
    table([['Size', 'This kernel', name, 'Time'], ...sizes]),
    table([
      ['Counter at the largest size', 'This kernel', name, ''],
      ['Instructions of simdgroups', a.instructions, b.instructions, ratio(a.instructions, b.instructions)],
      ['Lines of device memory touched', a.device, b.device, ratio(a.device, b.device)],
      ['The least, if accesses were coalesced', a.least, b.least, ratio(a.least, b.least)],
    ]),
  );
}
