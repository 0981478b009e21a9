import { AppError } from '../../errors/index.ts'
import { LanguageError, createCursor } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'
import type { FieldPath, Step } from './path.ts'

const limits = { paths: 200, length: 500, steps: 20 }

/**
 * The paths of a `fields` parameter, each once, in the order of the request (decision D23).
 * @throws AppError HUB-QRY-004 with the position in the path
 */
export function parseFields(written: readonly string[]): readonly FieldPath[] {
  const texts = [...new Set(written.map((text) => text.trim()))]
  if (texts.length > limits.paths) {
    throw new AppError('HUB-QRY-004', `fields takes at most ${String(limits.paths)} paths.`)
  }
  return texts.map((text) => {
    try {
      return { text, steps: parsePath(text) }
    } catch (error) {
      throw error instanceof LanguageError ? badPath(text, error) : error
    }
  })
}

function badPath(text: string, { message, position, expected }: LanguageError): AppError {
  return new AppError('HUB-QRY-004', `fields: ${JSON.stringify(text)} is no path. ${message}`, {
    issues: [{ parameter: 'fields', detail: message, position, expected }],
    hint: "Paths look like Detail.en.Title, Tags.[*].Id, ImageGallery.[0] or Mapping['key.with.dots'].",
  })
}

/** path = step , { "." step | bracket } */
function parsePath(text: string): readonly Step[] {
  const cursor = createCursor(text)
  if (text.length > limits.length) throw cursor.fail(`at most ${String(limits.length)} characters`)
  const steps = [parseStep(cursor)]
  while (!cursor.isAtEnd()) {
    if (steps.length === limits.steps) throw cursor.fail(`at most ${String(limits.steps)} steps`)
    const bracket = parseBracket(cursor)
    if (bracket === undefined && !cursor.accept('.')) throw cursor.fail('"."', '"["', 'the end')
    steps.push(bracket ?? parseStep(cursor))
  }
  return steps
}

/** step = name | bracket */
function parseStep(cursor: Cursor): Step {
  const bracket = parseBracket(cursor)
  if (bracket !== undefined) return bracket
  const name = cursor.match(/[^.[\]'"\s]+/y)
  if (name === undefined) throw cursor.fail('a member name', '"["')
  return { kind: 'member', name }
}

/** bracket = "[" , ( "*" | index | quoted | nothing ) , "]" */
function parseBracket(cursor: Cursor): Step | undefined {
  if (!cursor.accept('[')) return undefined
  const step = parseBracketed(cursor)
  if (!cursor.accept(']')) throw cursor.fail('"]"')
  return step
}

function parseBracketed(cursor: Cursor): Step {
  const quoted = cursor.match(/'[^']*'|"[^"]*"/y)
  if (quoted !== undefined) return { kind: 'member', name: quoted.slice(1, -1) }
  const index = cursor.match(/\d{1,6}/y)
  if (index !== undefined) return { kind: 'element', index: Number(index) }
  cursor.accept('*')
  return { kind: 'each' }
}
