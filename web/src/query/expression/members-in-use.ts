import type { Member } from '../../api/index.ts'
import type { ValueKind } from './conditions.ts'
import { Cache, addressOf, isObject, readJson } from '../../api/index.ts'
import type { Dataset } from '../../dataset/query/index.ts'

/**
 * Returns the fields that an expression can use. Placeholders are replaced by each language; fields
 * with free keys are left out.
 * @param languages of texts, in the order in which they are offered
 */
export function membersInUse(
  members: readonly Member[],
  languages: readonly string[],
): readonly Member[] {
  return members
    .filter(({ at, canFilter }) => canFilter && at !== 'edges' && at !== 'values')
    .flatMap((member) => inLanguages(member, languages))
    .filter(({ path }) => !path.includes('{'))
}

function inLanguages(member: Member, languages: readonly string[]): readonly Member[] {
  if (!member.path.includes('{language}')) return [member]
  return languages.map((language) => ({
    ...member,
    path: member.path.replaceAll('{language}', language),
  }))
}

/** Returns the type of a field's values; undefined if they may be of any type, as in metadata. */
export function kindOf({ type }: Pick<Member, 'type'>): ValueKind | undefined {
  switch (type) {
    case 'text':
    case 'number':
    case 'boolean':
    case 'time':
      return type
    default:
      return undefined
  }
}

/** Guesses the type of a value that was typed for a field of any type. */
export function guessKind(value: string): ValueKind {
  if (value === 'true' || value === 'false') return 'boolean'
  return value.trim() !== '' && Number.isFinite(Number(value)) ? 'number' : 'text'
}

/** Maximum number of known values, to keep the request fast. */
const most = 200

const known = new Cache<readonly string[]>({ fresh: Number.POSITIVE_INFINITY, most: 50 })

/**
 * Loads the distinct values at a path of a dataset, once per path. A failure returns an empty list,
 * because the values are only suggestions.
 */
export function loadKnownValues(dataset: Dataset, path: string): Promise<readonly string[]> {
  const { address, query } =
    dataset.service === 'content' ? distinctContent(dataset, path) : distinctStations(dataset, path)
  const load = async () => toTexts(await readJson<unknown>(address, query), path)
  return known.get(addressOf(address, query), load).catch(() => [])
}

function distinctContent({ type }: Dataset, path: string) {
  const query = { type, fields: path, getasarray: true, pagesize: most }
  return { address: '/v1/Distinct', query: { ...query, excludenulloremptyvalues: true } }
}

function distinctStations({ list }: Dataset, path: string) {
  const query = { select: path, distinct: true, limit: most }
  return { address: list, query }
}

/** Parses a list of values, or of rows with one value each. */
function toTexts(body: unknown, path: string): readonly string[] {
  const rows = Array.isArray(body) ? body : isObject(body) ? body['data'] : []
  const list: readonly unknown[] = Array.isArray(rows) ? rows : []
  const values = list.map((row) => (isObject(row) ? row[path] : row))
  const texts = values.filter((value) => typeof value === 'string' || typeof value === 'number')
  return [...new Set(texts.map(String))].sort((a, b) => a.localeCompare(b))
}
