// Writes the playground, a folder of static files: node build.mjs PACKAGE FOLDER
// PACKAGE: the npm package that packaging/wasm/build.sh makes. The page is that of msci-eval --page, with fewer tabs.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { exampleOf } from '../../evaluator/page/web/src/example.js';

const [from, to] = process.argv.slice(2);
const root = fileURLToPath(new URL('../..', import.meta.url));
const web = join(root, 'evaluator/page/web');
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

function page() {
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<meta name="playground" content="">\n`;
  return readFileSync(join(web, 'page.html'), 'utf8')
    .replace('<title>msci</title>', `${head}<title>msci playground</title>`)
    .replace('<meta name="style-nonce" content="{nonce}">', '<meta name="style-nonce" content="">')
    .replace('<body>', '<body class="playground">');
}

// The first sentence of a page, as msci-lint --list-rules has it.
function summaryOf(text) {
  const [, paragraph] = text.match(/^# .*\n+([\s\S]*?)(?:\n\n|$)/);
  return paragraph.replaceAll('\n', ' ').replace(/\.( .*)?$/, '');
}

// The rules, with their pages in the folder.
function copyRules() {
  mkdirSync(join(to, 'rules'), { recursive: true });
  const rules = [];
  for (const family of readdirSync(join(root, 'rules'), { withFileTypes: true }).filter((each) => each.isDirectory()))
    for (const file of readdirSync(join(root, 'rules', family.name)).filter((each) => each.endsWith('.md'))) {
      const id = `${family.name}.${file.replace(/\.md$/, '')}`;
      const text = readFileSync(join(root, 'rules', family.name, file), 'utf8');
      writeFileSync(join(to, 'rules', `${id}.md`), text);
      rules.push({ id, summary: summaryOf(text), example: exampleOf(text) });
    }
  return rules.sort((a, b) => (a.id < b.id ? -1 : 1));
}

// The rules whose example shows their finding: others need a host, a task or a proof, which the playground lacks.
async function shownRules(rules) {
  const { Linter } = await import(pathToFileURL(join(to, 'linter.mjs')));
  const files = new Map();
  for (const file of readdirSync(join(to, 'headers'))) files.set(`headers/${file}`, readFileSync(join(to, 'headers', file)));
  const linter = new Linter(new WebAssembly.Module(readFileSync(join(to, 'msci-lint.wasm'))), files);
  const isShown = ({ id, example }) => {
    if (!example) return false;
    const options = ['--std', example.version ?? 'metal3.1', ...(example.target ? ['--target', example.target] : [])];
    const questions = [{ method: 'diagnostic', params: {} }];
    const [{ items }] = linter.answer({ options, name: id, text: example.text, questions });
    return items.some((item) => item.code === id);
  };
  return rules.filter(isShown).map(({ id, summary }) => ({ id, summary }));
}

// The rows of a kind in the table of targets, in lower case.
function rowsOf(kind) {
  const table = readFileSync(join(root, 'lint/target/targets.def'), 'utf8');
  return [...table.matchAll(new RegExp(`^${kind}\\("?([\\w ]+)"?,`, 'gm'))].map((match) => match[1].replace(' ', '').toLowerCase());
}

// 310.ast has the headers of metal3.1.
function versions() {
  const numbers = readdirSync(join(from, 'headers')).map((file) => file.match(/^(\d)(\d)0\.ast$/));
  return numbers.filter(Boolean).map(([, major, minor]) => `metal${major}.${minor}`);
}

mkdirSync(to, { recursive: true });
writeFileSync(join(to, 'index.html'), page());
for (const file of ['page.js', 'style.css']) cpSync(join(web, file), join(to, file));
for (const file of ['msci-lint.wasm', 'headers']) cpSync(join(from, file), join(to, file), { recursive: true });
for (const file of ['language_server.mjs', 'linter.mjs', 'system.mjs', 'worker.mjs'])
  cpSync(fileURLToPath(new URL(file, import.meta.url)), join(to, file));
cpSync(join(root, 'packaging/npm/shared.mjs'), join(to, 'shared.mjs'));
cpSync(join(root, 'LICENSE'), join(to, 'LICENSE'));
const example = readFileSync(join(root, 'docs/example/scale.metal'), 'utf8');
const gallery = {
  version: JSON.parse(readFileSync(join(root, 'packaging/npm/package.json'), 'utf8')).version,
  files: [{ name: 'scale.metal', text: example }],
  tasks: [],
  bugs: [],
  rules: await shownRules(copyRules()),
  versions: versions(),
  targets: [...rowsOf('MSCI_FAMILY'), ...rowsOf('MSCI_CHIP')],
};
writeFileSync(join(to, 'gallery.json'), JSON.stringify(gallery));
