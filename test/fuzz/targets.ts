import fc from 'fast-check'
import { entitiesOf } from '../../src/content/entities/index.ts'
import { parseFields, selectFields } from '../../src/content/representation.ts'
import { parseArea } from '../../src/content/geography/area.ts'
import { toNaming } from '../../src/content/naming.ts'
import {
  compileRawFilter,
  parseRawFilter,
  printRawFilter,
} from '../../src/content/rawfilter/index.ts'
import { compileRawSort, parseRawSort } from '../../src/content/rawsort.ts'
import { compileTagFilter, parseTagFilter } from '../../src/content/tagfilter.ts'
import { AppError } from '../../src/errors/index.ts'
import { LanguageError, toRegex } from '../../src/lang/index.ts'
import { cpuMilliseconds } from '../fixtures/cpu-milliseconds.ts'
import { whereTargets } from './where.ts'

/** A parser of text from callers. It must either parse or reject any text, and do so quickly. */
export type FuzzTarget = {
  readonly name: string
  readonly texts: fc.Arbitrary<string>
  readonly read: (text: string) => unknown
}

const naming = toNaming('Hub')
const [entity] = entitiesOf(naming)
if (entity === undefined) throw new Error('There is no entity')
const scope = { entity, naming }

/** Generates texts from tokens of a language, which now and then are valid. */
function textsOf(...pieces: readonly string[]): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...pieces) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
  )
  const many = fc.tuple(piece, fc.integer({ min: 1, max: 3_000 }))
  return fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(piece, { maxLength: 60 }).map((parts) => parts.join('')),
    many.map(([part, times]) => part.repeat(times)),
  )
}

const signs = [
  '(',
  ')',
  ',',
  '.',
  "'",
  '"',
  '[',
  ']',
  '[*]',
  '[]',
  ' ',
  '\t',
  '\0',
  '\u{d800}',
  'é',
  '-',
  '0',
  '1e9',
]
const regexes = [
  '\\',
  '\\d',
  '\\b',
  '(?:',
  '(?=',
  '*',
  '+',
  '?',
  '{9}',
  '{1,50}',
  '|',
  '^',
  '$',
  '[^a-z]',
  '[z-a]',
]

/** Every language that callers write. Add new ones here. */
export const fuzzTargets: readonly FuzzTarget[] = [
  {
    name: 'rawfilter',
    texts: textsOf(
      ...[
        'and(',
        'or(',
        'not(',
        'eq(',
        'ne(A,',
        'in(A.[*],',
        'nin(',
        'like(A,',
        'likein(A,',
        'isnull(',
      ],
      ...[
        "dt'2026-02-29'",
        "dt'",
        'true',
        'nan',
        '0x1p3',
        'Detail.de.Title',
        "'/a+/'",
        "''",
        ...signs,
        ...regexes,
      ],
    ),
    read: (text) => {
      const filter = parseRawFilter(text)
      return [compileRawFilter(filter, scope).text, printRawFilter(filter)]
    },
  },
  {
    name: 'rawsort',
    texts: textsOf('A', '-Detail.de', 'Tags[*]', 'Tags.[].Id', ...signs),
    read: (text) => compileRawSort(parseRawSort(text), scope),
  },
  {
    name: 'fields',
    texts: textsOf('Id', 'Detail.de.Title', "Mapping['a.b']", '[0]', '[99999999]', '..', ...signs),
    read: (text) => selectFields({ Id: 'x', Detail: { de: [1] } }, parseFields(text.split(','))),
  },
  {
    name: 'tagfilter',
    texts: textsOf('and(', 'or(', 'summer', 'a,b', ...signs),
    read: (text) => compileTagFilter(parseTagFilter(text)),
  },
  {
    name: 'polygon',
    texts: textsOf(
      ...[
        'POLYGON((',
        'MULTIPOLYGON(((',
        'LINESTRING(',
        'POINT(',
        'bbc(',
        'bbi(',
        ';SRID=',
        '4326',
      ],
      ...['10 46', '12,47', '-1e999', '+', 'EMPTY', 'it.municipality.', ...signs],
    ),
    read: parseArea,
  },
  ...whereTargets,
  { name: 'regex', texts: textsOf('a', '.', ...signs, ...regexes), read: toRegex },
]

/**
 * Maximum duration in milliseconds: far more than any text of this length needs, even on a busy
 * machine.
 */
const longest = 500

/**
 * Parses random texts.
 * @throws Error with a text that was neither parsed nor rejected, or took too long
 */
export function fuzz({ texts, read }: FuzzTarget, runs: number): void {
  fc.assert(
    fc.property(texts, (text) => {
      const tryIt = () => {
        try {
          read(text)
        } catch (error) {
          const isRefusal =
            error instanceof AppError ? error.status === 400 : error instanceof LanguageError
          if (!isRefusal) throw error
        }
      }
      const started = performance.now()
      tryIt()
      if (performance.now() - started < longest) return
      // The machine may have been busy, so measure again in processor time.
      const took = cpuMilliseconds(tryIt)
      if (took > longest) throw new Error(`It took ${String(Math.round(took))} ms.`)
    }),
    { numRuns: runs },
  )
}
