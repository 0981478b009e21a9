import { RequestFailure, loadMembers, readJson } from '../api/index.ts'
import type { Dataset, Member } from '../api/index.ts'
import { entitiesOf } from './read/relations.ts'
import type { Entity } from './read/relations.ts'
import { membersOf, isMembers, listOf, textOf } from './read/json.ts'
import type { Members } from './read/json.ts'
import { language, languageName } from '../language/index.ts'

/** A record with its entity, path and fields. */
export type Loaded = {
  readonly id: string
  readonly entity: Entity
  /** All entities that the record may link to. */
  readonly entities: readonly Entity[]
  /** Path of the record, such as `/v1/Event/123`. */
  readonly path: string
  readonly record: Members
  /** Fields of the entity, as described by the hub. */
  readonly members: readonly Member[]
}

type Named = Pick<
  Dataset,
  'service' | 'type' | 'recordType' | 'title' | 'titleField' | 'access' | 'links'
>

/** Loads names and paths of all datasets, which is a tenth of the catalogue. */
async function loadDatasets(signal: AbortSignal): Promise<readonly Named[]> {
  const query = { fields: 'service,type,recordType,title,titleField,access,links' }
  const { datasets } = await readJson<{ readonly datasets: readonly Named[] }>(
    '/catalogue',
    query,
    signal,
  )
  return datasets
}

/**
 * Loads all entities, and the one of a given type.
 * @throws RequestFailure also if the hub has no such entity
 */
export async function loadEntity(type: string, signal: AbortSignal) {
  const entities = entitiesOf(await loadDatasets(signal))
  const entity = entities.find((one) => one.type === type)
  if (entity === undefined) throw new RequestFailure({ kind: 'notFound' })
  return { entity, entities }
}

/** Returns the path of a record. */
export function pathOfRecord({ record }: Entity, id: string): string {
  return record.replace('{id}', encodeURIComponent(id))
}

/**
 * Loads a record with its description.
 * @throws RequestFailure also if the hub has no such entity
 */
export async function loadRecord(
  { type, id }: { readonly type: string; readonly id: string },
  signal: AbortSignal,
): Promise<Loaded> {
  const { entity, entities } = await loadEntity(type, signal)
  const path = pathOfRecord(entity, id)
  const [record, { members }] = await Promise.all([
    readJson<unknown>(path, {}, signal),
    // Without the hub's field descriptions, the record is shown field by field.
    loadMembers({ service: 'content', type }, signal).catch(() => {
      signal.throwIfAborted()
      return { members: [] }
    }),
  ])
  return { id, entity, entities, path, record: membersOf(record), members }
}

/** Maximum number of names that are loaded. */
const mostNames = 60

type NameQuery = {
  readonly entity: Entity
  readonly ids: readonly string[]
  readonly language: string
}

/** Loads the names of some records of an entity, by id. Missing and closed records are left out. */
export async function loadNames(
  { entity, ids, language }: NameQuery,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const asked = [entity.titleField.replace('{language}', language), 'Shortname']
  const query = {
    idlist: ids.slice(0, mostNames).join(','),
    fields: ['Id', ...asked].join(','),
    pagesize: mostNames,
  }
  const page = await readJson<unknown>(entity.list, query, signal)
  return new Map(
    listOf(membersOf(page)['Items'])
      .filter(isMembers)
      .flatMap((record) => {
        const id = textOf(record['Id'])
        const name = asked.map((one) => textOf(record[one])).find((one) => one !== undefined)
        return id === undefined || name === undefined ? [] : [[id, name] as const]
      }),
  )
}

/** Returns the name of a language in the language of the page. */
export function nameOfLanguage(code: string): string {
  return languageName(code, language.current)
}

/** Returns the label of the text at a path: the hub's label, or else its own name, spelled out. */
export function nameOfText(members: readonly Member[], path: string): string {
  const label = members.find((one) => one.path.replace('.{language}', '') === path)?.label
  if (label) return label[language.current]
  return spellOut(path).replace('.', ': ')
}

/** Splits a compound name: `ListPosition` becomes `List Position`. */
export function spellOut(name: string): string {
  return name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
}
