// The modules of web/src that need no browser:  node modules_test.mjs EXAMPLE_DIR
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { load } from './browser.mjs';

const folder = process.argv[2];
const source = fileURLToPath(new URL('../../web/src/', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'roundtrip_modules_'));
after(() => rmSync(scratch, { recursive: true }));

async function importModule(name) {
  const outfile = join(scratch, `${name}.mjs`);
  await load('esbuild').build({
    entryPoints: [`${source}${name}.ts`],
    bundle: true,
    format: 'esm',
    outfile,
  });
  return import(pathToFileURL(outfile).href);
}

test('colour maps are those of the library', async () => {
  const { colourTable, colourAt, kMissingColour } = await importModule('colour_map');
  const expected = JSON.parse(readFileSync(join(folder, 'colours.json'), 'utf8'));
  assert.deepEqual(colourTable('sequential'), expected.sequential);
  assert.deepEqual(colourTable('diverging'), expected.diverging);
  assert.deepEqual(colourAt('diverging', NaN), kMissingColour);
  assert.deepEqual(colourAt('sequential', 7), colourAt('sequential', 1));
});

test('statistics', async () => {
  const { ranks, spearman, median, rootMeanSquare } = await importModule('statistics');
  assert.deepEqual(ranks([3, 1, 3, 2]), [3.5, 1, 3.5, 2]);
  assert.equal(spearman([1, 2, 3], [10, 20, 15]), 0.5);
  assert.equal(spearman([1, 1, 1], [1, 2, 3]), undefined);
  assert.equal(spearman([1], [1]), undefined);
  assert.equal(median([4, 1, 3]), 3);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.ok(Number.isNaN(median([])));
  assert.equal(rootMeanSquare([3, NaN, -3]), 3);
});

test('numbers as people read them', async () => {
  const { formatNumber, formatTick } = await importModule('format');
  assert.equal(formatNumber(0.012345), '0.0123');
  assert.equal(formatNumber(-1.5), '−1.50');
  assert.equal(formatNumber(1234.5), '1235');
  assert.equal(formatNumber(9.999), '10.00');
  assert.equal(formatNumber(2.5e-7), '2.50 × 10⁻⁷');
  assert.equal(formatNumber(0), '0');
  assert.equal(formatTick(1e-5), '10⁻⁵');
  assert.equal(formatTick(0.001), '0.001');
  assert.equal(formatTick(0.30000000000000004), '0.3');
});

test('axes hold their values', async () => {
  const { logDomain } = await importModule('plot');
  const [low, high] = logDomain([0, 0.01, 100, NaN, Infinity]);
  assert.ok(low < 0.01 && low > 0.001 && high > 100 && high < 1000);
  assert.deepEqual(logDomain([]), [0.1, 10]);
});

test('values between points, counts above a value', async () => {
  const { valueAt } = await importModule('lines');
  const curve = { label: 'a', x: [0, 0.5, 1], y: [1, 2, 4] };
  assert.equal(valueAt(curve, 0.25), 1.5);
  assert.equal(valueAt(curve, 1), 4);
  assert.equal(valueAt({ label: 'b', x: [0.5, 1], y: [3, 4] }, 0.1), 3);
  const { countAbove } = await importModule('histogram');
  const histogram = { label: 'h', edges: [0, 1, 3], counts: [10, 20], marks: [] };
  assert.equal(countAbove(histogram, -1), 30);
  assert.equal(countAbove(histogram, 2), 10);
  assert.equal(countAbove(histogram, 9), 0);
});

test('bytes become values', async () => {
  const { valuesOf } = await importModule('pixels');
  const bytes = Buffer.from([0, 127, 254, 255]).toString('base64');
  const values = [...valuesOf({ nx: 2, ny: 2, low: -1, high: 1, bytes })];
  assert.deepEqual(values.slice(0, 3), [-1, 0, 1]);
  assert.ok(Number.isNaN(values[3]));
});
