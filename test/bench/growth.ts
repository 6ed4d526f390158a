/** What a number of things cost. */
export interface Cost {
  readonly count: number;
  readonly cost: number;
}

/** Most that counts as linear: noise and constant parts make a power of slightly more than 1. */
export const linear = 1.15;

/**
 * The power by which a cost grows from the last but one count to the last: 0 = not at all, 1 = linear, 2 = quadratic. The last step
 * counts, for at small numbers what is constant hides the growth.
 * @throws Error for fewer than two costs
 */
export function growthExponent(costs: readonly Cost[]): number {
  const [less, more] = costs.toSorted((a, b) => a.count - b.count).slice(-2);
  if (less === undefined || more === undefined) throw new Error('There is no growth without two costs.');
  // Nothing stays nothing.
  if (more.cost === less.cost) return 0;
  return Math.log(more.cost / less.cost) / Math.log(more.count / less.count);
}

/** How much a value changes from one step to the next, by the line that fits best (least squares). */
export function slope(points: readonly { readonly at: number; readonly value: number }[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [at, value] = [mean(points.map((point) => point.at)), mean(points.map((point) => point.value))];
  const shared = points.reduce((sum, point) => sum + (point.at - at) * (point.value - value), 0);
  return shared / points.reduce((sum, point) => sum + (point.at - at) ** 2, 0);
}
