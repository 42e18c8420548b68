// The grammar, run by the libraries that VS Code runs it with.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import * as path from "node:path";
import { before, test } from "node:test";
import * as oniguruma from "vscode-oniguruma";
import { INITIAL, Registry, parseRawGrammar, type IGrammar } from "vscode-textmate";

const root = path.resolve(__dirname, "../..");
const grammarFile = path.join(root, "syntaxes/metal.tmLanguage.json");
let grammar: IGrammar;

before(async () => {
  await oniguruma.loadWASM(readFileSync(path.join(root, "node_modules/vscode-oniguruma/release/onig.wasm")));
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => parseRawGrammar(readFileSync(grammarFile, "utf8"), grammarFile),
  });
  const loaded = await registry.loadGrammar("source.metal");
  assert(loaded);
  grammar = loaded;
});

interface Token {
  text: string;
  scopes: string[];
}

function tokens(source: string): Token[][] {
  let state = INITIAL;
  return source.split("\n").map((line) => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    return result.tokens.map((each) => ({ text: line.slice(each.startIndex, each.endIndex), scopes: each.scopes }));
  });
}

// The word of a line of fixtures/tokens.metal (from 1), and the scope that it must have.
const expected: [number, string, string][] = [
  [1, "#include", "keyword.control.directive.include.metal"],
  [1, "<metal_stdlib>", "string.quoted.other.lt-gt.include.metal"],
  [2, "using", "storage.type.metal"],
  [3, "TILE", "entity.name.function.preprocessor.metal"],
  [3, "16u", "constant.numeric.decimal.metal"],
  [3, " threads", "comment.line.double-slash.metal"],
  [5, "   comment ", "comment.block.metal"],
  [6, "Params", "entity.name.type.metal"],
  [6, "uint", "storage.type.metal"],
  [6, "packed_float3", "support.type.vector.metal"],
  [7, "kernel", "storage.modifier.entry-point.metal"],
  [7, "scale", "entity.name.function.entry-point.metal"],
  [7, "device", "storage.modifier.address-space.metal"],
  [7, "float4", "support.type.vector.metal"],
  [7, "__restrict", "storage.modifier.metal"],
  [7, "buffer", "entity.other.attribute-name.metal"],
  [7, "0", "constant.numeric.decimal.metal"],
  [8, "constant", "storage.modifier.address-space.metal"],
  [8, "function_constant", "entity.other.attribute-name.metal"],
  [8, "on", "variable.parameter.attribute.metal"],
  [9, "thread_position_in_grid", "entity.other.attribute-name.metal"],
  [10, "threadgroup", "storage.modifier.address-space.metal"],
  [10, "half", "storage.type.metal"],
  [11, "if", "keyword.control.metal"],
  [11, "return", "keyword.control.metal"],
  [12, "msci:", "keyword.other.suppression.metal"],
  [12, "hazard.barrier_divergence", "entity.name.tag.rule.metal"],
  [13, "threadgroup_barrier", "support.function.metal"],
  [13, "mem_threadgroup", "support.constant.metal"],
  [14, "fma", "support.function.metal"],
  [14, "1.5e-3f", "constant.numeric.decimal.metal"],
  [14, "x", "variable.other.member.swizzle.metal"],
  [14, "0x1.8p3f", "constant.numeric.hex.metal"],
  [14, "1.0h", "constant.numeric.decimal.metal"],
  [14, ".5f", "constant.numeric.decimal.metal"],
  [14, "simd_sum", "support.function.metal"],
  [14, "1'000u", "constant.numeric.decimal.metal"],
  [15, "helper", "entity.name.function.metal"],
  [15, "\\n", "constant.character.escape.metal"],
  [15, "%d", "constant.other.placeholder.metal"],
  [15, "c", "string.quoted.single.metal"],
  [16, "throw", "invalid.illegal.metal"],
];

test("each word of the fixture has its scope", () => {
  const lines = tokens(readFileSync(path.join(root, "test/fixtures/tokens.metal"), "utf8"));
  for (const [line, word, scope] of expected) {
    const found = (lines[line - 1] ?? []).filter((each) => each.text === word);
    assert(found.some((each) => each.scopes.includes(scope)),
      `line ${line}: '${word}' has ${JSON.stringify(found.map((each) => each.scopes))}, not ${scope}`);
  }
});

test("nothing stays open after a line, other than block comments and macros", () => {
  const [first, second] = tokens('float a = "open;\nkernel void f() {}');
  assert(first?.some((each) => each.scopes.includes("string.quoted.double.metal")));
  assert(second?.some((each) => each.text === "kernel" && each.scopes.includes("storage.modifier.entry-point.metal")));
});

test("words that only begin like a keyword are names", () => {
  const [line] = tokens("int devices = threadgroups + kernel_size + float44;");
  for (const word of ["device", "threadgroup", "kernel", "float4"]) {
    assert(!line?.some((each) => each.text === word), `'${word}' is a token of its own`);
  }
});

test("the kernels of the corpus close all their scopes", () => {
  const folder = path.resolve(root, "../../corpus/good");
  const files = readdirSync(folder).filter((each) => each.endsWith(".metal"));
  assert(files.length > 10);
  for (const file of files) {
    const lines = tokens(readFileSync(path.join(folder, file), "utf8") + "\nkernel");
    const last = lines.at(-1)?.[0];
    assert.deepEqual(last?.scopes, ["source.metal", "storage.modifier.entry-point.metal"], `${file} leaves a scope open`);
  }
});
