// Light or dark, as the reader's system says.

const kDark = window.matchMedia('(prefers-color-scheme: dark)');

export function isDark(): boolean {
  return kDark.matches;
}

export function onThemeChange(listener: () => void): void {
  kDark.addEventListener('change', listener);
}
