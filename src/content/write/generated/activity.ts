import {
  activityProperties,
  ageProperties,
  gastronomyProperties,
  sharedProperties,
} from '../../deprecations/index.ts'
import { isAbsent, isObject, textsOf } from './draft.ts'
import type { Draft, Members } from './draft.ts'
import { has } from './generator.ts'
import type { GeneratorFor } from './generator.ts'

const parent = 'AdditionalProperties'
const activity = 'ActivityLtsDataProperties'
const poi = 'PoiLtsDataProperties'

/** What is rated or measured of an activity beside its moved properties. */
const furtherProperties = ['Ratings', 'Exposition']

/**
 * The objects of `AdditionalProperties` from the members at the top of a record (interface 9.4). Old
 * records fill members that do not concern them with 0 and false; those alone make no object.
 */
export const propertiesOfOld: GeneratorFor = (entity) => {
  if (!has(entity, parent, ...activityProperties)) return undefined
  return (draft) => {
    const { record, give } = draft
    const kinds = textsOf(record['TagIds'] ?? record['SmgTags'])
    giveOwnFlags(draft)
    give([parent, 'GastronomyLtsDataProperties'], objectOf(record, gastronomyProperties))
    give([parent, 'PoiAgeDataProperties'], objectOf(record, ageProperties))
    const activities = [...activityProperties, ...sharedProperties, ...furtherProperties]
    const says = [...activityProperties].some((name) => saysSomething(record[name]))
    if (says || kinds.includes('activity')) {
      give([parent, activity], objectOf(record, activities, 'always'))
      return
    }
    const isPoi = kinds.includes('poi') ? 'always' : 'telling'
    give([parent, poi], objectOf(record, sharedProperties, isPoi))
  }
}

/** The two flags that both kinds have, from whichever object has them. */
function giveOwnFlags({ record, give }: Draft): void {
  const additional = record[parent]
  if (!isObject(additional)) return
  for (const name of sharedProperties) {
    for (const object of [additional[activity], additional[poi]]) {
      if (isObject(object)) give([name], object[name])
    }
  }
}

/** The members with these names that have a value; undefined when there is none, or none that tells. */
function objectOf(
  record: Members,
  names: readonly string[],
  when: 'always' | 'telling' = 'telling',
): Members | undefined {
  if (when === 'telling' && !names.some((name) => saysSomething(record[name]))) return undefined
  const present = names.filter((name) => !isAbsent(record[name]))
  if (present.length === 0) return undefined
  return Object.fromEntries(present.map((name) => [name, record[name]]))
}

function saysSomething(value: unknown): boolean {
  if (isAbsent(value) || value === 0 || value === false || value === '') return false
  return !Array.isArray(value) || value.length > 0
}
