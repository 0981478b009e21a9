import { RequestFailure, loadMembers, readJson } from '../api/index.ts'
import type { Dataset, Member } from '../api/index.ts'
import { entitiesOf } from './read/relations.ts'
import type { Entity } from './read/relations.ts'
import { membersOf, isMembers, listOf, textOf } from './read/json.ts'
import type { Members } from './read/json.ts'
import { language, languageName } from '../language/index.ts'

/** A record, what it is, and where it was read. */
export type Loaded = {
  readonly id: string
  readonly entity: Entity
  /** All that there are, to which it may lead. */
  readonly entities: readonly Entity[]
  /** `/v1/Event/123` */
  readonly path: string
  readonly record: Members
  /** What the hub says of the members of the entity. */
  readonly members: readonly Member[]
}

type Named = Pick<
  Dataset,
  'service' | 'type' | 'recordType' | 'title' | 'titleField' | 'access' | 'links'
>

/** Where records are read and what datasets are called: a tenth of the catalogue. */
async function loadDatasets(signal: AbortSignal): Promise<readonly Named[]> {
  const query = { fields: 'service,type,recordType,title,titleField,access,links' }
  const { datasets } = await readJson<{ readonly datasets: readonly Named[] }>(
    '/catalogue',
    query,
    signal,
  )
  return datasets
}

/** All entities, and the one of a type. @throws RequestFailure also for one that the hub does not have */
export async function loadEntity(type: string, signal: AbortSignal) {
  const entities = entitiesOf(await loadDatasets(signal))
  const entity = entities.find((one) => one.type === type)
  if (entity === undefined) throw new RequestFailure({ kind: 'notFound' })
  return { entity, entities }
}

/** Where a record of an entity is read. */
export function pathOfRecord({ record }: Entity, id: string): string {
  return record.replace('{id}', encodeURIComponent(id))
}

/** @throws RequestFailure also for an entity that the hub does not have */
export async function loadRecord(
  { type, id }: { readonly type: string; readonly id: string },
  signal: AbortSignal,
): Promise<Loaded> {
  const { entity, entities } = await loadEntity(type, signal)
  const path = pathOfRecord(entity, id)
  const [record, { members }] = await Promise.all([
    readJson<unknown>(path, {}, signal),
    // Without the words of the hub a record is shown field by field.
    loadMembers({ service: 'content', type }, signal).catch(() => {
      signal.throwIfAborted()
      return { members: [] }
    }),
  ])
  return { id, entity, entities, path, record: membersOf(record), members }
}

/** More than that many names nobody reads. */
const mostNames = 60

type NameQuery = {
  readonly entity: Entity
  readonly ids: readonly string[]
  readonly language: string
}

/** What some records of an entity are called, by id; those that are not there, or closed, are left out. */
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

/** What a language is called in the one of the page. */
export function nameOfLanguage(code: string): string {
  return languageName(code, language.current)
}

/** What a text at a path is called: in the words of the hub, else by its own name, spelled out. */
export function nameOfText(members: readonly Member[], path: string): string {
  const label = members.find((one) => one.path.replace('.{language}', '') === path)?.label
  if (label) return label[language.current]
  return spellOut(path).replace('.', ': ')
}

/** `ListPosition` is List Position. */
export function spellOut(name: string): string {
  return name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
}
