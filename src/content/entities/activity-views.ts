import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Naming } from '../naming.ts'
import { activities, maskCodes, pois } from '../type-lists/types.ts'

/** Path at which clients of the public system still request activities and points of interest. */
export type ActivityView = {
  /** Path below `/v1`. */
  readonly path: string
  /** Condition for the records; undefined for all. */
  readonly within: Sql | undefined
  /** Fields that are returned by default; undefined for all. */
  readonly fields: readonly string[] | undefined
}

const tagged = (tags: readonly string[]) => sql`hub_tags && ${tags}::text[]`

const kinds: readonly (readonly [path: string, within: Sql | undefined])[] = [
  ['ODHActivityPoi', undefined],
  ['SmgPoi', undefined],
  ['Activity', tagged(['activity', ...maskCodes(activities)])],
  ['Poi', tagged(['poi', ...maskCodes(pois)])],
  ['Gastronomy', tagged(['gastronomy', 'essen trinken'])],
]

const reduced = ['de', 'it', 'en'].map((language) => `Detail.${language}.Title`)

/**
 * Returns each view twice: with whole records, and reduced to identifier, title and position
 * (reference content.md 1.2).
 */
export function activityViewsOf({ activityPoi }: Naming): readonly ActivityView[] {
  return kinds
    .flatMap(([path, within]) => [
      { path, within, fields: undefined },
      { path: `${path}Reduced`, within, fields: ['Id', ...reduced, 'GpsInfo'] },
    ])
    .filter(({ path }) => path !== activityPoi)
}
