// The page as a reader meets it, in headless Chromium:  node page_test.mjs EXAMPLE_DIR
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { findChromium, kLooks, launch } from './browser.mjs';

const folder = resolve(process.argv[2]);
if (findChromium() === undefined) {
  console.log(
    'skipped: no chromium on the path; scripts/setup installs it, CHROMIUM=PATH names another',
  );
  process.exit(77);
}
if (!existsSync(resolve(folder, 'report.html'))) {
  console.log(`skipped: ${folder}/report.html is not there (a build without the page)`);
  process.exit(77);
}

const browser = await launch();
after(() => browser.close());

/** Opens a report, runs `use`, and fails on any message to the console and any other request. */
async function visit(look, use, name = 'report.html') {
  const page = await browser.newPage(kLooks[look]);
  const address = pathToFileURL(resolve(folder, name)).href;
  const troubles = [];
  page.on('console', (message) => troubles.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => troubles.push(`error: ${error}`));
  page.on('request', (request) => {
    const url = request.url();
    if (url !== address && !url.startsWith('data:')) troubles.push(`request: ${url}`);
  });
  await page.goto(address);
  await page.waitForSelector('figure svg');
  try {
    await use(page);
    assert.deepEqual(troubles, []);
  } finally {
    await page.close();
  }
}

/** What every figure shows of the selection. */
async function shown(page) {
  return page.evaluate(() => {
    const text = (selector) => document.querySelector(selector)?.textContent ?? '';
    return {
      list: document.querySelector('#trajectory').value,
      depth: text('.controls output'),
      scatter: text('[data-figure=scatter] .legend'),
      scatterCaption: text('[data-figure=scatter] figcaption'),
      band: text('[data-figure=band] figcaption'),
      histogram: text('[data-figure=histogram] .mark-name.chosen'),
      histogramLegend: text('[data-figure=histogram] .legend'),
      fields: text('[data-figure=fields] .figure-words'),
      row: text('tr.chosen th'),
    };
  });
}

async function expectEverywhere(page, trajectory) {
  const now = await shown(page);
  assert.equal(now.list, trajectory);
  assert.ok(now.scatter.includes(trajectory), now.scatter);
  assert.ok(now.band.startsWith(`${trajectory}:`), now.band);
  assert.ok(now.fields.includes(trajectory), now.fields);
  assert.equal(now.row, trajectory);
  assert.equal(now.histogram, trajectory);
}

/** The pixels of a picture as text. */
function pixels(page, name) {
  return page.evaluate(
    (which) => document.querySelector(`canvas[data-picture="${which}"]`).toDataURL(),
    name,
  );
}

const tooltip = (page) =>
  page.evaluate(() => {
    const box = document.querySelector('.tooltip');
    return box && !box.hidden ? box.textContent : '';
  });

/** Moves over a drawing until the tooltip names something that `wanted` accepts. */
async function hoverUntil(page, figure, wanted) {
  const drawing = page.locator(`[data-figure=${figure}] svg`);
  await drawing.scrollIntoViewIfNeeded();
  const box = await drawing.boundingBox();
  const bar = await page.locator('.controls').boundingBox();
  for (const row of [8, 7, 9, 6, 10, 5, 11, 4, 12, 13, 3, 14, 2]) {
    for (let column = 3; column < 24; ++column) {
      const y = box.y + (box.height * row) / 16;
      if (y < bar.y + bar.height) continue; // beneath the bar of controls
      await page.mouse.move(box.x + (box.width * column) / 24, y);
      const text = await tooltip(page);
      if (wanted(text)) return text;
    }
  }
  throw new Error(`${figure}: no point found`);
}

for (const look of Object.keys(kLooks)) {
  test(`${look}: opens without a complaint, a request, or sideways scrolling`, () =>
    visit(look, async (page) => {
      const { wide, inner } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth,
        inner: document.documentElement.clientWidth,
      }));
      assert.ok(wide <= inner, `${wide} > ${inner}`);
      assert.equal(await page.locator('figure svg').count(), 6);
      const path = resolve(folder, `${look}.png`);
      await page.screenshot({ path, fullPage: true });
      assert.ok(existsSync(path));
    }));
}

test('the slider moves pictures, curves and histogram, by keyboard', () =>
  visit('desktop', async (page) => {
    const before = await shown(page);
    const pictures = ['truth', 'rollout', 'difference', 'returned seed'];
    const old = await Promise.all(pictures.map((name) => pixels(page, name)));
    const seed = await pixels(page, 'seed');
    const cursor = () => page.locator('[data-figure=band] .cursor').getAttribute('x1');
    const oldCursor = await cursor();
    await page.focus('#depth');
    for (let i = 0; i < 6; ++i) await page.keyboard.press('ArrowRight');
    const after = await shown(page);
    assert.equal(Number(after.depth), Number(before.depth) + 6);
    for (const [i, name] of pictures.entries())
      assert.notEqual(await pixels(page, name), old[i], name);
    assert.equal(await pixels(page, 'seed'), seed);
    assert.ok(Number(await cursor()) > Number(oldCursor));
    assert.notEqual(after.histogramLegend, before.histogramLegend);
    assert.ok(after.scatterCaption.includes(`depth ${after.depth},`), after.scatterCaption);
    await page.keyboard.press('Home');
    assert.equal((await shown(page)).depth, '1');
  }));

test('the list and the buttons select the trajectory everywhere', () =>
  visit('desktop', async (page) => {
    await expectEverywhere(page, 'test 3');
    const old = await pixels(page, 'rollout');
    await page.selectOption('#trajectory', 'test 5');
    await expectEverywhere(page, 'test 5');
    assert.notEqual(await pixels(page, 'rollout'), old);
    await page.getByRole('button', { name: 'Previous trajectory' }).press('Enter');
    await expectEverywhere(page, 'test 4'); // it has no pictures: the page says so, and offers some
    const offer = page.locator('.figure-words button', { hasText: 'test 3' });
    await offer.click();
    await expectEverywhere(page, 'test 3');
  }));

test('hover names trajectory and depth, a click selects both', () =>
  visit('desktop', async (page) => {
    for (const figure of ['scatter', 'band']) {
      const text = await hoverUntil(
        page,
        figure,
        (found) => /test \d+, depth/.test(found) && !found.includes('test 3,'),
      );
      const [, trajectory, depth] = /(test \d+), depth (\d+)/.exec(text);
      await page.mouse.down();
      await page.mouse.up();
      const now = await shown(page);
      assert.equal(now.list, trajectory, figure);
      assert.ok(now.band.startsWith(`${trajectory}:`), now.band);
      assert.match(text, new RegExp(`depth ${now.depth}[^0-9]`), figure);
      assert.ok(depth.startsWith(now.depth));
      await page.selectOption('#trajectory', 'test 3');
    }
    const found = await hoverUntil(page, 'histogram', (text) => /^test [0-245]log C/.test(text));
    await page.mouse.down();
    await page.mouse.up();
    await expectEverywhere(page, found.replace(/log C.*/, ''));
    await page.locator('tr.choosable th', { hasText: 'test 2' }).click();
    await expectEverywhere(page, 'test 2');
    assert.match(
      await hoverUntil(page, 'risk', (text) => text.includes('oracle')),
      /fraction kept/,
    );
    assert.match(await hoverUntil(page, 'calibration', (text) => text !== ''), /nominal coverage/);
  }));

test('what is predicted of a field has a band of its own', () =>
  visit('desktop', async (page) => {
    const bands = page.locator('[data-figure=field-band]');
    assert.equal(await bands.count(), 1); // pressure has errors, but nothing predicts them
    assert.equal(await bands.locator('h3').textContent(), 'Predicted and true error of density');
    assert.ok((await bands.locator('.band.wide').getAttribute('d')).length > 100);
    const { list } = await shown(page);
    assert.ok((await bands.locator('figcaption').textContent()).startsWith(`${list}:`));
  }));

test('a tap selects on a phone', () =>
  visit('phone', async (page) => {
    const drawing = page.locator('[data-figure=scatter] svg');
    await drawing.scrollIntoViewIfNeeded();
    const place = await drawing
      .locator('.dots')
      .first()
      .evaluate((dots) => {
        const [, x, y] = /^M([\d.]+),([\d.]+)/.exec(dots.getAttribute('d'));
        return { x: Number(x), y: Number(y) };
      });
    await drawing.tap({ position: place });
    const now = await shown(page);
    assert.ok(Number(now.depth) <= 3, now.depth); // a finger may reach a neighbour
    assert.ok(now.band.startsWith(`${now.list}:`));
  }));

test('fields one at a time, differences stretched', () =>
  visit('desktop', async (page) => {
    assert.equal(await page.locator('.series-row').count(), 6);
    await page.selectOption('#field', 'pressure');
    assert.equal(await page.locator('.series-row').count(), 1);
    await page.focus('#depth');
    await page.keyboard.press('Home');
    const plain = await pixels(page, 'difference');
    await page.getByLabel('Stretch differences').check();
    assert.notEqual(await pixels(page, 'difference'), plain);
  }));

test('playing goes through the depths and stops at the last', () =>
  visit('desktop', async (page) => {
    await page.focus('#depth');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('button', { name: 'Play depths' }).click();
    await page.waitForFunction(
      () => document.querySelector('.controls output').textContent === '28',
    );
    await page.getByRole('button', { name: 'Play depths' }).waitFor();
  }));

test('every drawing has words and numbers beside it', () =>
  visit('desktop', async (page) => {
    const drawings = page.locator('figure svg, canvas');
    for (const drawing of await drawings.all()) {
      assert.equal(await drawing.getAttribute('role'), 'img');
      assert.ok((await drawing.getAttribute('aria-label')).length > 8);
    }
    for (const figure of await page.locator('figure').all()) {
      const described = await figure.locator('svg').getAttribute('aria-describedby');
      const caption = await page.locator(`#${described}`).textContent();
      assert.ok(caption.length > 40, caption);
      await figure.locator('summary').press('Enter');
      await figure.locator('tbody tr').first().waitFor();
      assert.ok((await figure.locator('tbody tr').count()) >= 7);
    }
  }));

test('everything that acts is reached by the Tab key', () =>
  visit('desktop', async (page) => {
    const reached = new Set();
    for (let i = 0; i < 60; ++i) {
      await page.keyboard.press('Tab');
      reached.add(
        await page.evaluate(
          () =>
            document.activeElement.id ||
            document.activeElement.className ||
            document.activeElement.tagName,
        ),
      );
    }
    for (const name of [
      'skip',
      'trajectory',
      'depth',
      'play',
      'field',
      'stretch',
      'SUMMARY',
      'table-frame',
    ])
      assert.ok(reached.has(name), `${name} in ${[...reached].join(', ')}`);
  }));

for (const look of ['desktop', 'dark']) {
  test(`${look}: text stands out from what is behind it`, () =>
    visit(look, async (page) => {
      const weak = await page.evaluate(() => {
        const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
        const luminance = (colour) => {
          const [r, g, b] = channels(colour).map((c) => {
            const x = c / 255;
            return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const behind = (element) => {
          for (let at = element; at; at = at.parentElement) {
            const colour = getComputedStyle(at).backgroundColor;
            if (channels(colour)[3] !== 0) return colour;
          }
          return 'rgb(255, 255, 255)';
        };
        const found = [];
        for (const element of document.querySelectorAll(
          'h1,h2,h3,p,li,a,th,td,dt,dd,figcaption,label,.note,.end,svg text',
        )) {
          const style = getComputedStyle(element);
          const ink = luminance(element instanceof SVGElement ? style.fill : style.color);
          const paper = luminance(behind(element));
          const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
          if (contrast < 4.5)
            found.push(
              `${element.tagName}.${element.getAttribute('class')}: ${contrast.toFixed(2)}`,
            );
        }
        return [...new Set(found)];
      });
      assert.deepEqual(weak, []);
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const [red] = paper.match(/\d+/g).map(Number);
      assert.ok(look === 'dark' ? red < 60 : red > 230, paper);
    }));
}

test('a report with little in it, and texts that try to be HTML', () =>
  visit(
    'phone',
    async (page) => {
      const text = '</script><script>document.title=\'taken\'</script><!-- \u2028 & "q"';
      assert.equal(await page.locator('h1').textContent(), text);
      assert.equal(await page.title(), text);
      assert.equal(await page.locator('#records').count(), 1);
      assert.equal(await page.locator('canvas').count(), 1);
      await page.selectOption('#trajectory', 'no truth');
      assert.match(
        await page.locator('[data-figure=band] figcaption').textContent(),
        /the truth is not known/,
      );
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `${wide} > 390`);
    },
    'sparse/report.html',
  ));
