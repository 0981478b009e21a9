import { LanguageError } from '../../lang/index.ts'
import type { RawFilter } from './ast.ts'
import { readRawFilter } from './grammar.ts'
import { rejectedText } from './rejected-text.ts'

/**
 * Reads the `rawfilter` of a request.
 * @throws AppError HUB-QRY-005 with position, what was expected and a hint
 */
export function parseRawFilter(text: string): RawFilter {
  try {
    return readRawFilter(text)
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error
    throw rejectedText('rawfilter', error)
  }
}
