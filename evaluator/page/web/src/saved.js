// One HTML file of what the page shows: no script, no server, nothing that it loads.
import {h} from './dom.js';

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

function sourceTable(text, findings, shares) {
  const rows = text.split('\n').map((line, i) => {
    const number = i + 1;
    const share = shares.get(number);
    return [
      h(
        'tr',
        {id: `L${number}`},
        h('td', {class: 'number'}, String(number)),
        h('td', {class: 'share'}, share >= 0.005 ? `${Math.round(share * 100)} %` : ''),
        h('td', {class: 'text'}, line),
      ),
      findings
        .filter(finding => finding.line === number)
        .map(finding =>
          h(
            'tr',
            {class: finding.severity},
            h('td', {}),
            h('td', {}),
            h('td', {class: 'finding'}, `${finding.severity}: ${finding.message}`),
          ),
        ),
    ];
  });
  return h('table', {class: 'listing'}, rows.flat(2));
}

// Buttons that went to a line become links; others have no use without the page.
function withoutButtons(element) {
  const copy = element.cloneNode(true);
  for (const button of copy.querySelectorAll('button')) {
    const line = button.textContent.match(/^Line (\d+)$/);
    button.replaceWith(
      line
        ? h('a', {href: `#L${line[1]}`}, button.textContent)
        : button.classList.contains('fix')
          ? ''
          : button.textContent,
    );
  }
  return copy;
}

// `sections`: [title, element].
export function savedPage({name, task, version, text, findings, shares, sections, style}) {
  const body = h(
    'body',
    {class: 'saved'},
    h('h1', {}, name.split('/').at(-1)),
    h(
      'p',
      {},
      `Saved ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC by msci ${version}${task ? `, task ${task}` : ''}.`,
    ),
    h('h2', {}, 'Source'),
    h('div', {class: 'scroll'}, sourceTable(text, findings, shares)),
    sections.map(([title, element]) =>
      h('details', {open: title !== 'Code'}, h('summary', {}, title), withoutButtons(element)),
    ),
  );
  const head = h(
    'head',
    {},
    h('meta', {charset: 'utf-8'}),
    h('meta', {name: 'viewport', content: 'width=device-width, initial-scale=1'}),
    h('meta', {'http-equiv': 'Content-Security-Policy', content: POLICY}),
    h('link', {rel: 'icon', href: 'data:,'}),
    h('title', {}, name.split('/').at(-1)),
    h('style', {}, style),
  );
  return `<!doctype html>\n${h('html', {lang: 'en'}, head, body).outerHTML}\n`;
}

export function download(name, text, type) {
  const link = h('a', {href: URL.createObjectURL(new Blob([text], {type})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
