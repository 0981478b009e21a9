import type { Entity } from '../../entity.ts'
import { isObject, nothingKnown, textsOf, toDraft, withoutMembers } from './draft.ts'
import type { Generator, GeneratorFor, Lookups, Members } from './draft.ts'
import {
  bookingId,
  eventOfOld,
  propertiesOfOld,
  shortEventOfOld,
  shown,
  webcamName,
} from './kinds.ts'
import { areas, copies, gpsPoints, links, ownPosition } from './places.ts'
import { categories, eventTags, hubTags, sourceTags, tagOfOld, tags } from './tags.ts'

export type { Lookups } from './draft.ts'
export { loadLookups, siblingsOf } from './draft.ts'

/** In this order: some are made of what others made. */
const generators: readonly GeneratorFor[] = [
  copies,
  gpsPoints,
  ownPosition,
  tags,
  hubTags,
  sourceTags,
  categories,
  eventTags,
  tagOfOld,
  shown,
  areas,
  links,
  propertiesOfOld,
  eventOfOld,
  shortEventOfOld,
  webcamName,
  bookingId,
]

const ofEntity = new WeakMap<Entity, readonly Generator[]>()

function generatorsOf(entity: Entity): readonly Generator[] {
  const known = ofEntity.get(entity)
  if (known !== undefined) return known
  const found = generators.flatMap((generatorFor) => generatorFor(entity) ?? [])
  ofEntity.set(entity, found)
  return found
}

type Generated = {
  readonly record: Members
  /** Paths of the members that the hub made, sorted. */
  readonly paths: readonly string[]
}

/**
 * A record with the members that follow from others (interface 9.1 to 9.4): old spellings beside the
 * new ones, links, names of tags. What a sender gives stays as it is.
 */
export function withGenerated(
  entity: Entity,
  sent: Members,
  lookups: Lookups = nothingKnown,
): Generated {
  const found = generatorsOf(entity)
  if (found.length === 0) return { record: sent, paths: [] }
  const draft = toDraft(sent)
  for (const generate of found) generate(draft, lookups)
  const paths = [...draft.given].filter((path) => !entity.removedMembers.includes(path)).sort()
  return { record: draft.record, paths }
}

/**
 * The members of a record that no hub made: those that its `_Meta.Generated` names are made anew, so
 * that a record which was read from a hub can be changed and sent back.
 */
export function withoutGenerated(sent: Members): Members {
  const { _Meta: meta } = sent
  const paths = isObject(meta) ? textsOf(meta['Generated']) : []
  return paths.length === 0 ? sent : withoutMembers(sent, paths)
}
