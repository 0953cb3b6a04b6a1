// Debian's Chromium, driven by playwright-core from web/node_modules.
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

const require = createRequire(new URL('../../web/package.json', import.meta.url));

/** A module of web/node_modules. */
export function load(name) {
  return require(name);
}

/** The browser's program: $CHROMIUM, or the first one on the path. */
export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // not there
      }
    }
  }
  return undefined;
}

/** A headless browser. Containers run it as root, where its sandbox cannot work. */
export async function launch() {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return load('playwright-core').chromium.launch({ executablePath: findChromium(), args });
}

/** The looks a report is tested and pictured in. */
export const kLooks = {
  desktop: { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  phone: {
    viewport: { width: 390, height: 844 },
    colorScheme: 'light',
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  },
  'phone-dark': {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  },
};
