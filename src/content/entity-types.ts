import { hintAt } from '../lang/index.ts'
import type { Entity, Profile } from './entity.ts'
import { rejected } from './filters/values.ts'
import { toNaming } from './naming.ts'
import type { Naming } from './naming.ts'

/** The spellings of names with a prefix that are taken on input (decision D10). */
const namings = ['Hub', 'ODH'].map(toNaming)

/** Further spellings of a parameter `type` that names entities (reference content.md 6.1). */
export function typeAliases(entities: readonly Entity[]): readonly string[] {
  const own = entities[0]?.naming.objectType
  return [
    ...new Set([...(own === undefined ? [] : [own]), ...namings.map((one) => one.objectType)]),
  ]
}

/** All that a `type` may call an entity: its name, its type, its paths; letter case does not count. */
function spellingsOf(entity: Entity): readonly string[] {
  const { name, type, path, formerPaths } = entity
  return [name, type, path, ...formerPaths, ...namings.flatMap((naming) => prefixed(name, naming))]
}

/** What a name with a prefix is called in another deployment. */
function prefixed(name: string, { activityPoi, metaDataType, prefix }: Naming): readonly string[] {
  if (namings.some((naming) => naming.activityPoi === name)) return [activityPoi]
  if (name === 'MetaData') return [metaDataType]
  return name === 'Tag' ? [`${prefix}Tag`] : []
}

/** The entity that is called so. */
export function findEntity(entities: readonly Entity[], written: string): Entity | undefined {
  const wanted = written.trim().toLowerCase()
  return entities.find((entity) =>
    spellingsOf(entity).some((spelling) => spelling.toLowerCase() === wanted),
  )
}

/**
 * The entity that a `type` names.
 * @throws AppError HUB-QRY-001 with what was perhaps meant
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

/** Whether reading the entity takes a token in this profile (decisions D33, D34). */
export function needsToken({ needsToken: needs }: Entity, profile: Profile): boolean {
  return needs === true || needs === profile
}
