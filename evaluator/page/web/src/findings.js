// The tab of findings: what msci-lint says while a person types, with fixes and the pages of the rules.
import {offsetOf} from './editor.js';
import {fromMarkdown, h} from './dom.js';
import {rulePage} from './backend.js';

const SEVERITIES = {1: 'error', 2: 'warning', 3: 'info', 4: 'hint'};

// The findings on a text, each with the actions that the language server offers.
export async function findFindings(ask, doc) {
  const {items} = await ask('diagnostic');
  if (items.length === 0) return [];
  const end = {line: doc.lines - 1, character: doc.line(doc.lines).length};
  const actions = await ask('codeAction', {
    range: {start: {line: 0, character: 0}, end},
    context: {diagnostics: items},
  });
  return items.map(item => ({
    line: item.range.start.line + 1,
    range: item.range,
    message: item.message,
    rule: String(item.code ?? ''),
    severity: SEVERITIES[item.severity ?? 1],
    notes: item.relatedInformation ?? [],
    fixes: actions
      .filter(action => action.edit && isAbout(action, item))
      .map(action => ({title: action.title, edits: Object.values(action.edit.changes).flat()})),
  }));
}

function isAbout(action, item) {
  return (action.diagnostics ?? []).some(
    each => each.message === item.message && JSON.stringify(each.range) === JSON.stringify(item.range),
  );
}

// For the editor, which underlines them.
export function asDiagnostics(findings, doc, apply) {
  return findings.map(finding => {
    const from = offsetOf(doc, finding.range.start);
    return {
      from,
      to: Math.max(from, offsetOf(doc, finding.range.end)),
      severity: finding.severity,
      message: finding.message,
      source: finding.rule,
      actions: finding.fixes.map(fix => ({name: fix.title, apply: () => apply(fix.edits)})),
    };
  });
}

// `unfinished`: why there are no findings, or ''.
export function findingsView({findings, unfinished, go, apply}) {
  if (unfinished) return h('p', {class: 'verdict unknown'}, unfinished);
  if (!findings) return h('p', {class: 'dim'}, 'The source is being checked.');
  if (findings.length === 0) return h('p', {class: 'good'}, 'No findings: the source is valid Metal.');
  return h(
    'ol',
    {class: 'items'},
    findings.map(finding =>
      h(
        'li',
        {class: finding.severity, 'data-line': finding.line},
        h(
          'p',
          {},
          h('button', {class: 'line', type: 'button', onclick: () => go(finding.line)}, `Line ${finding.line}`),
          ' ',
          h('b', {}, finding.severity),
          ' ',
          finding.message,
        ),
        finding.notes.map(note =>
          h(
            'p',
            {class: 'note'},
            h(
              'button',
              {class: 'line', type: 'button', onclick: () => go(note.location.range.start.line + 1)},
              `Line ${note.location.range.start.line + 1}`,
            ),
            ' ',
            note.message,
          ),
        ),
        h(
          'p',
          {class: 'actions'},
          finding.fixes.map(fix =>
            h('button', {type: 'button', class: 'fix', onclick: () => apply(fix.edits)}, fix.title),
          ),
          finding.rule && explanation(finding.rule),
        ),
      ),
    ),
  );
}

// The page of a rule, read when it is opened.
export function explanation(rule) {
  const box = h('details', {}, h('summary', {}, rule));
  box.addEventListener('toggle', async () => {
    if (box.open && box.children.length === 1) box.append(fromMarkdown(await rulePage(rule)));
  });
  return box;
}
