import type { Dataset } from '../../api/catalogue.ts'
import { pathOfLink } from '../../api/query.ts'
import { eachOnce, textOf } from './json.ts'
import { structuresAt, structuresOf, valuesAt } from './structures.ts'
import type { Described, Description } from './structures.ts'

/** A dataset of records with its paths. */
export type Entity = Pick<Dataset, 'type' | 'recordType' | 'title' | 'titleField' | 'access'> & {
  /** Path of the list, such as `/v1/Weather/District`. */
  readonly list: string
  /** Path of a record, such as `/v1/Weather/District/{id}`. */
  readonly record: string
}

/** Returns the entities of a catalogue. */
export function entitiesOf(
  datasets: readonly (Omit<Entity, 'list' | 'record'> & Pick<Dataset, 'service' | 'links'>)[],
): readonly Entity[] {
  return datasets.flatMap(({ service, links, ...entity }) => {
    const [list, record] = [pathOfLink(links['list']), pathOfLink(links['record'])]
    if (service !== 'content' || list === undefined || record === undefined) return []
    return [{ ...entity, list, record }]
  })
}

/** A reference from a record to another record. */
export type Relation = {
  readonly entity: Entity
  readonly id: string
  /** Name of the other record, if the reference contains it. */
  readonly name: string | undefined
}

type Named = Omit<Relation, 'entity'> & { readonly type: string }

/** Returns all records that a record refers to, without duplicates. */
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
  // References with a name come first, so that they win over bare ids.
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

/** Groups relations by entity. */
export function groupRelations(relations: readonly Relation[]) {
  const groups = Map.groupBy(relations, ({ entity }) => entity)
  return [...groups].map(([entity, own]) => ({ entity, relations: own }))
}

/** Returns all tags of a record, without duplicates. */
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
