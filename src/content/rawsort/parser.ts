import { LanguageError } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'
import { acceptSign, openSource, readField, rejectedText, skipBlanks } from '../rawfilter/index.ts'
import type { RawSort, SortKey } from './ast.ts'

const mostKeys = 20

/**
 * rawsort = key , { "," key } (reference content.md 2.1).
 * @throws AppError HUB-QRY-006 with position, what was expected and a hint
 */
export function parseRawSort(text: string): RawSort {
  try {
    const cursor = openSource(text)
    skipBlanks(cursor)
    const keys = [readKey(cursor)]
    while (acceptSign(cursor, ',')) {
      if (keys.length === mostKeys) throw cursor.fail(`at most ${mostKeys} fields`)
      keys.push(readKey(cursor))
    }
    skipBlanks(cursor)
    if (!cursor.isAtEnd()) throw cursor.fail('","', 'the end')
    return { keys }
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error
    throw rejectedText('rawsort', error)
  }
}

/** key = [ "-" ] , field */
function readKey(cursor: Cursor): SortKey {
  const direction = cursor.accept('-') ? 'descending' : 'ascending'
  skipBlanks(cursor)
  return { field: readField(cursor), direction }
}
