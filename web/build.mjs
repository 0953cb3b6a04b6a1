// Bundles src/ into one HTML file and writes it twice: page.html to look at, and page_template.cpp
// to link. The same sources give the same bytes.
//
//   node build.mjs OUT_DIR
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));

async function bundle(entry) {
  const result = await build({
    absWorkingDir: here,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: ['chrome100', 'firefox100', 'safari15.4'],
    legalComments: 'none', // licences() keeps them whole
    metafile: true,
    logLevel: 'warning',
  });
  return { text: result.outputFiles[0].text.trim(), inputs: Object.keys(result.metafile.inputs) };
}

/** The licence texts of every package whose code is in the bundle. */
function licences(inputs) {
  const names = inputs
    .map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
    .filter((name) => name !== undefined);
  return [...new Set(names)].sort().map((name) => {
    const text = readFileSync(join(here, 'node_modules', name, 'LICENSE'), 'utf8').trim();
    return `${name}\n${text}`;
  });
}

/** A "<" in these would end the element it stands in. */
function inScript(text) {
  return text.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');
}

function fill(template, name, text) {
  const parts = template.split(`<!--${name}-->`);
  if (parts.length !== 2) throw new Error(`template.html: expected <!--${name}--> once`);
  return parts.join(text);
}

/** Pieces of a string literal, short enough for any compiler. */
function literal(text) {
  const bytes = Buffer.from(text, 'utf8');
  const lines = [];
  let line = '';
  for (const byte of bytes) {
    const letter = String.fromCharCode(byte);
    if (letter === '"' || letter === '\\') line += `\\${letter}`;
    else if (byte >= 32 && byte < 127 && letter !== '?') line += letter;
    else line += `\\${byte.toString(8).padStart(3, '0')}`; // three digits: nothing can follow
    if (line.length >= 110 || letter === '\n') {
      lines.push(`    "${line}"`);
      line = '';
    }
  }
  lines.push(`    "${line}"`);
  return { text: lines.join('\n'), size: bytes.length };
}

function source(page) {
  const { text, size } = literal(page);
  return `// Made by web/build.mjs.
#include "roundtrip/report/page_template.h"

namespace roundtrip {
namespace {

constexpr char kPage[] =
${text};

}  // namespace

std::string_view page_template() { return {kPage, ${size}}; }

}  // namespace roundtrip
`;
}

const out = process.argv[2];
if (out === undefined) {
  console.error('usage: node build.mjs OUT_DIR');
  process.exit(2);
}
const script = await bundle('src/main.ts');
const style = await bundle('src/style.css');
let page = readFileSync(join(here, 'template.html'), 'utf8');
page = fill(page, 'style', style.text);
page = fill(page, 'script', inScript(script.text));
page = fill(page, 'licences', licences(script.inputs).join('\n\n').replace(/--+>?/g, '-'));
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'page.html'), page);
writeFileSync(join(out, 'page_template.cpp'), source(page));
