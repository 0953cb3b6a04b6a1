// Pictures of a report in every look:  node tests/web/screenshots.mjs DIR  reads DIR/report.html
// and writes DIR/desktop.png, dark.png, phone.png, phone-dark.png.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { kLooks, launch } from './browser.mjs';

const folder = resolve(process.argv[2] ?? '.');
const browser = await launch();
for (const [name, look] of Object.entries(kLooks)) {
  const page = await browser.newPage(look);
  page.on('console', (message) => console.log(name, message.text()));
  page.on('pageerror', (error) => console.log(name, String(error)));
  await page.goto(pathToFileURL(resolve(folder, 'report.html')).href);
  await page.waitForSelector('figure svg');
  await page.screenshot({ path: resolve(folder, `${name}.png`), fullPage: true });
  await page.close();
}
await browser.close();
