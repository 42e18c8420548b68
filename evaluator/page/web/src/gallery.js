// What the page can open: the user's files, the seeds of the tasks, bugs, and the examples of the rules.
import {h} from './dom.js';
import {exampleOf} from './example.js';
import {isPlayground, rulePage} from './backend.js';

export function fillGallery(dialog, gallery, open) {
  const choose = (name, text, task) => {
    dialog.close();
    open(name, text, task);
  };
  const chooseRule = async id => {
    const example = exampleOf(await rulePage(id));
    dialog.close();
    open(`${id}.metal`, example?.text ?? '', undefined, example ?? {});
  };
  const entry = (title, words, onclick) =>
    h(
      'li',
      {'data-words': `${title} ${words}`.toLowerCase()},
      h('button', {type: 'button', class: 'entry', onclick}, h('b', {}, title), h('span', {}, words)),
    );
  const filter = h('input', {
    type: 'search',
    placeholder: 'Search',
    'aria-label': 'Search the gallery',
    oninput: () => {
      const wanted = filter.value.toLowerCase();
      for (const item of dialog.querySelectorAll('li')) item.hidden = !item.dataset.words.includes(wanted);
    },
  });
  const section = (title, entries) => entries.length > 0 && [h('h2', {}, title), h('ul', {class: 'entries'}, entries)];
  dialog.replaceChildren(
    h('p', {class: 'bar'}, filter, h('button', {type: 'button', onclick: () => dialog.close()}, 'Close')),
    ...[
      section(
        isPlayground ? 'A first kernel' : 'Your files',
        gallery.files.map(file => entry(file.name.split('/').at(-1), file.name, () => choose(file.name, file.text))),
      ),
      section(
        'Seeds of the tasks',
        gallery.tasks
          .filter(task => task.seed)
          .map(task => entry(task.name, task.title, () => choose(`${task.name}.metal`, task.seed, task.id))),
      ),
      section(
        'Bugs to find: run them, and see what the checked run and the picture of the result say',
        gallery.bugs.map(bug =>
          entry(bug.title, `${bug.class}, in a kernel of ${bug.task}`, () =>
            choose(`${bug.name}.metal`, bug.text, bug.task),
          ),
        ),
      ),
      section(
        'Examples of the rules',
        gallery.rules.map(rule =>
          entry(rule.id, rule.summary, () => chooseRule(rule.id)),
        ),
      ),
    ]
      .flat(2)
      .filter(Boolean),
  );
}

// The id of the task that has a kernel of the source.
export function taskOf(text, gallery) {
  const names = new Set([...text.matchAll(/\bkernel\s+void\s+(\w+)/g)].map(match => match[1]));
  return gallery.tasks.find(task => task.kernels.some(kernel => names.has(kernel.name)))?.id ?? '';
}
