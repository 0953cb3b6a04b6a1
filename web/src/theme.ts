// Light or dark, as the reader's system says.

const query = () => window.matchMedia('(prefers-color-scheme: dark)');

export function isDark(): boolean {
  return query().matches;
}

export function onThemeChange(listener: () => void): void {
  query().addEventListener('change', listener);
}

/** Whether the page is as narrow as a phone; the same limit as in style.css. */
export function isNarrow(): boolean {
  return window.matchMedia('(max-width: 640px)').matches;
}
