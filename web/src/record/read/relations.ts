import { textsByLanguage, isMembers, listOf, membersOf, textOf } from './json.ts'
import type { ByLanguage, Members } from './json.ts'
import { findByPath, findEntity } from './directory.ts'
import type { Directory, Entity } from './directory.ts'

/** Another record that a record names. */
export type Relation = {
  readonly entity: Entity
  readonly id: string
  /** Its name, where the record has it. */
  readonly name: ByLanguage
}

const deepest = 5

/** Tags stand on their own, and the log of a record relates it to nobody. */
const elsewhere = /^(Self|_Meta|Tags|TagIds|HubTags|SmgTags|LTSTags|Mapping)$/

/** All records that a record names, by entity, in the order in which they are found; each once. */
export function readRelations(record: Members, directory: Directory): readonly Relation[] {
  const own = textOf(record['Id'])
  const found = [
    ...placesOf(record, directory),
    ...linksIn(record, directory, 0),
    ...contentOf(record, directory),
    ...idsOf(record, directory),
  ]
  const seen = new Set<string>()
  return found.filter(({ entity, id }) => {
    const key = `${entity.type} ${id}`
    return id !== own && !seen.has(key) && seen.add(key)
  })
}

/** `LocationInfo`: `{ "DistrictInfo": { "Id": …, "Name": { "de": … } } }`. They come with names. */
function placesOf(record: Members, directory: Directory): readonly Relation[] {
  return Object.entries(membersOf(record['LocationInfo'])).flatMap(([name, value]) => {
    const place = membersOf(value)
    const entity = findEntity(directory, name.replace(/Info$/, ''))
    const id = textOf(place['Id'])
    if (entity === undefined || id === undefined) return []
    return [{ entity, id, name: textsByLanguage(place['Name']) }]
  })
}

/** Everything with an address of its own: `{ "Id": …, "Self": "/v1/Venue/…" }`. */
function linksIn(value: unknown, directory: Directory, depth: number): readonly Relation[] {
  if (depth > deepest) return []
  if (Array.isArray(value)) return value.flatMap((one) => linksIn(one, directory, depth))
  if (!isMembers(value)) return []
  const self = depth === 0 ? undefined : textOf(value['Self'])
  const led = self === undefined ? undefined : findByPath(directory, self)
  const within = Object.entries(value).flatMap(([name, one]) =>
    elsewhere.test(name) ? [] : linksIn(one, directory, depth + 1),
  )
  return led === undefined ? within : [{ ...led, name: textsByLanguage(value['Name']) }, ...within]
}

/** `RelatedContent`: `[{ "Id": …, "Type": "accommodation" }]`. */
function contentOf(record: Members, directory: Directory): readonly Relation[] {
  return listOf(record['RelatedContent']).flatMap((value) => {
    const content = membersOf(value)
    const [id, type] = [textOf(content['Id']), textOf(content['Type'])]
    const entity = type === undefined ? undefined : findEntity(directory, type)
    return entity === undefined || id === undefined ? [] : [{ entity, id, name: {} }]
  })
}

/** `DistrictId`, `SkiareaIds`: members that are called by an entity. */
function idsOf(record: Members, directory: Directory): readonly Relation[] {
  return Object.entries(record).flatMap(([member, value]) => {
    const name = /^(?<name>\w+?)(Id|ID|Ids|IDs)$/.exec(member)?.groups?.['name']
    const entity =
      name === undefined || elsewhere.test(member) ? undefined : findEntity(directory, name)
    if (entity === undefined) return []
    return [value]
      .flat()
      .flatMap((id) => (typeof id === 'string' && id !== '' ? [{ entity, id, name: {} }] : []))
  })
}

/** Relations by entity. */
export function groupRelations(relations: readonly Relation[]) {
  const types = [...new Set(relations.map(({ entity }) => entity.type))]
  return types.map((type) => {
    const own = relations.filter(({ entity }) => entity.type === type)
    return { type, relations: own, entity: own[0]?.entity }
  })
}

/** A word that a record is filed under. */
type Tag = { readonly id: string; readonly name: string }

/** All tags of a record, each once: with their names where the record has them. */
export function readTags(record: Members): readonly Tag[] {
  const whole = listOf(record['Tags'])
    .filter(isMembers)
    .flatMap((tag) => {
      const id = textOf(tag['Id'])
      return id === undefined ? [] : [{ id, name: textOf(tag['Name']) ?? id }]
    })
  const alone = [...listOf(record['TagIds']), ...listOf(record['SmgTags'])].flatMap((value) => {
    const id = textOf(value)
    return id === undefined ? [] : [{ id, name: id }]
  })
  const seen = new Set<string>()
  return [...whole, ...alone].filter(({ id }) => !seen.has(id) && seen.add(id))
}
