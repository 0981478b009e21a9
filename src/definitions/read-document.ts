import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { LineCounter, isScalar, parseDocument } from 'yaml'
import type { Document } from 'yaml'
import { schemaIssues } from '../errors/index.ts'
import { nearest } from '../lang/index.ts'
import { fieldsOf, namesIn } from '../lang/json.ts'
import type { DefinitionFault } from './faults.ts'

/** Limits for definition files. YAML with nested aliases could otherwise expand without end. */
const maxCharacters = 1_000_000
const maxAliases = 100

/**
 * Finds the position of a field in the file. `offset` counts characters within the field's text.
 */
export type Locate = (
  path: readonly (string | number)[],
  offset?: number,
) => { readonly line: number; readonly column: number }

/** A fault in the field at a path. */
export type Wrong = { readonly path: readonly (string | number)[]; readonly reason: string }

export type ReadDocument<Value> =
  | {
      readonly kind: 'read'
      readonly value: Value
      readonly document: Document
      readonly locate: Locate
    }
  | { readonly kind: 'wrong'; readonly faults: readonly DefinitionFault[] }

type Form<Schema extends TSchema> = {
  readonly schema: Schema
  /** Name of the file's kind in error messages, such as `The mapping`. */
  readonly title: string
  /** Parts that report their own faults, because those of the schema would not help. */
  readonly parts?: {
    readonly has: (path: readonly string[]) => boolean
    readonly faults: (value: unknown) => readonly Wrong[]
  }
}

/** Returns a reader of YAML files that must match a schema. Pure. */
export function readDocument<Schema extends TSchema>({ schema, title, parts }: Form<Schema>) {
  const guard = Compile(schema)
  const topNames = Object.keys(fieldsOf(fieldsOf(schema)['properties']))
  const allNames = [...new Set(namesOfSchema(schema))]
  const whatIsWrong = (value: unknown): readonly Wrong[] => {
    const others = schemaIssues(guard.Errors(value)).flatMap(({ pointer, detail, expected }) => {
      const path = namesIn(pointer)
      if (parts?.has(path) === true) return []
      const allowed = expected === undefined ? '' : ` (allowed: ${expected.join(', ')})`
      const names = path.length === 1 ? topNames : allNames
      return [{ path, reason: `${detail}${allowed}${hintFor(path, detail, names)}` }]
    })
    return [...(parts?.faults(value) ?? []), ...others]
  }
  /** @param file its name in the faults */
  return (text: string, file: string): ReadDocument<Static<Schema>> => {
    const parsed = parse(text, file)
    if (parsed.kind === 'wrong') return parsed
    const { value, document, locate } = parsed
    const found = whatIsWrong(value)
    if (found.length === 0 && guard.Check(value)) return { kind: 'read', value, document, locate }
    return wrong(
      found.map(({ path, reason }) => {
        const name = path.length === 0 ? title : path.join('.')
        return { file, ...locate(path), reason: `${name} ${reason}` }
      }),
    )
  }
}

function parse(text: string, file: string): ReadDocument<unknown> {
  if (text.length > maxCharacters)
    return wrong([{ file, reason: 'has more than 1,000,000 characters' }])
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: true,
    prettyErrors: false,
  })
  if (document.errors.length > 0) {
    return wrong(
      document.errors.map(({ message, pos: [start] }) => ({
        file,
        ...at(lines, start),
        reason: message,
      })),
    )
  }
  const value = toValue(document)
  if (value.kind === 'wrong') return wrong([{ file, reason: value.reason }])
  return { kind: 'read', value: value.value, document, locate: locator(document, lines, text) }
}

function toValue(document: Document) {
  try {
    const value: unknown = document.toJS({ maxAliasCount: maxAliases })
    return { kind: 'value', value } as const
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'cannot be read'
    return { kind: 'wrong', reason } as const
  }
}

function wrong(
  faults: readonly DefinitionFault[],
): Extract<ReadDocument<never>, { kind: 'wrong' }> {
  return { kind: 'wrong', faults }
}

function hintFor(path: readonly string[], detail: string, names: readonly string[]): string {
  if (!detail.includes('not a known field')) return ''
  const meant = nearest(path.at(-1) ?? '', names)
  return meant === undefined ? '' : `. Did you mean ${meant}?`
}

function namesOfSchema(schema: object): readonly string[] {
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value !== 'object' || value === null) return []
    const own = key === 'properties' ? Object.keys(value) : []
    return [...own, ...namesOfSchema(value)]
  })
}

function at(lines: LineCounter, offset: number) {
  const { line, col } = lines.linePos(offset)
  return { line, column: col }
}

/**
 * Returns a function that finds fields in the text. A missing field is searched for in its nearest
 * existing parent.
 */
function locator(document: Document, lines: LineCounter, text: string): Locate {
  return (path, offset = 0) => {
    for (let depth = path.length; depth >= 0; depth--) {
      const node: unknown =
        depth === 0 ? document.contents : document.getIn(toKeys(path.slice(0, depth)), true)
      const range = rangeOf(node)
      if (range === undefined) continue
      if (depth < path.length) return at(lines, keyOffset(text, range, path[depth]) ?? range[0])
      return inText(node, { lines, text, start: range[0], offset })
    }
    return { line: 1, column: 1 }
  }
}

const toKeys = (path: readonly (string | number)[]) =>
  path.map((name) => (/^\d+$/.test(String(name)) ? Number(name) : name))

function rangeOf(node: unknown): readonly [number, number] | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined
  const [start, end] = listOf(node.range)
  return typeof start === 'number' && typeof end === 'number' ? [start, end] : undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/**
 * Returns the offset of a key that has no value node in the text, such as that of an empty field.
 */
function keyOffset(
  text: string,
  [start, end]: readonly [number, number],
  name: string | number | undefined,
): number | undefined {
  const found = text.slice(start, end).indexOf(`${String(name)}:`)
  return found === -1 ? undefined : start + found
}

type Inside = {
  readonly lines: LineCounter
  readonly text: string
  readonly start: number
  readonly offset: number
}

/** Returns a position in a value. Lines of a literal block (`|`) are unchanged, but indented. */
function inText(node: unknown, { lines, text, start, offset }: Inside) {
  const begin = at(lines, start)
  if (!isScalar(node) || node.type !== 'BLOCK_LITERAL' || typeof node.value !== 'string')
    return begin
  const before = node.value.slice(0, offset).split('\n')
  const firstLine = text.slice(text.indexOf('\n', start) + 1)
  const indent = /^ */.exec(firstLine)?.[0].length ?? 0
  return {
    line: begin.line + before.length,
    column: indent + (before.at(-1)?.length ?? 0) + 1,
  }
}
