// The editor: CodeMirror with the answers of the language server, and gutters for findings and the profile.
import {autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap} from '@codemirror/autocomplete';
import {defaultKeymap, history, historyKeymap, indentWithTab} from '@codemirror/commands';
import {cpp} from '@codemirror/lang-cpp';
import {bracketMatching, indentOnInput, syntaxHighlighting, syntaxTree} from '@codemirror/language';
import {lintGutter, lintKeymap, setDiagnostics} from '@codemirror/lint';
import {search, searchKeymap} from '@codemirror/search';
import {EditorState, Prec, RangeSet, StateEffect, StateField} from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  gutter,
  GutterMarker,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
} from '@codemirror/view';
import {classHighlighter} from '@lezer/highlight';

import {fromMarkdown, h} from './dom.js';

export const nonce = document.querySelector('meta[name=style-nonce]').content;

// Places of the Language Server Protocol count lines from 0 and columns in UTF-16, as JavaScript's strings do.
export function offsetOf(doc, {line, character}) {
  const at = doc.line(Math.min(line + 1, doc.lines));
  return Math.min(at.from + character, at.to);
}
export function placeOf(doc, offset) {
  const line = doc.lineAt(offset);
  return {line: line.number - 1, character: offset - line.from};
}

// The share of the time beside each line.
const setHeat = StateEffect.define();
class HeatMarker extends GutterMarker {
  constructor(share) {
    super();
    this.share = share;
  }
  eq(other) {
    return other.share === this.share;
  }
  toDOM() {
    const bar = h('span', {class: 'heat', title: `${(this.share * 100).toFixed(1)} % of the predicted time`});
    bar.style.setProperty('--share', this.share);
    bar.append(this.share >= 0.005 ? `${Math.round(this.share * 100)} %` : '');
    return bar;
  }
}
const heat = StateField.define({
  create: () => RangeSet.empty,
  update(markers, transaction) {
    let changed = markers.map(transaction.changes);
    for (const effect of transaction.effects)
      if (effect.is(setHeat))
        changed = RangeSet.of(
          [...effect.value]
            .filter(([line]) => line >= 1 && line <= transaction.newDoc.lines)
            .sort(([a], [b]) => a - b)
            .map(([line, share]) => new HeatMarker(share).range(transaction.newDoc.line(line).from)),
        );
    return changed;
  },
});

// The lines that code comes from, with the number of the colour that marks the same lines of code.
const setOrigins = StateEffect.define();
const origins = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    let changed = marks.map(transaction.changes);
    for (const effect of transaction.effects)
      if (effect.is(setOrigins))
        changed = Decoration.set(
          [...effect.value]
            .filter(([line]) => line <= transaction.newDoc.lines)
            .map(([line, colour]) =>
              Decoration.line({class: `from-${colour}`}).range(transaction.newDoc.line(line).from),
            ),
        );
    return changed;
  },
  provide: field => EditorView.decorations.from(field),
});

// Words of Metal that the grammar of C++ takes for names.
const metalWord = Decoration.mark({class: 'metal-word'});
const words = new MatchDecorator({
  regexp: /\b(kernel|vertex|fragment|device|constant|threadgroup|thread)\b(?!\w|\s*\()/g,
  decorate: (add, from, to, match, view) => {
    const place = syntaxTree(view.state).resolveInner(from, 1).name;
    if (!/Comment|String/.test(place)) add(from, to, metalWord);
  },
});
export const metalWords = Prec.highest(
  ViewPlugin.define(
    view => ({
      marks: words.createDeco(view),
      update(update) {
        this.marks = words.updateDeco(update, this.marks);
      },
    }),
    {decorations: plugin => plugin.marks},
  ),
);

const KINDS = {
  2: 'method',
  3: 'function',
  5: 'property',
  6: 'variable',
  7: 'class',
  14: 'keyword',
  15: 'text',
  21: 'constant',
};

function completions(ask) {
  return async context => {
    const word = context.matchBefore(/\w*/);
    const before = context.state.sliceDoc(Math.max(0, context.pos - 2), context.pos);
    if (!context.explicit && word.from === word.to && !/(\.|->|::|\[\[)$/.test(before)) return null;
    const answer = await ask('completion', {position: placeOf(context.state.doc, context.pos)});
    const items = Array.isArray(answer) ? answer : (answer?.items ?? []);
    if (items.length === 0) return null;
    return {
      from: word.from,
      validFor: /^\w*$/,
      options: items.map(item => ({
        label: item.label,
        detail: item.detail,
        type: KINDS[item.kind] ?? 'text',
        apply: item.textEdit?.newText ?? item.insertText ?? item.label,
        info: item.documentation ? () => fromMarkdown(item.documentation.value ?? item.documentation) : undefined,
      })),
    };
  };
}

function hover(ask) {
  return hoverTooltip(async (view, offset) => {
    const answer = await ask('hover', {position: placeOf(view.state.doc, offset)}).catch(() => null);
    if (!answer) return null;
    const begin = answer.range ? offsetOf(view.state.doc, answer.range.start) : offset;
    return {
      pos: begin,
      above: true,
      create: () => ({dom: h('div', {class: 'hover'}, fromMarkdown(answer.contents.value ?? String(answer.contents)))}),
    };
  });
}

export class Editor {
  // `ask(method, params)` reaches the language server; `changed()` and `moved(line)` hear of edits and of the cursor.
  constructor(parent, {ask, changed, moved, run}) {
    const extensions = [
      EditorView.cspNonce.of(nonce),
      lineNumbers(),
      highlightActiveLineGutter(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      search(),
      lintGutter(),
      cpp(),
      metalWords,
      syntaxHighlighting(classHighlighter),
      autocompletion({override: [completions(ask)]}),
      hover(ask),
      heat,
      origins,
      gutter({class: 'heat-gutter', markers: view => view.state.field(heat)}),
      EditorView.contentAttributes.of({'aria-label': 'Source of the kernel'}),
      keymap.of([
        {key: 'Mod-Enter', run: () => (run(), true)},
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...completionKeymap,
        ...lintKeymap,
        indentWithTab,
      ]),
      EditorView.updateListener.of(update => {
        if (update.docChanged) changed();
        if (update.docChanged || update.selectionSet) moved(this.line);
      }),
    ];
    this.view = new EditorView({parent, state: EditorState.create({extensions})});
    this.extensions = extensions;
  }

  get text() {
    return this.view.state.doc.toString();
  }
  get line() {
    return this.view.state.doc.lineAt(this.view.state.selection.main.head).number;
  }
  get lines() {
    return this.view.state.doc.lines;
  }

  open(text) {
    this.view.setState(EditorState.create({doc: text, extensions: this.extensions}));
  }

  go(line) {
    const at = this.view.state.doc.line(Math.min(Math.max(line, 1), this.lines));
    this.view.dispatch({selection: {anchor: at.from}, effects: EditorView.scrollIntoView(at.from, {y: 'center'})});
    this.view.focus();
  }

  // `findings`: [{from, to, severity, message, source, actions}].
  show(findings) {
    this.view.dispatch(setDiagnostics(this.view.state, findings));
  }
  // Shares of the time by line.
  showHeat(shares) {
    this.view.dispatch({effects: setHeat.of(shares)});
  }

  // Colours of lines, ascending.
  showOrigins(colours) {
    if (colours.size > 0 || this.view.state.field(origins).size > 0)
      this.view.dispatch({effects: setOrigins.of(colours)});
  }

  // Applies the edits of a fix: [{range, newText}].
  apply(edits) {
    const {doc} = this.view.state;
    this.view.dispatch({
      changes: edits.map(edit => ({
        from: offsetOf(doc, edit.range.start),
        to: offsetOf(doc, edit.range.end),
        insert: edit.newText,
      })),
    });
  }
}
