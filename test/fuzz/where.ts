import fc from 'fast-check'
import { latestLevel } from '../../src/timeseries/catalogue/levels.ts'
import { parseSelect } from '../../src/timeseries/select/grammar.ts'
import { resolveSelect } from '../../src/timeseries/select/resolve.ts'
import { compileWhere } from '../../src/timeseries/where/compile.ts'
import { parseWhere, printWhere } from '../../src/timeseries/where/grammar.ts'
import { resolveWhere } from '../../src/timeseries/where/resolve.ts'

/** Generates texts of tokens in any order, now and then with random text between them. */
function textsOf(...pieces: readonly string[]): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...pieces) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
  )
  const many = fc.tuple(piece, fc.integer({ min: 1, max: 4000 }))
  return fc.oneof(
    fc.array(piece, { maxLength: 60 }).map((parts) => parts.join('')),
    many.map(([part, times]) => part.repeat(times)),
  )
}

const clauses = ['scode.eq."x"', 'mvalue.gt.1.5', 'smetadata.a.0.in.(1,"b",null)', 'sname.re."a+"']
const fields = ['scode', 'smetadata', 'scoordinate', 'mvalue', 'mvalidtime', 'tname', 'pcode', 'x']
const operators = [
  '.eq.',
  '.neq.',
  '.in.(',
  '.bbi.(1,2,3,4',
  '.dlt.(9,',
  '.ire."',
  '.nre."(',
  '.gt.',
]
const values = [
  '1',
  '1e9',
  '-.5',
  'NaN',
  'true',
  'null',
  '2024-01-15',
  '2024-02-31',
  '"',
  '\\',
  "'",
]
const signs = ['and(', 'or(', '(', ')', ',', '.', ' ', '*', '\0', 'é', '\u{d800}']

type Target = {
  readonly name: string
  readonly texts: fc.Arbitrary<string>
  readonly read: (text: string) => unknown
}

export const whereTargets: readonly Target[] = [
  {
    name: 'where',
    texts: textsOf(...clauses, ...fields, ...operators, ...values, ...signs),
    read: (text) => {
      const expression = parseWhere(text, 'optional')
      const printed = printWhere(parseWhere(printWhere(expression), 'required'))
      return [printed, compileWhere(resolveWhere(expression, latestLevel).condition).text]
    },
  },
  {
    name: 'select',
    texts: textsOf(...fields, ...signs, 'max(', 'count(', 'sdatatypes', '.a.b'),
    read: (text) => resolveSelect(parseSelect(text), latestLevel),
  },
]
