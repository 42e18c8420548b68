// Writes page.js: src/ with its npm packages, behind a comment with their licences.
import {build} from 'esbuild';
import {readdirSync, readFileSync} from 'node:fs';

const locked = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;

// The licence of each package inside the bundle; equal texts once.
function notices() {
  const byText = new Map();
  for (const [folder, entry] of Object.entries(locked).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!folder || entry.dev) continue;
    const file = readdirSync(folder).find(name => /^licen[cs]e/i.test(name));
    if (!file) throw new Error(`${folder} has no licence`);
    const text = readFileSync(`${folder}/${file}`, 'utf8').trim().replaceAll('*/', '* /');
    byText.set(text, [...(byText.get(text) ?? []), `${folder.replace('node_modules/', '')} ${entry.version}`]);
  }
  return [...byText].map(([text, names]) => `${names.join(', ')}\n\n${text}`).join('\n\n');
}

await build({
  entryPoints: ['src/main.js'],
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  outfile: 'page.js',
  banner: {js: `/* Made by bundle.mjs. It contains these packages:\n\n${notices()}\n*/`},
});
