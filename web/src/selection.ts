// The one trajectory and the one depth that every figure shows.

export interface Selected {
  trajectory: string;
  depth: number;
}

export class Selection {
  private readonly listeners: (() => void)[] = [];

  constructor(
    readonly trajectories: readonly string[],
    readonly depths: readonly number[],
    private current: Selected,
  ) {}

  get trajectory(): string {
    return this.current.trajectory;
  }

  get depth(): number {
    return this.current.depth;
  }

  /** Changes what is given and tells everyone when that was news. */
  select(change: Partial<Selected>): void {
    const next = { ...this.current, ...change };
    if (next.trajectory === this.trajectory && next.depth === this.depth) return;
    this.current = next;
    for (const listener of this.listeners) listener();
  }

  /** Goes to the neighbour in the list of trajectories, from the last to the first. */
  step(by: number): void {
    const n = this.trajectories.length;
    const at = this.trajectories.indexOf(this.trajectory);
    const next = this.trajectories[(at + by + n) % n];
    if (next !== undefined) this.select({ trajectory: next });
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }
}

/** The item whose depth is nearest to the one wanted; the first of equals. */
export function nearestDepth<Item>(
  items: readonly Item[],
  depthOf: (item: Item) => number,
  wanted: number,
): Item | undefined {
  let best: Item | undefined;
  let distance = Infinity;
  for (const item of items) {
    const gap = Math.abs(depthOf(item) - wanted);
    if (gap >= distance) continue;
    best = item;
    distance = gap;
  }
  return best;
}
