import type { Member } from '../../api/index.ts'
import type { ValueKind } from './conditions.ts'
import { Cache, addressOf, isObject, readJson } from '../../api/index.ts'
import type { Dataset } from '../../dataset/query/index.ts'

/**
 * The members that an expression can name: with a language for its placeholder, and none of free keys.
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

/** What the values of a member are; undefined where they are of any kind, as in metadata. */
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

/** What somebody means who types this for a member of any kind. */
export function guessKind(value: string): ValueKind {
  if (value === 'true' || value === 'false') return 'boolean'
  return value.trim() !== '' && Number.isFinite(Number(value)) ? 'number' : 'text'
}

/** More than anybody reads, and little enough to be found at once. */
const most = 200

const known = new Cache<readonly string[]>({ fresh: Number.POSITIVE_INFINITY, most: 50 })

/**
 * The values that the records of a dataset have at a path. They are read once; where they cannot be had,
 * there are none: that somebody types them is always possible.
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

/** A list of values, or rows that have one each. */
function toTexts(body: unknown, path: string): readonly string[] {
  const rows = Array.isArray(body) ? body : isObject(body) ? body['data'] : []
  const list: readonly unknown[] = Array.isArray(rows) ? rows : []
  const values = list.map((row) => (isObject(row) ? row[path] : row))
  const texts = values.filter((value) => typeof value === 'string' || typeof value === 'number')
  return [...new Set(texts.map(String))].sort((a, b) => a.localeCompare(b))
}
