import { isDeepStrictEqual } from 'node:util'
import type { Operation } from 'rfc6902'
import { fieldsOf, isObject, pointerTo, textsOf, withoutFields } from '../../lang/json.ts'
import type { SentRecord } from './read-edits.ts'

/**
 * Returns the paths of the fields that the hub generated when it stored a record, such as
 * `GpsPoints`.
 */
function generatedIn(record: SentRecord): readonly string[] {
  return textsOf(fieldsOf(record['_Meta'])['Generated'])
}

/**
 * Returns a record without the generated fields that the editor sent back unchanged. They are
 * generated again from the record that was sent. Those in lists are, too, if the list was changed:
 * which of them the editor wrote is unknown.
 */
export function withoutReturned(sent: SentRecord, present: SentRecord): SentRecord {
  const returned = generatedIn(present).filter((path) => {
    const names = path.split('.')
    return isInList(sent, names) || isDeepStrictEqual(valueAt(sent, names), valueAt(present, names))
  })
  return withoutFields(sent, returned)
}

function isInList(record: SentRecord, names: readonly string[]): boolean {
  const parents = names.slice(0, -1).map((_, index) => valueAt(record, names.slice(0, index + 1)))
  return parents.some(Array.isArray)
}

/** Returns the value at a path. A path through a list leads to a list of values. */
function valueAt(value: unknown, [name, ...further]: readonly string[]): unknown {
  if (name === undefined) return value
  if (Array.isArray(value)) return value.map((item) => valueAt(item, [name, ...further]))
  return valueAt(fieldsOf(value)[name], further)
}

type Members = Readonly<Record<string, unknown>>

/** Fields that result from the save itself, not from what was written (decision D28). */
const ofEverySave = ['_Meta', 'LastChange', 'FirstImport', 'HasLanguage']

/**
 * Limit of characters printed plus pairs of elements compared, reached after a few milliseconds.
 */
const maxWork = 500_000

/** Progress of one comparison. If no work is left, lists that differ are replaced as a whole. */
type Comparison = { readonly operations: Operation[]; workLeft: number }

type Pair<Value> = { readonly before: Value; readonly after: Value }

/**
 * Returns a JSON patch (RFC 6902) that turns the first state of a record into the second. It is
 * empty if the content is the same. Both states must have their fields in the order in which the
 * database stores them.
 */
export function differenceOf(before: Members, after: Members): readonly Operation[] {
  const comparison: Comparison = { operations: [], workLeft: maxWork }
  const contents = { before: contentOf(before), after: contentOf(after) }
  compareObjects(comparison, '', contents)
  return comparison.operations
}

function contentOf(record: Members): Members {
  return withoutFields(record, [...ofEverySave, ...generatedIn(record)])
}

function compare(comparison: Comparison, path: string, { before, after }: Pair<unknown>): void {
  if (before === after) return
  if (isObject(before) && isObject(after)) {
    compareObjects(comparison, path, { before, after })
    return
  }
  if (comparison.workLeft > 0 && Array.isArray(before) && Array.isArray(after)) {
    compareLists(comparison, path, { before, after })
    return
  }
  replaceUnlessEqual(comparison, path, { before, after })
}

function replaceUnlessEqual(
  comparison: Comparison,
  path: string,
  { before, after }: Pair<unknown>,
): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return
  comparison.operations.push({ op: 'replace', path, value: after })
}

function compareObjects(comparison: Comparison, path: string, { before, after }: Pair<Members>) {
  for (const name of Object.keys(before)) {
    if (Object.hasOwn(after, name)) continue
    comparison.operations.push({ op: 'remove', path: pointerTo(path, name) })
  }
  for (const [name, value] of Object.entries(after)) {
    if (Object.hasOwn(before, name)) continue
    comparison.operations.push({ op: 'add', path: pointerTo(path, name), value })
  }
  for (const [name, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, name)) continue
    compare(comparison, pointerTo(path, name), { before: before[name], after: value })
  }
}

function compareLists(
  comparison: Comparison,
  path: string,
  { before, after }: Pair<readonly unknown[]>,
) {
  const numbers = numberElements(comparison, { before, after })
  const { start, middle } = differingPart(numbers)
  const pairs = middle.before.length * middle.after.length
  if (pairs > comparison.workLeft) {
    replaceUnlessEqual(comparison, path, { before, after })
    return
  }
  comparison.workLeft -= pairs
  let [read, written] = [start, start]
  for (const step of fewestSteps(middle)) {
    const at = pointerTo(path, String(written))
    const value = after[written]
    if (step === 'remove') comparison.operations.push({ op: 'remove', path: at })
    if (step === 'add') comparison.operations.push({ op: 'add', path: at, value })
    if (step === 'change') compare(comparison, at, { before: before[read], after: value })
    if (step !== 'add') read += 1
    if (step !== 'remove') written += 1
  }
}

/**
 * Numbers the elements of both lists. Equal elements have equal numbers, so that comparing two
 * elements takes one step. The numbers are meaningless once no work is left.
 */
function numberElements(
  comparison: Comparison,
  { before, after }: Pair<readonly unknown[]>,
): Pair<readonly number[]> {
  const known = new Map<string, number>()
  const numberOf = (element: unknown) => {
    if (comparison.workLeft < 0) return known.size
    const text = JSON.stringify(element)
    comparison.workLeft -= text.length
    const number = known.get(text) ?? known.size
    known.set(text, number)
    return number
  }
  return { before: before.map(numberOf), after: after.map(numberOf) }
}

/** Returns the lists without the elements with which both start and end. */
function differingPart({ before, after }: Pair<readonly number[]>) {
  const start = commonStart(before, after)
  const [old, wanted] = [before.slice(start), after.slice(start)]
  const end = commonStart(old.toReversed(), wanted.toReversed())
  const middle = {
    before: old.slice(0, old.length - end),
    after: wanted.slice(0, wanted.length - end),
  }
  return { start, middle }
}

function commonStart(before: readonly number[], after: readonly number[]): number {
  const different = before.findIndex((number, index) => number !== after[index])
  return different === -1 ? before.length : different
}

type Step = 'keep' | 'remove' | 'add' | 'change'

/** Returns the fewest steps, in order, that turn one list into the other (Levenshtein distance). */
function fewestSteps({ before, after }: Pair<readonly number[]>): readonly Step[] {
  const costAt = distances({ before, after })
  const steps: Step[] = []
  let [row, column] = [before.length, after.length]
  while (row > 0 || column > 0) {
    const step = stepTo(row, column)
    steps.push(step)
    if (step !== 'add') row -= 1
    if (step !== 'remove') column -= 1
  }
  return steps.reverse()

  function stepTo(row: number, column: number): Step {
    if (row === 0) return 'add'
    if (column === 0) return 'remove'
    if (before[row - 1] === after[column - 1]) return 'keep'
    const cost = costAt(row, column) - 1
    if (costAt(row - 1, column) === cost) return 'remove'
    return costAt(row, column - 1) === cost ? 'add' : 'change'
  }
}

/**
 * Returns a function for the number of steps between the first elements of one list and the first
 * elements of the other.
 */
function distances({ before, after }: Pair<readonly number[]>) {
  const width = after.length + 1
  const costs = new Uint32Array((before.length + 1) * width)
  const costAt = (row: number, column: number) => costs[row * width + column] ?? 0
  for (let row = 0; row <= before.length; row += 1) {
    for (let column = 0; column < width; column += 1) {
      costs[row * width + column] = costOf(row, column)
    }
  }
  return costAt

  function costOf(row: number, column: number): number {
    if (row === 0 || column === 0) return row + column
    if (before[row - 1] === after[column - 1]) return costAt(row - 1, column - 1)
    const [removed, added] = [costAt(row - 1, column), costAt(row, column - 1)]
    return 1 + Math.min(removed, added, costAt(row - 1, column - 1))
  }
}
