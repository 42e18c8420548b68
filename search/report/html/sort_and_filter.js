// Sorts and filters tables, and names their cells for phones; the page is complete without it.
for (const table of document.querySelectorAll('table:not(.source)')) {
  const body = table.tBodies[0], rows = [...body.rows];
  // On a phone, a row is a list of names and values (style.css).
  const names = [...table.tHead.rows[0].cells].map(head => head.textContent);
  for (const row of rows) [...row.cells].forEach((cell, column) => { cell.dataset.name = names[column]; });
  table.classList.add('listed');
  if (rows.length < 2) continue;
  const number = text => parseFloat(text.replace('–', ''));
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement('button');
    button.append(...head.childNodes);
    head.append(button);
    button.onclick = () => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      for (const other of head.parentNode.cells) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const key = row => row.cells[column].textContent;
      const order = (a, b) => {
        const [x, y] = [number(key(a)), number(key(b))];
        if (isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1;  // what has no figure comes last
        return (down ? -1 : 1) * (isNaN(x) ? key(a).localeCompare(key(b)) : x - y);
      };
      body.append(...[...body.rows].sort(order));
    };
  });
  if (rows.length < 8) continue;
  const search = document.createElement('input');
  search.type = 'search';
  search.placeholder = 'Filter rows';
  search.setAttribute('aria-label', 'Filter rows');
  search.oninput = () => {
    const words = search.value.toLowerCase().split(/\s+/);
    for (const row of rows) {
      const whole = [...row.querySelectorAll('[title]')].map(each => each.title).join(' ');
      const text = `${row.textContent} ${whole}`.toLowerCase();
      row.hidden = !words.every(word => text.includes(word));
    }
  };
  table.parentNode.before(search);
}
// On paper, what is folded on the screen is open.
addEventListener('beforeprint', () => {
  for (const folded of document.querySelectorAll('details')) folded.open = true;
});
