// The tab that compares the kernel with another one: the text, the times, the counters.
import {MergeView} from '@codemirror/merge';
import {cpp} from '@codemirror/lang-cpp';
import {syntaxHighlighting} from '@codemirror/language';
import {EditorState} from '@codemirror/state';
import {EditorView, lineNumbers} from '@codemirror/view';
import {classHighlighter} from '@lezer/highlight';

import {h, shortTime, table} from './dom.js';
import {metalWords, nonce} from './editor.js';
import {indexOfMost, largestSize, linesOf} from './results.js';

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

// The counters of all launches at that size.
function countersOf(profile, size) {
  const sums = {instructions: 0, device: 0, least: 0};
  for (const line of linesOf(profile, size).values()) for (const key of Object.keys(sums)) sums[key] += line[key];
  return sums;
}

function ratio(one, other) {
  if (!(one > 0) || !(other > 0)) return '';
  if (Math.abs(one / other - 1) < 0.005) return 'the same';
  return one <= other ? `${(other / one).toPrecision(3)} times less` : `${(one / other).toPrecision(3)} times more`;
}

// "1.31 times as fast (1.28 to 1.34)"
function speed({ratio, low, high}) {
  if (!ratio) return 'unknown';
  const range = low && high ? ` (${low.toPrecision(3)} to ${high.toPrecision(3)})` : '';
  return `${ratio.toPrecision(3)} times as fast${range}`;
}

const median = values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

function countersThatDiffer({chip, sizes}, name) {
  const {label, moved = []} = sizes[indexOfMost(sizes, size => size.candidate_seconds)] ?? {};
  if (moved.length === 0) return h('p', {}, `No counter of the profile differs by a tenth or more.`);
  return [
    h('h2', {}, `Counters that differ at size ${label}, those first that matter most on ${chip}`),
    table([
      ['Counter', 'This kernel', name, ''],
      ...moved.map(each => [
        each.counter.replaceAll('_', ' '),
        each.candidate,
        each.rival,
        ratio(each.candidate, each.rival),
      ]),
    ]),
  ];
}

// Both kernels measured in alternating turns on this machine: the verdict compared.
export function measuredView(evaluation, name) {
  if (evaluation.error) return h('p', {class: 'verdict unknown'}, `The times were not measured: ${evaluation.error}`);
  if (!evaluation.correct) return h('p', {class: 'verdict bad'}, 'The times were not measured: this kernel is not right.');
  const {versus: comparison, predicted_versus: predicted} = evaluation;
  if (!comparison) return h('p', {class: 'verdict unknown'}, 'One of the kernels did not run.');
  if (comparison.same_program) return h('p', {class: 'verdict'}, `${name} translates to the same program.`);
  const kind = comparison.faster ? 'good' : comparison.slower ? 'bad' : '';
  const doubt = comparison.faster || comparison.slower ? '' : '; the difference is not certain';
  return h(
    'div',
    {},
    h('p', {class: `verdict ${kind}`}, `${speed(comparison)} as ${name}, measured in turns${doubt}.`),
    h('p', {class: 'dim'}, `On ${evaluation.device}, with the interval of the ratio. No Apple GPU is measured here.`),
    table([
      ['Size', 'This kernel', name, 'Ratio'],
      ...comparison.sizes.map(size => [
        size.label,
        shortTime(median(size.candidate)),
        shortTime(median(size.rival)),
        speed(size),
      ]),
    ]),
    predicted && countersThatDiffer(predicted, name),
  );
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
  const most = largestSize(mine);
  const [a, b] = [countersOf(mine, most), countersOf(other, most)];
  const share = mine.sizes[most].predicted_seconds / other.sizes[most]?.predicted_seconds;
  if (Number.isNaN(share)) return h('p', {class: 'dim'}, 'The other kernel did not run at the largest size.');
  const words =
    Math.abs(share - 1) < 0.01
      ? `As fast as ${name}`
      : share < 1
        ? `${(1 / share).toPrecision(3)} times as fast as ${name}`
        : `${share.toPrecision(3)} times slower than ${name}`;
  return h(
    'div',
    {},
    h(
      'p',
      {class: `verdict ${share <= 1.01 ? 'good' : 'bad'}`},
      `${words} at the largest size, ${mine.sizes[most].label}, as predicted for ${mine.chip}.`,
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
