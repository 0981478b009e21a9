import { isQuick } from './options.ts'

export const pairs = isQuick ? 3 : 5
const warmUps = isQuick ? 1 : 3

/** One side of a pair. Both sides get the same round number, and no number is used twice. */
type Side = (round: number) => Promise<number>

type Pair = { readonly ours: number; readonly limit: number }

type Options = {
  readonly ours: Side
  readonly limit: Side
  readonly onPair: (pair: Pair) => void
}

/**
 * The result of all pairs. A ratio is computed within a pair, where the machine was the same for
 * both sides.
 */
type Comparison = Pair & { readonly median: number; readonly minimum: number }

/**
 * Measures two sides in interleaved pairs that alternate which side goes first, so that a slow or
 * disturbed machine affects both. Warm-up runs do not count; the hub gets more of them, because its
 * code becomes fast only while it runs (JavaScript is compiled in steps).
 */
export async function compareSides({ ours, limit, onPair }: Options): Promise<Comparison> {
  for (let run = 0; run < warmUps; run++) await ours(run)
  await limit(0)
  const measured: Pair[] = []
  for (let number = 0; number < pairs; number++) {
    const round = warmUps + number
    const sides = [() => ours(round), () => limit(round)] as const
    const pair = number % 2 === 0 ? await forwards(...sides) : await backwards(...sides)
    onPair(pair)
    measured.push(pair)
  }
  const ratios = measured.map((pair) => pair.ours / pair.limit)
  return {
    ours: median(measured.map((pair) => pair.ours)),
    limit: median(measured.map((pair) => pair.limit)),
    median: median(ratios),
    minimum: Math.min(...ratios),
  }
}

type Measure = () => Promise<number>

async function forwards(ours: Measure, limit: Measure): Promise<Pair> {
  const first = await ours()
  return { ours: first, limit: await limit() }
}

async function backwards(ours: Measure, limit: Measure): Promise<Pair> {
  const first = await limit()
  return { ours: await ours(), limit: first }
}

/** Returns the middle value, or the mean of the two middle values if their number is even. */
export function median(values: readonly number[]): number {
  const ordered = [...values].sort((left, right) => left - right)
  const half = ordered.length / 2
  const [low = Number.NaN, high = low] = ordered.slice(Math.ceil(half) - 1, Math.floor(half) + 1)
  return (low + high) / 2
}
