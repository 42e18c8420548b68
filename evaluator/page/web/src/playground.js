// The controls of the playground: what the source is checked for, and its address.
import {h} from './dom.js';
import {choice} from './module.js';
import {fragmentOf, stateOf} from './share.js';

const part = id => document.getElementById(id);

function fill(key, values, titleOf, changed) {
  const select = part(key);
  select.append(...values.map(value => h('option', {value}, titleOf(value))));
  select.value = choice[key];
  select.onchange = () => {
    choice[key] = select.value;
    changed();
  };
}

function choose(key, value) {
  if ([...part(key).options].some(option => option.value === value)) choice[key] = part(key).value = value;
}

// The version and the target that an example needs; by default, those of msci-lint.
export function chooseNeeds({version = 'metal3.1', target = ''}) {
  choose('version', version);
  choose('target', target);
}

// `source()`: {name, text}. `open(name, text)` shows one, `changed()` hears of another choice, `say(words)` tells a person.
export function setUpPlayground(gallery, {source, open, changed, say}) {
  fill('version', gallery.versions, value => value.replace('metal', 'Metal '), changed);
  fill('target', ['', ...gallery.targets], value => value || 'any', changed);
  part('share').onclick = async () => {
    const fragment = await fragmentOf({...source(), ...choice});
    history.replaceState(null, '', fragment);
    await navigator.clipboard?.writeText(location.href).catch(() => {});
    say('The address of this page now holds the source.');
  };
  const openShared = async () => {
    const shared = location.hash.length > 1 && (await stateOf(location.hash));
    if (!shared) return false;
    choose('version', shared.version);
    choose('target', shared.target);
    open(shared.name, shared.text);
    return true;
  };
  addEventListener('hashchange', openShared);
  return openShared();
}
