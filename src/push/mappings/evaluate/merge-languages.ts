import { ExpressionFault } from '../faults.ts'
import { shown } from '../functions/values.ts'
import type { Expression } from './expression.ts'

type Merge = { readonly by: Expression; readonly language: Expression | undefined }

/** One entity, as its items in several languages tell of it, while they are collected. */
type Collected = {
  readonly key: string
  /** Items by the code of their language. */
  readonly languages: Map<string, unknown>
  /** Of the language that came first. */
  readonly first: unknown
}

/**
 * Joins items that tell of one entity, in the order in which they begin: `{key, languages, first}`. They are a
 * list of items that name their language, or an object with a list for each language. An item without a key or
 * a language is left to be rejected, in its place; so is one that tells of an entity in a language in which an
 * item before it does.
 */
export async function mergeLanguages(found: unknown, merge: Merge): Promise<readonly unknown[]> {
  const known = new Map<string, Collected>()
  const merged: (Collected | ExpressionFault)[] = []
  for (const { item, list } of spread(found, merge)) {
    const keys = await keysOf(item, list, merge)
    if (keys instanceof ExpressionFault) {
      merged.push(keys)
      continue
    }
    const [key, code] = keys
    const before = known.get(key)
    if (before === undefined) {
      const begun = { key, languages: new Map([[code, item]]), first: item }
      known.set(key, begun)
      merged.push(begun)
    } else if (before.languages.has(code)) merged.push(twice(key, code))
    else before.languages.set(code, item)
  }
  return merged.map((one) => (one instanceof ExpressionFault ? one : written(one)))
}

function twice(key: string, code: string): ExpressionFault {
  return new ExpressionFault(`merge: tells of ${shown(key)} in ${shown(code)} twice`)
}

/** Codes come from the payload: one may be any word, such as `__proto__`. */
function written({ key, languages, first }: Collected) {
  return { key, languages: Object.fromEntries(languages), first }
}

/** An item, and the name of the list that it stands in, where there are several. */
type Listed = { readonly item: unknown; readonly list: string | undefined }

function spread(found: unknown, { language }: Merge): readonly Listed[] {
  if (found === undefined || found === null) return []
  if (language !== undefined)
    return [found].flat().map((item: unknown) => ({ item, list: undefined }))
  return Object.entries(found).flatMap(([list, items]: [string, unknown]) =>
    [items].flat().map((item: unknown) => ({ item, list })),
  )
}

async function keysOf(
  item: unknown,
  list: string | undefined,
  { by, language }: Merge,
): Promise<readonly [key: string, language: string] | ExpressionFault> {
  try {
    const key = await by.evaluate(item)
    if (!isKey(key)) return new ExpressionFault('merge.by gives neither a text nor a number')
    const code = language === undefined ? list : await language.evaluate(item)
    if (typeof code === 'string' && code !== '') return [String(key), code]
    return new ExpressionFault('merge.language gives no text')
  } catch (error) {
    if (error instanceof ExpressionFault) return new ExpressionFault(`merge: ${error.message}`)
    throw error
  }
}

function isKey(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}
