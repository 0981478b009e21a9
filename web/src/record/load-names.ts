import { readJson } from '../api/index.ts'
import type { Entity } from './read/directory.ts'
import { isMembers, listOf, membersOf, textOf } from './read/json.ts'

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
  const names = ['Detail._.Title', 'AccoDetail._.Name', 'Name._', 'TagName._']
  const asked = [...names.map((name) => name.replace('_', language)), 'Shortname']
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
