import { everyType, parseSeries, printSeries } from './series-id.ts'
import type { SeriesId } from './series-id.ts'

/** A series that is there, with what tells it apart from all others. */
type Known = SeriesId & { readonly key: string }

/** The keys of what is chosen; what is not known yet, or not there, stands as the address writes it. */
export function keysOf(ids: readonly SeriesId[], known: readonly Known[]): readonly string[] {
  return [...new Set(ids.flatMap((id) => keysOfOne(id, known)))]
}

/**
 * What is chosen once its keys are `wanted`. Whatever nobody touched stays as it was written: the address
 * is what a person chose, also while its series are on their way. `*` is taken apart only where one of its
 * series is taken out.
 */
export function editIds(
  ids: readonly SeriesId[],
  known: readonly Known[],
  wanted: readonly string[],
): readonly SeriesId[] {
  const before = keysOf(ids, known)
  const kept = ids.flatMap((id) => {
    const keys = keysOfOne(id, known)
    const rest = keys.filter((key) => wanted.includes(key))
    return rest.length === keys.length ? [id] : parseAll(rest)
  })
  return [...kept, ...parseAll(wanted.filter((key) => !before.includes(key)))]
}

function keysOfOne(id: SeriesId, known: readonly Known[]): readonly string[] {
  const parts = known.filter((one) => isPart(one, id)).map(({ key }) => key)
  return parts.length === 0 ? [printSeries(id)] : parts
}

function isPart(one: Known, { type, code, dataType, period }: SeriesId): boolean {
  if (one.type !== type || one.code !== code) return false
  if (period !== undefined && one.period !== undefined && one.period !== period) return false
  return dataType === everyType || one.dataType === dataType
}

function parseAll(keys: readonly string[]): readonly SeriesId[] {
  return keys.map(parseSeries).filter((id) => id !== undefined)
}
