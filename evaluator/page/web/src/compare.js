// The tab that compares the kernel with another one: the text, the times, the counters.
import {MergeView} from '@codemirror/merge';
import {cpp} from '@codemirror/lang-cpp';
import {syntaxHighlighting} from '@codemirror/language';
import {EditorState} from '@codemirror/state';
import {EditorView, lineNumbers} from '@codemirror/view';
import {classHighlighter} from '@lezer/highlight';

import {h, shortTime, table} from './dom.js';
import {metalWords, nonce} from './editor.js';
import {indexOfMost} from './results.js';

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
    predicted && predictionOf(predicted, name),
  );
}

// What the prediction can tell of two kernels, and why.
function predictionOf(predicted, name) {
  const {chip, claim, confidence, reason} = predicted;
  const kind = {faster: 'good', slower: 'bad'}[claim] ?? 'unknown';
  const words =
    claim === 'none'
      ? `No claim about ${chip}: ${reason}.`
      : `Predicted to be ${claim} than ${name} on ${chip}, with a confidence of ${Math.round(100 * confidence)} %: ${reason}.`;
  return [
    h('p', {class: `verdict ${kind}`}, words),
    h('p', {class: 'dim'}, `${speed(predicted)} as ${name}, as predicted, with the 80 % interval of the ratio.`),
    table([
      ['Size', 'This kernel', name, 'Time'],
      ...predicted.sizes.map(({label, candidate_seconds: mine, rival_seconds: theirs}) => [
        label,
        shortTime(mine),
        shortTime(theirs),
        ratio(mine, theirs),
      ]),
    ]),
    countersThatDiffer(predicted, name),
  ];
}

// Two kernels by their predicted times.
export function predictedComparison({error, correct, predicted_versus: predicted}, name) {
  if (predicted) return h('div', {}, predictionOf(predicted, name));
  const why = error ?? (correct ? 'one of the kernels did not run' : 'this kernel is not right');
  return h('p', {class: 'dim'}, `The predicted times cannot be compared: ${why}.`);
}
