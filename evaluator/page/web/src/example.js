// The first flagged example on the page of a rule: {text, version, target}, of which the last two may be undefined. Null
// where there is no source.
export function exampleOf(page) {
  const section = page.split(/^## Flagged$/m)[1] ?? '';
  const [, words, code] = section.match(/```metal([^\n]*)\n([\s\S]*?)```/) ?? [];
  if (code === undefined) return null;
  const plain = code.replace(/[ \t]*\/\/ expect[^\n]*\n/g, '\n');
  return {
    text: plain.includes('#include') ? plain : `#include <metal_stdlib>\nusing namespace metal;\n\n${plain}`,
    version: words.match(/\bmetal\d\.\d/)?.[0],
    target: words.match(/\btarget=(\w+)/)?.[1],
  };
}
