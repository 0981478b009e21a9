import { isObject } from '../../lang/json.ts'
import type { Entity } from '../../content/index.ts'
import { decodeJson } from '../pipeline.ts'
import type { Decoded, Part, Pipeline } from '../pipeline.ts'
import { availabilityKind } from './availability.ts'
import { contentKind, nearlyCanonical, unknownKind, whyForeign } from './content.ts'
import { eventsKind } from './events.ts'
import { refuse, usualTogether } from './kind.ts'
import type { Kind, PlacedObject } from './kind.ts'
import { dataTypesKind, deletionKind, measurementsKind } from './measurements.ts'
import { edgesKind, stationsKind } from './stations.ts'

/** Every canonical format. A new one is one new file and one line here. */
export function canonicalKinds(entities: readonly Entity[]): readonly Kind[] {
  return [
    contentKind(entities),
    stationsKind,
    dataTypesKind,
    measurementsKind,
    edgesKind,
    eventsKind,
    availabilityKind,
    deletionKind,
  ]
}

/** Neighbours that may be stored together, at least one. */
type Run = readonly [Decoded, ...Decoded[]]

/**
 * Lines that stand side by side and differ in their `items` and `delete` only: a file with one record on
 * each line then takes no more statements than one with many. A line of anything else is by itself.
 */
export function* inRuns(
  decoded: Iterable<Decoded>,
  kinds: ReadonlyMap<string, Pick<Kind, 'mostTogether'>>,
): Iterable<Run> {
  let run: [Decoded, ...Decoded[]] | undefined
  let head: string | undefined
  let weight = 0
  for (const one of decoded) {
    const [ownHead, ownWeight] = [headOf(one), weightOf(one)]
    const isOfRun = ownHead !== undefined && ownHead === head
    const most = kinds.get(kindOf(toObject(one)) ?? '')?.mostTogether ?? usualTogether
    if (run !== undefined && isOfRun && weight + ownWeight <= most) {
      run.push(one)
      weight += ownWeight
    } else {
      if (run !== undefined) yield run
      ;[run, head, weight] = [[one], ownHead, ownWeight]
    }
  }
  if (run !== undefined) yield run
}

/** What must be the same; undefined for anything that is not an object, or has more in it than any kind. */
function headOf(decoded: Decoded): string | undefined {
  const object = toObject(decoded)
  if (object === undefined) return undefined
  const { items: _items, delete: _deletions, ...head } = object
  // What is nested deeply cannot be written again.
  const isFlat = Object.values(head).every(
    (member) =>
      typeof member !== 'object' || member === null || Object.values(member).every(isScalar),
  )
  return isFlat ? JSON.stringify(head) : undefined
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

/** A line without items counts too. */
function weightOf(decoded: Decoded): number {
  const { items, delete: deletions } = toObject(decoded) ?? {}
  return 1 + lengthOf(items) + lengthOf(deletions)
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0
}

function toObject(decoded: Decoded): Readonly<Partial<Record<string, unknown>>> | undefined {
  if (decoded.kind === 'broken') return undefined
  return isObject(decoded.value) ? decoded.value : undefined
}

/**
 * The pipeline of the canonical formats: JSON or NDJSON of objects with a known `kind`, on any stream
 * (decision D51a). A body without a single such object is not for this pipeline; beside one, what else
 * the lines hold is rejected.
 */
export function canonicalPipeline(kinds: readonly Kind[]): Pipeline {
  const known = new Map(kinds.map((kind) => [kind.name, kind]))
  return {
    id: 'canonical',
    nearly: (body) => nearlyCanonical(body, [...known.keys()]),
    read: (body) => {
      const decoded = decodeJson(body)
      if (!decoded.some((part) => part.kind === 'value' && known.has(kindOf(part.value) ?? ''))) {
        return { kind: 'foreign', fault: whyForeign(decoded, [...known.keys()]) }
      }
      return { kind: 'read', parts: checkRuns(known, decoded) }
    },
  }
}

function* checkRuns(known: ReadonlyMap<string, Kind>, decoded: readonly Decoded[]): Iterable<Part> {
  for (const run of inRuns(decoded, known)) yield checkRun(known, run)
}

function checkRun(known: ReadonlyMap<string, Kind>, run: Run): Part {
  const [first] = run
  const lines = run.map(({ line }) => line)
  if (first.kind === 'broken') return refuse([{ reason: first.reason }], lines)
  const written = kindOf(first.value) ?? ''
  const kind = known.get(written)
  if (kind === undefined) {
    return refuse([{ pointer: '/kind', reason: unknownKind(written, [...known.keys()]) }], lines)
  }
  return kind.checkTogether(run.flatMap(toPlaced))
}

function toPlaced(decoded: Decoded): readonly PlacedObject[] {
  if (decoded.kind === 'broken') return []
  const { value, line } = decoded
  return typeof value === 'object' && value !== null ? [{ message: value, line }] : []
}

function kindOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined
  return typeof value.kind === 'string' ? value.kind : undefined
}
