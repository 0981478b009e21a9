import type { Issue } from '../../errors/index.ts'
import type { Entity } from '../entity.ts'
import { isObject } from './generated/draft.ts'
import type { Members } from './generated/draft.ts'

type Renamed<Record> = {
  readonly record: Record
  /** Where letters became lower case. */
  readonly renamed: readonly Issue[]
}

/**
 * A record with its tags in lower case (interface 2.3), whether it names them or is one itself, so that
 * filters and records agree. Where tags keep their letter case, it is the very same record.
 */
export function withLowerTags<Record extends Members>(
  entity: Entity,
  record: Record,
): Renamed<Record> {
  if (entity.tagCase === 'any') return { record, renamed: [] }
  const renamed: Issue[] = []
  const members = namesOf(entity)
    .filter((name) => name in record)
    .map((name) => [name, toLower(record[name], `/${name}`, renamed)] as const)
  if (renamed.length === 0) return { record, renamed }
  return { record: { ...record, ...Object.fromEntries(members) }, renamed }
}

/** More than a record has tags; a flood of them must not fill the answer. */
const mostNamed = 100

/** What `withLowerTags` changes in a record, for its sender. */
export function renamedTags(entity: Entity, record: object): readonly Issue[] {
  const { renamed } = withLowerTags(entity, { ...record })
  if (renamed.length <= mostNamed) return renamed
  const more = `${String(renamed.length - mostNamed)} more tags are stored in lower case`
  return [...renamed.slice(0, mostNamed), { pointer: '', detail: more }]
}

/** Fields that hold identifiers of tags, as texts or as objects with an `Id`. */
function namesOf({ name, naming }: Entity): readonly string[] {
  const links = ['TagIds', 'Tags', 'SmgTags', naming.tags]
  return name === 'Tag' ? ['Id', naming.tagIds, ...links] : links
}

function toLower(value: unknown, at: string, renamed: Issue[]): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => toLower(item, `${at}/${String(index)}`, renamed))
  }
  if (isObject(value) && 'Id' in value) {
    return { ...value, Id: toLower(value['Id'], `${at}/Id`, renamed) }
  }
  if (typeof value !== 'string') return value
  const lower = value.toLowerCase()
  if (lower !== value) renamed.push({ pointer: at, detail: `is stored in lower case: ${lower}` })
  return lower
}
