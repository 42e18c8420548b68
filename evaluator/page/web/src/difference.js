// Where the results of a kernel are wrong: the first elements, and a picture of a result of two dimensions.
import {h, shortNumber} from './dom.js';

// From what is allowed (1) to a thousand times as much, and beyond.
function colourOf(error) {
  if (error === 0) return [128, 136, 150, 40];
  if (error <= 1) return [47, 111, 181, 110];
  const strength = Math.min(1, Math.log10(error) / 3);
  return [230 - 70 * strength, 150 - 130 * strength, 40 - 20 * strength, 255];
}

function picture({columns, rows, cells}) {
  const canvas = document.createElement('canvas');
  canvas.width = columns;
  canvas.height = rows;
  const image = new ImageData(columns, rows);
  cells.forEach((error, i) => image.data.set(colourOf(error), 4 * i));
  canvas.getContext('2d').putImageData(image, 0, 0);
  return canvas.toDataURL('image/png');
}

function swatch(error, words) {
  const [red, green, blue, alpha] = colourOf(error);
  const box = h('span', {class: 'swatch'});
  box.style.backgroundColor = `rgb(${red} ${green} ${blue} / ${alpha / 255})`;
  return h('span', {class: 'key'}, box, ` ${words}`);
}

function picturePart(difference) {
  const {columns, rows, cells, threads_per_cell: threads, result} = difference;
  if (columns === 0) return [];
  const wrong = cells.filter(error => !(error <= 1)).length;
  const words =
    threads > 1 ? `One cell for ${threads} times ${threads} threads of the grid` : 'One cell for each thread of the grid';
  return [
    h('img', {
      class: 'picture',
      src: picture(difference),
      width: String(columns),
      height: String(rows),
      alt: `${wrong} of ${cells.length} cells of ${result} are wrong.`,
    }),
    h('p', {class: 'keys'}, swatch(0, 'right'), swatch(0.5, 'allowed'), swatch(2, 'wrong'), swatch(1e9, 'far off')),
    h('p', {class: 'dim'}, `${words}, x to the right and y downwards; the largest error in each.`),
  ];
}

// `difference`: the answer to that verdict; null while it is awaited.
export function differenceView(difference) {
  const title = h('h2', {}, 'Where it is wrong');
  if (!difference) return [title, h('p', {class: 'dim'}, 'The results are being compared.')];
  if (difference.missing) return [title, h('p', {class: 'dim'}, difference.missing)];
  const {size, result, wrong, compared, first} = difference;
  if (!result)
    return [title, h('p', {}, `All results are right at size ${size}, with the inputs of the strict verdict.`)];
  return [
    title,
    h(
      'p',
      {},
      `${result}: ${shortNumber(wrong)} of ${shortNumber(compared)} elements are wrong at size ${size}, with inputs of the strict verdict.`,
    ),
    ...picturePart(difference),
    h(
      'ul',
      {class: 'elements'},
      first.map(each => h('li', {}, h('code', {}, each))),
    ),
    wrong > first.length && h('p', {class: 'dim'}, `The first ${first.length} wrong elements.`),
  ].filter(Boolean);
}
