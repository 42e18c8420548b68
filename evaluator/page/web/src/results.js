// The tabs of a run: the verdict at each size, the checked run, the profile and the prediction.
import {differenceView} from './difference.js';
import {h, shortNumber, shortTime, table} from './dom.js';

// The words of a verdict on a kernel.
export function headline(evaluation) {
  if (evaluation.error) return [`msci could not judge the kernel: ${evaluation.error}`, 'unknown'];
  if (evaluation.compile_ok === false) return ['The kernel does not compile, or breaks a rule. See Findings.', 'bad'];
  const {sizes} = evaluation;
  const wrong = sizes.filter(size => !size.correct);
  if (wrong.length > 0) return [`Wrong at ${wrong.length} of ${sizes.length} sizes.`, 'bad'];
  if (evaluation.strict && !evaluation.strict.passed)
    return [`Right at all ${sizes.length} sizes, but not at all stress sizes, whose inputs are random.`, 'bad'];
  return [`Right at all ${sizes.length} sizes${evaluation.strict ? ' and at the stress sizes' : ''}.`, 'good'];
}

function problemOf(size) {
  const parts = [
    size.cause && `${size.cause}: ${size.message}`,
    size.first_difference,
    size.wrong_elements &&
      `${shortNumber(size.wrong_elements)} of ${shortNumber(size.compared_elements)} elements differ`,
    size.nan_elements && `${shortNumber(size.nan_elements)} are NaN`,
    ...(size.overruns ?? []).map(each => `writes behind ${each}`),
    ...(size.changed_inputs ?? []).map(each => `changes the input ${each}`),
  ];
  return parts.filter(Boolean).join('; ');
}

function sizesTable(sizes) {
  return table([
    ['Size', 'Verdict', 'Error', 'Allowed'],
    ...sizes.flatMap(size => [
      [
        size.label,
        h('b', {class: size.correct ? 'good' : 'bad'}, size.correct ? 'right' : 'wrong'),
        size.error_value ?? size.error_text ?? '',
        size.tolerance ?? '',
      ],
      ...(problemOf(size) ? [problemOf(size)] : []),
    ]),
  ]);
}

// Why a kernel is wrong. `diagnosis`: null while it is awaited, undefined if nothing is known.
function diagnosisView(diagnosis, go) {
  if (diagnosis === undefined) return [];
  const title = h('h2', {}, 'Why it is wrong');
  if (!diagnosis) return [title, h('p', {class: 'dim'}, 'Runs that look for the cause are made.')];
  const {findings, difference} = diagnosis;
  const lines = difference?.lines ?? [];
  return [
    title,
    findings.length > 0 && h('ol', {class: 'items'}, findings.map(fault => faultItem(fault, go))),
    difference && h('p', {}, difference.where),
    difference?.cause &&
      h(
        'p',
        {},
        lines.length > 1 && 'One of these: ',
        lines.flatMap(line => [placeButton(line, `Line ${line}`, go), ' ']),
        difference.cause,
      ),
    findings.length === 0 && !difference && h('p', {class: 'dim'}, 'These runs do not show the cause.'),
  ];
}

// `difference`: of a wrong kernel, the answer to that verdict, or null while it is awaited.
export function resultView(answer, {difference, diagnosis, go}) {
  const {evaluation} = answer;
  const [words, kind] = headline(evaluation);
  const {strict} = evaluation;
  return h(
    'div',
    {},
    h('p', {class: `verdict ${kind}`}, words),
    evaluation.fail_reason && !evaluation.sizes?.some(problemOf) && h('p', {}, evaluation.fail_reason),
    diagnosisView(diagnosis, go),
    difference !== undefined && differenceView(difference),
    evaluation.sizes?.length > 0 && [h('h2', {}, 'Sizes of the task'), sizesTable(evaluation.sizes)],
    strict?.sizes?.length > 0 && [h('h2', {}, 'Stress sizes'), sizesTable(strict.sizes)],
    strict?.not_checked && h('p', {class: 'dim'}, `There is no checked run: ${strict.not_checked}.`),
  );
}

function placeButton(line, words, go) {
  return line > 0 ? h('button', {class: 'line', type: 'button', onclick: () => go(line)}, words) : '';
}

function faultItem(fault, go) {
  const place = (line, words) => placeButton(line, words, go);
  return h(
    'li',
    {class: fault.severity, 'data-line': fault.line},
    h(
      'p',
      {},
      place(fault.line, `Line ${fault.line}`),
      ' ',
      h('b', {}, fault.id.replace('check.', '').replaceAll('_', ' ')),
      ' ',
      fault.message,
    ),
    fault.notes.map(note => h('p', {class: 'note'}, place(note.line, `Line ${note.line}`), ' ', note.message)),
  );
}

export function checkView({check}, {go}) {
  if (check.error) return h('p', {class: 'verdict unknown'}, `msci could not check the kernel: ${check.error}`);
  const {findings} = check;
  const words = check.cause
    ? `${check.cause}: ${check.message}`
    : findings.length > 0
      ? `${findings.length} ${findings.length === 1 ? 'fault' : 'faults'} in one run at size ${check.size}.`
      : check.valid
        ? `No fault in one run at size ${check.size}, with every access checked.`
        : 'The kernel did not run. See Findings.';
  return h(
    'div',
    {},
    h('p', {class: `verdict ${check.valid ? 'good' : 'bad'}`}, words),
    h(
      'ol',
      {class: 'items'},
      findings.map(fault => faultItem(fault, go)),
    ),
    check.reruns?.differs &&
      h('p', {}, `The result depends on the order of threads: it differs with --order ${check.reruns.differs}.`),
    check.messages?.length > 0 && [
      h('h2', {}, 'Log'),
      h(
        'ul',
        {},
        check.messages.map(each => h('li', {}, each.text)),
      ),
    ],
  );
}

const instructionsOf = launch => launch.launches * launch.lines.reduce((sum, line) => sum + line.instructions, 0);
const workOf = size => size.launches.reduce((sum, launch) => sum + instructionsOf(launch), 0);

// The element for which the function is largest, or -1 for none.
export function indexOfMost(values, measure) {
  return values.reduce((best, value, i) => (best < 0 || measure(value) > measure(values[best]) ? i : best), -1);
}

// The place of the size with the most work, whose launches the profile shows. The sizes of a plan have any order.
export const largestSize = profile => indexOfMost(profile.sizes ?? [], workOf);

// For each line, its share of the predicted time at that size, and the sums of its counters.
export function linesOf(profile, size = largestSize(profile)) {
  const lines = new Map();
  let total = 0;
  for (const launch of profile.sizes?.[size]?.launches ?? []) {
    const cycles = launch.lines.reduce((sum, line) => sum + line.cycles, 0);
    const seconds = launch.predicted_seconds * launch.launches;
    if (cycles === 0) continue;
    total += seconds;
    for (const line of launch.lines) {
      const sum = lines.get(line.line) ?? {share: 0, instructions: 0, lanes: 0, device: 0, least: 0};
      sum.share += (seconds * line.cycles) / cycles;
      sum.instructions += line.instructions * launch.launches;
      sum.lanes += line.active_lanes * line.instructions * launch.launches;
      sum.device += line.device_lines * launch.launches;
      sum.least += line.least_device_lines * launch.launches;
      lines.set(line.line, sum);
    }
  }
  for (const sum of lines.values()) sum.share /= total || 1;
  return lines;
}

// The counters of one line.
function countersView(sum) {
  if (!sum) return h('p', {class: 'dim'}, 'No instruction of the kernel comes from this line.');
  return table([
    ['Counter', 'Value'],
    ['Share of the predicted time', `${(sum.share * 100).toFixed(1)} %`],
    ['Instructions of simdgroups', sum.instructions],
    ['Active threads of 32', sum.lanes / (sum.instructions || 1)],
    ['Lines of device memory touched', sum.device],
    ['The least, if accesses were coalesced', sum.least],
  ]);
}

// `line`: of the cursor; none in a saved page.
export function profileView({profile}, {line, go}) {
  const size = profile.sizes?.[largestSize(profile)];
  if (profile.error || !size)
    return h('p', {class: 'verdict unknown'}, profile.error ?? 'The kernel did not run, so that there is no profile.');
  const lines = linesOf(profile);
  const kernels = new Map();
  for (const launch of size.launches) {
    const sum = kernels.get(launch.kernel) ?? {seconds: 0, launches: 0, launch};
    sum.seconds += launch.predicted_seconds * launch.launches;
    sum.launches += launch.launches;
    kernels.set(launch.kernel, sum);
  }
  const hottest = [...lines]
    .filter(([number]) => number > 0)
    .sort(([, a], [, b]) => b.share - a.share)
    .slice(0, 12);
  return h(
    'div',
    {},
    h(
      'p',
      {class: 'verdict'},
      `${shortTime(size.predicted_seconds)} predicted for size ${size.label} on ${profile.chip}.`,
    ),
    line && [h('h2', {}, `Line ${line}`), countersView(lines.get(line))],
    h('h2', {}, 'Kernels'),
    table([
      ['Kernel', 'Launches', 'Predicted', 'Bound by'],
      ...[...kernels].flatMap(([name, {seconds, launches, launch}]) => [
        [name, launches, shortTime(seconds), launch.bound_by],
        ...(launch.advice ? [launch.advice] : []),
      ]),
    ]),
    h('h2', {}, 'Lines that take the most time'),
    table([
      ['Line', 'Share', 'Instructions'],
      ...hottest.map(([number, sum]) => [
        h('button', {class: 'line', type: 'button', onclick: () => go(number)}, `Line ${number}`),
        `${(sum.share * 100).toFixed(1)} %`,
        sum.instructions,
      ]),
    ]),
  );
}

// The times on all chips, of one run that was counted.
export function predictedView({evaluation}) {
  const {sizes = [], error} = evaluation;
  const right = sizes.filter(size => size.chips);
  if (right.length === 0)
    return h('p', {class: 'verdict unknown'}, error ?? 'The kernel did not run, so that no time is predicted.');
  const rows = right[0].chips.flatMap(({chip}, i) =>
    right.map((size, j) => {
      const {predicted_seconds, predicted_interval, bound_by} = size.chips[i];
      return [
        j === 0 ? chip : '',
        size.label,
        shortTime(predicted_seconds),
        predicted_interval.map(shortTime).join(' to '),
        bound_by,
      ];
    }),
  );
  return h(
    'div',
    {},
    h('p', {}, 'The time of one pass that the model predicts, with its 80 % interval. No Apple GPU is measured here.'),
    table([['Chip', 'Size', 'Predicted', 'Interval', 'Bound by'], ...rows]),
  );
}
