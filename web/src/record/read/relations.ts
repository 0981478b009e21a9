import type { Dataset } from '../../api/catalogue.ts'
import { pathOfLink } from '../../api/query.ts'
import { eachOnce, textOf } from './json.ts'
import { structuresAt, structuresOf, valuesAt } from './structures.ts'
import type { Described, Description } from './structures.ts'

/** A dataset of records, and where those are read. */
export type Entity = Pick<Dataset, 'type' | 'recordType' | 'title' | 'titleField' | 'access'> & {
  /** `/v1/Weather/District` */
  readonly list: string
  /** `/v1/Weather/District/{id}` */
  readonly record: string
}

/** The entities of a catalogue. */
export function entitiesOf(
  datasets: readonly (Omit<Entity, 'list' | 'record'> & Pick<Dataset, 'service' | 'links'>)[],
): readonly Entity[] {
  return datasets.flatMap(({ service, links, ...entity }) => {
    const [list, record] = [pathOfLink(links['list']), pathOfLink(links['record'])]
    if (service !== 'content' || list === undefined || record === undefined) return []
    return [{ ...entity, list, record }]
  })
}

/** Another record that a record names. */
export type Relation = {
  readonly entity: Entity
  readonly id: string
  /** Its name, where the record has it. */
  readonly name: string | undefined
}

type Named = Omit<Relation, 'entity'> & { readonly type: string }

/** All records that a record names, in the order in which they are found; each once. */
export function readRelations(
  of: Described,
  entities: readonly Entity[],
  language: string,
): readonly Relation[] {
  const own = textOf(of.record['Id'])
  const named = of.members.flatMap((one) => namedBy(one, of, language))
  const related = structuresOf(of, ['related'], language).flatMap(({ text }): readonly Named[] => {
    const [id, type = ''] = [text('id'), text('type')]
    return id === undefined ? [] : [{ id, type, name: text('name') }]
  })
  const found = [...named, ...related].flatMap(({ id, type, name }) => {
    const entity = entities.find((one) => one.type === type || one.recordType === type)
    return entity === undefined || id === own ? [] : [{ entity, id, name }]
  })
  // What comes with its name is read before what is but an identifier.
  const sorted = found.toSorted(
    (a, b) => Number(b.name !== undefined) - Number(a.name !== undefined),
  )
  return eachOnce(sorted, ({ entity, id }) => `${entity.type} ${id}`)
}

function namedBy(
  { path, entity, part }: Description,
  of: Described,
  language: string,
): readonly Named[] {
  if (entity === null) return []
  if (part === 'id') {
    const holder = path.slice(0, path.lastIndexOf('.'))
    return structuresAt(of, { path: holder, label: null }, language).flatMap(({ text }) => {
      const id = text('id')
      return id === undefined ? [] : [{ id, type: entity, name: text('name') }]
    })
  }
  return valuesAt(of.record, path, language).flatMap(({ value }) =>
    typeof value === 'string' && value !== '' ? [{ id: value, type: entity, name: undefined }] : [],
  )
}

/** Relations by entity. */
export function groupRelations(relations: readonly Relation[]) {
  const groups = Map.groupBy(relations, ({ entity }) => entity)
  return [...groups].map(([entity, own]) => ({ entity, relations: own }))
}

/** All words that a record is filed under, each once. */
export function readTags(of: Described) {
  const tags = structuresOf(of, ['tag'], '').flatMap(({ text }) => {
    const id = text('id')
    return id === undefined ? [] : [{ id, name: text('name') ?? id }]
  })
  return eachOnce(
    tags.toSorted((a, b) => Number(a.name === a.id) - Number(b.name === b.id)),
    ({ id }) => id,
  )
}
