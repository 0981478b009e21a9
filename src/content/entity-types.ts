import { hintAt } from '../lang/index.ts'
import type { Entity, Profile } from './entity.ts'
import { rejected } from './filters/values.ts'
import { toNaming } from './naming.ts'
import type { Naming } from './naming.ts'

/**
 * Names with the prefixes that are accepted on input, whatever the prefix of the deployment
 * (decision D10).
 */
const namings = ['Hub', 'ODH'].map(toNaming)

/**
 * Returns the aliases of a parameter `type` that names entities, such as `hubtype` (reference
 * content.md 6.1).
 */
export function typeAliases(entities: readonly Entity[]): readonly string[] {
  const own = entities[0]?.naming.objectType
  return [
    ...new Set([...(own === undefined ? [] : [own]), ...namings.map((one) => one.objectType)]),
  ]
}

/**
 * Returns every value of `type` that names the entity: its name, type and paths. Letter case is
 * ignored.
 */
function spellingsOf(entity: Entity): readonly string[] {
  const { name, type, path, formerPaths } = entity
  return [name, type, path, ...formerPaths, ...namings.flatMap((naming) => prefixed(name, naming))]
}

/** Returns what another deployment calls an entity, if its name there carries the prefix. */
function prefixed(name: string, { activityPoi, metaDataType, prefix }: Naming): readonly string[] {
  if (namings.some((naming) => naming.activityPoi === name)) return [activityPoi]
  if (name === 'MetaData') return [metaDataType]
  return name === 'Tag' ? [`${prefix}Tag`] : []
}

/** Finds the entity with this name, type or path. */
export function findEntity(entities: readonly Entity[], written: string): Entity | undefined {
  const wanted = written.trim().toLowerCase()
  return entities.find((entity) =>
    spellingsOf(entity).some((spelling) => spelling.toLowerCase() === wanted),
  )
}

/**
 * Returns the entity that a parameter `type` names.
 * @throws AppError HUB-QRY-001 with a suggestion
 */
export function entityOfType(entities: readonly Entity[], written: string): Entity {
  const found = findEntity(entities, written)
  if (found !== undefined) return found
  throw rejected({
    parameter: 'type',
    detail: `is ${JSON.stringify(written)}, which is not an entity of this hub`,
    expected: entities.map(({ type }) => type),
    ...hintAt(written, entities.flatMap(spellingsOf)),
  })
}

/** Reports whether reading the entity requires a token in this profile (decisions D33, D34). */
export function needsToken({ needsToken: needs }: Entity, profile: Profile): boolean {
  return needs === true || needs === profile
}
