import { printed } from '../catalogue/field.ts'
import type { Level } from '../catalogue/level.ts'
import type { Shown } from './resolve.ts'

/**
 * What is selected, and the place of the row: the first field of the level that holds one. Aggregates are
 * of many places, so nothing is added to them.
 */
export function alsoShowPlace(shown: readonly Shown[], { groups }: Level): readonly Shown[] {
  if (shown.some(({ aggregate }) => aggregate !== undefined)) return shown
  const [place] = groups.flatMap((group) =>
    group.fields
      .filter(({ type }) => type === 'point' || type === 'geometry')
      .map((field) => ({ field, group })),
  )
  if (place === undefined || shown.some(({ key }) => key === place.field.name)) return shown
  const { field, group } = place
  const { name, type } = field
  const added = { key: name, member: name, inner: undefined, field, group, type }
  return [...shown, { ...added, printed: printed(field), aggregate: undefined }]
}
