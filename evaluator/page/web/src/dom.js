// Elements of the page, made without HTML text: nothing of a kernel becomes markup.
import markdownIt from 'markdown-it';

const markdown = markdownIt({html: false, linkify: false});
markdown.validateLink = url => /^https?:/.test(url);

// h('a', {href: '#x', class: 'y', onclick: f}, 'text', child, …)
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

export function fromMarkdown(text) {
  const box = h('div', {class: 'prose'});
  box.innerHTML = markdown.render(text); // markdown-it escapes all HTML of the text
  return box;
}

// A table from rows of cells; the first row is its head. Numbers stand to the right. A row that is a text continues the
// row above it.
export function table(rows, classes = '') {
  const cell = (tag, content) =>
    h(
      tag,
      {class: typeof content === 'number' ? 'number' : null},
      typeof content === 'number' ? shortNumber(content) : content,
    );
  const [head, ...body] = rows;
  return h(
    'div',
    {class: 'scroll'},
    h(
      'table',
      {class: classes},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          head.map(content => cell('th', content)),
        ),
      ),
      h(
        'tbody',
        {},
        body.map(row =>
          Array.isArray(row)
            ? h(
                'tr',
                {},
                row.map(content => cell('td', content)),
              )
            : h('tr', {class: 'more'}, h('td', {colspan: head.length}, row)),
        ),
      ),
    ),
  );
}

export function shortNumber(value) {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e7) return value.toLocaleString('en');
  return size >= 1e6 || size < 1e-3 ? value.toExponential(2) : Number(value.toPrecision(4)).toLocaleString('en');
}

export function shortTime(seconds) {
  for (const [unit, scale] of [
    ['s', 1],
    ['ms', 1e-3],
    ['µs', 1e-6],
  ])
    if (seconds >= scale) return `${Number((seconds / scale).toPrecision(3))} ${unit}`;
  return `${Number((seconds / 1e-9).toPrecision(3))} ns`;
}

// A long name keeps its beginning and its end.
export function cutInMiddle(name, most = 40) {
  if (name.length <= most) return name;
  const half = Math.floor((most - 1) / 2);
  return `${name.slice(0, half)}…${name.slice(-half)}`;
}
