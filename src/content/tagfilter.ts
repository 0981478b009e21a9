import { LanguageError, createCursor } from '../lang/index.ts'
import type { Cursor } from '../lang/index.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'

/** A parsed `tagfilter`, which matches records with any of the tags or with all of them. */
export type TagFilter = { readonly kind: 'any' | 'all'; readonly tags: readonly string[] }

const longest = 10_000
const maxTags = 500

/**
 * Parses `tagfilter` (interface 4.2, decision D27).
 *
 * ```
 * tagfilter = tags | "and" "(" tags ")" | "or" "(" tags ")"
 * tags      = tag { "," tag } [ "," ]
 * tag       = any characters but "(", ")" and ","; spaces around it are ignored
 * ```
 * @throws LanguageError with the position
 */
export function parseTagFilter(text: string): TagFilter {
  if (text.length > longest) {
    throw new LanguageError(`is longer than ${String(longest)} characters`, { position: longest })
  }
  const cursor = createCursor(text)
  const operator = cursor.match(/\s*(and|or)\s*\(/iy)
  const tags = parseTags(cursor)
  if (operator !== undefined && !cursor.accept(')')) throw cursor.fail('","', '")"')
  cursor.match(/\s*/y)
  if (!cursor.isAtEnd()) throw refuseRest(cursor, text)
  return { kind: operator?.trim().toLowerCase().startsWith('and') ? 'all' : 'any', tags }
}

/** tags = tag { "," tag } [ "," ] */
function parseTags(cursor: Cursor): readonly string[] {
  const tags = new Set<string>()
  do {
    const tag = cursor.match(/[^(),]+/y)?.trim() ?? ''
    if (tag === '') {
      if (tags.size > 0 && cursor.match(/(?=\)|$)/y) !== undefined) return [...tags]
      throw cursor.fail('a tag')
    }
    tags.add(tag)
    if (tags.size > maxTags) {
      throw new LanguageError(`has more than ${String(maxTags)} tags`, {
        position: cursor.position(),
      })
    }
  } while (cursor.accept(','))
  return [...tags]
}

function refuseRest(cursor: Cursor, text: string): LanguageError {
  const isMixed = /\b(and|or)\s*\(/i.test(text.slice(1))
  const { message, position } = cursor.fail('the end')
  const hint = isMixed
    ? 'and(…) and or(…) cannot be mixed or nested; a rawfilter can: or(in(TagIds,"a"),in(TagIds,"b")).'
    : 'Write a,b or or(a,b) for any of the tags, and(a,b) for all of them.'
  return new LanguageError(message, { position, expected: ['the end'], hint })
}

/**
 * Returns the condition of a tag filter. Tags are compared exactly, and no record has an unknown
 * one (interface 2.3, decision D27).
 */
export function compileTagFilter({ kind, tags }: TagFilter): Sql {
  return kind === 'all' ? sql`tag_ids @> ${tags}::text[]` : sql`tag_ids && ${tags}::text[]`
}

/** Prints the canonical text. Parsing it gives the same filter. */
export function printTagFilter({ kind, tags }: TagFilter): string {
  return `${kind === 'all' ? 'and' : 'or'}(${tags.join(',')})`
}
