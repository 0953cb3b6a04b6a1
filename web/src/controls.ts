// The bar that stays in sight: which trajectory, which depth.
import { html } from './dom';
import type { Selection } from './selection';

const kFrameTime = 450; // milliseconds a depth is shown while playing

function trajectoryControl(selection: Selection): HTMLElement {
  const list = html('select', { id: 'trajectory' });
  for (const label of selection.trajectories) list.append(html('option', { value: label }, label));
  const show = () => (list.value = selection.trajectory);
  list.addEventListener('change', () => selection.select({ trajectory: list.value }));
  selection.onChange(show);
  show();
  const step = (by: number, text: string, name: string) =>
    html('button', { type: 'button', 'aria-label': name, click: () => selection.step(by) }, text);
  return html(
    'div',
    { class: 'control' },
    html('label', { for: 'trajectory' }, 'Trajectory'),
    step(-1, '‹', 'Previous trajectory'),
    list,
    step(1, '›', 'Next trajectory'),
  );
}

function playButton(selection: Selection): HTMLElement {
  let timer: number | undefined;
  const button = html(
    'button',
    { type: 'button', class: 'play', 'aria-label': 'Play depths' },
    '▶',
  );
  const stop = () => {
    window.clearInterval(timer);
    timer = undefined;
    button.textContent = '▶';
    button.setAttribute('aria-label', 'Play depths');
  };
  const advance = () => {
    const at = selection.depths.indexOf(selection.depth);
    const next = selection.depths[at + 1];
    if (next === undefined) stop();
    else selection.select({ depth: next });
  };
  button.addEventListener('click', () => {
    if (timer !== undefined) return stop();
    if (selection.depth === selection.depths.at(-1))
      selection.select({ depth: selection.depths[0]! });
    timer = window.setInterval(advance, kFrameTime);
    button.textContent = '❚❚';
    button.setAttribute('aria-label', 'Pause');
  });
  return button;
}

function depthControl(selection: Selection): HTMLElement {
  const { depths } = selection;
  const slider = html('input', {
    type: 'range',
    id: 'depth',
    min: 0,
    max: depths.length - 1,
    step: 1,
  });
  const output = html('output', { for: 'depth' });
  const show = () => {
    slider.value = String(depths.indexOf(selection.depth));
    slider.setAttribute('aria-valuetext', `depth ${selection.depth}`);
    output.textContent = String(selection.depth);
  };
  slider.addEventListener('input', () =>
    selection.select({ depth: depths[Number(slider.value)]! }),
  );
  selection.onChange(show);
  show();
  return html(
    'div',
    { class: 'control depth' },
    html('label', { for: 'depth' }, 'Depth'),
    playButton(selection),
    slider,
    output,
  );
}

/** None when there is nothing to choose. */
export function makeControls(selection: Selection): HTMLElement | undefined {
  const parts = [
    ...(selection.trajectories.length > 1 ? [trajectoryControl(selection)] : []),
    ...(selection.depths.length > 1 ? [depthControl(selection)] : []),
  ];
  if (parts.length === 0) return undefined;
  return html('div', { class: 'controls', role: 'toolbar', 'aria-label': 'Selection' }, ...parts);
}
