import { AppError } from '../../errors/index.ts'
import { fieldsOf } from '../../lang/json.ts'
import { kindOf, nothingOf, unproven } from '../canonical/kind.ts'
import type { Kind } from '../canonical/kind.ts'
import { unknownKind as unknownKindReason } from '../canonical/pipeline.ts'
import type { Mappings, Part, Saving } from '../pipeline.ts'
import type { Rejection } from '../rejection.ts'
import { limitsOf, streamsOf } from './definition/definition.ts'
import { createMapper } from './mapper.ts'
import type { Mapped, PlacedObject } from './mapper.ts'
import type { ProcessOptions } from './runner/mapping-process.ts'

/**
 * Maximum number of dry runs that wait for the evaluating process. Pushed messages wait behind
 * them.
 */
const maxTrials = 4

/** Creates the mappings of streams for the queue. */
export function mappingsOf(options: ProcessOptions, kinds: readonly Kind[]): Mappings {
  const mapper = createMapper(options)
  let trials = 0
  const evaluate: Mappings['evaluate'] = async (message) => {
    const mapped = await mapper.map(message)
    const { name, version, sha256 } = mapped.mapping
    const members = membersOf(mapped.objects)
    return { mapping: { name, version, sha256 }, members, parts: () => toParts(mapped, kinds) }
  }
  return {
    secondsFor: (stream) => {
      const mapping = mapper.of(stream)
      return mapping === undefined ? undefined : limitsOf(mapping.definition).seconds
    },
    evaluate,
    evaluateTrial: async (message) => {
      if (trials >= maxTrials) throw tooMany()
      trials += 1
      try {
        return await evaluate(message)
      } finally {
        trials -= 1
      }
    },
    close: () => mapper.close(),
  }
}

function tooMany(): AppError {
  return new AppError('HUB-SRV-007', `${String(maxTrials)} dry runs wait to be evaluated.`, {
    hint: 'Nothing of this request was stored. Send it again after the time in Retry-After.',
    headers: { 'retry-after': '5' },
  })
}

/** Limits of watched fields: messages with more fields, and longer names, are not watched. */
const maxMembers = 300
const maxNameLength = 200

/**
 * Returns the fields of canonical objects that have a value in some item, such as `stations Parking
 * metadata.capacity`. For measurements, returns the data types.
 */
export function membersOf(objects: readonly PlacedObject[]): readonly string[] {
  const found = new Set<string>()
  for (const { value } of objects) {
    const { kind, stationType, edgeType, entity, items } = fieldsOf(value)
    if (!Array.isArray(items)) continue
    const about = [kind, stationType ?? edgeType ?? entity].filter((one) => typeof one === 'string')
    for (const item of items) {
      for (const name of namesIn(item)) found.add([...about, name].join(' '))
      if (found.size > maxMembers) return []
    }
  }
  return [...found].filter((name) => name.length <= maxNameLength)
}

function namesIn(item: unknown): readonly string[] {
  if (Array.isArray(item)) return typeof item[1] === 'string' ? [item[1]] : []
  const { metadata, ...members } = fieldsOf(item)
  return [...withValue(members), ...withValue(fieldsOf(metadata)).map((name) => `metadata.${name}`)]
}

function withValue(members: object): readonly string[] {
  return Object.entries(members).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [name],
  )
}

/** Where an item of a joined object comes from. */
type ItemSource = {
  /** Item of the payload. Null for objects that come before its items. */
  readonly source: number | null
  /** Position of the item in the canonical object before it was joined. */
  readonly index: number
}

/** Canonical objects that differ only in their items, joined into one. */
export type JoinedObject = {
  readonly message: object
  /** Source of each item. */
  readonly sources: readonly ItemSource[]
  /** Payload item of each object that was joined. Null if the object comes before the items. */
  readonly objects: readonly (number | null)[]
}

/**
 * Order in which kinds are stored: deletions first, and objects before those that refer to them.
 */
const order = [
  'delete',
  'dataTypes',
  'stations',
  'edges',
  'measurements',
  'events',
  'content',
  'availability',
]

/**
 * Maximum items of an object. More are split into several objects, to limit the rows of a
 * statement.
 */
const maxItems = 2000

type Group = {
  readonly head: object
  readonly items: unknown[]
  readonly deletions: unknown[]
  readonly sources: ItemSource[]
  readonly objects: (number | null)[]
}

/**
 * Joins the objects that the items of a payload became, and orders them so that each finds what it
 * refers to. Objects of one kind stay in the order in which they first occur. Anything that is not
 * a canonical object stays separate.
 */
export function groupObjects(objects: readonly PlacedObject[]): readonly JoinedObject[] {
  const groups = new Map<string, Group>()
  objects.forEach((placed, number) => {
    const { items, delete: deletions, ...head } = fieldsOf(placed.value)
    const isPlain = isListOrNothing(items) && isListOrNothing(deletions)
    const key = isPlain ? JSON.stringify(head) : String(number)
    const group = groups.get(key) ?? begin(isPlain ? head : { ...head, items, delete: deletions })
    groups.set(key, group)
    group.objects.push(placed.source)
    if (isPlain) add(group, placed.source, { items, deletions })
  })
  const all = [...groups.values()].map((group) => ({ group, rank: rankOf(group.head) }))
  return all.toSorted((one, other) => one.rank - other.rank).flatMap(({ group }) => finish(group))
}

function isListOrNothing(value: unknown): value is readonly unknown[] | undefined {
  return value === undefined || Array.isArray(value)
}

function begin(head: object): Group {
  return { head, items: [], deletions: [], sources: [], objects: [] }
}

type Lists = {
  readonly items: readonly unknown[] | undefined
  readonly deletions: readonly unknown[] | undefined
}

function add(group: Group, source: number | null, { items = [], deletions = [] }: Lists): void {
  items.forEach((item, index) => {
    group.items.push(item)
    group.sources.push({ source, index })
  })
  for (const deletion of deletions) group.deletions.push(deletion)
}

function rankOf(head: object): number {
  const rank = order.indexOf(kindOf(head))
  return rank === -1 ? order.length : rank
}

/**
 * Splits a group into objects of limited size. A list with `complete` is not split. Deletions go to
 * the last object.
 */
function finish(group: Group): readonly JoinedObject[] {
  const { head, items, deletions, sources, objects } = group
  const size = 'complete' in head ? Math.max(1, items.length) : maxItems
  const count = Math.max(1, Math.ceil(items.length / size))
  return Array.from({ length: count }, (_, part) => {
    const [from, to] = [part * size, (part + 1) * size]
    const isLast = part === count - 1
    return {
      message: {
        ...head,
        ...(items.length === 0 ? {} : { items: items.slice(from, to) }),
        ...(deletions.length === 0 || !isLast ? {} : { delete: deletions }),
      },
      sources: sources.slice(from, to),
      objects:
        count === 1 ? objects : [...new Set(sources.slice(from, to).map(({ source }) => source))],
    }
  })
}

/** Kinds whose values have a provenance. */
const withProvenance = ['measurements', 'events']

/**
 * Yields the parts of a mapped message: its objects, checked like those of a canonical message.
 * Rejections name the item of the payload.
 */
export function* toParts(mapped: Mapped, kinds: readonly Kind[]): Iterable<Part> {
  const known = new Map(kinds.map((kind) => [kind.name, kind]))
  const { dataTypes } = mapped.mapping.definition
  const types = known.get('dataTypes')
  yield { ...nothingOf(mapped.rejected), unlisted: mapped.unlisted ?? 0 }
  if (dataTypes !== undefined && types !== undefined && mapped.objects.length > 0) {
    yield uncounted(types.check({ kind: 'dataTypes', items: dataTypes }))
  }
  for (const joined of groupObjects(mapped.objects)) {
    const kind = known.get(kindOf(joined.message))
    if (kind === undefined) yield nothingOf(unknownKind(joined, known.keys()))
    else yield toPart(kind, joined, mapped)
  }
}

/**
 * Makes the storing of a part uncounted and unrestricted. Data types of the mapping itself were not
 * sent, and its operator may write everything.
 */
function uncounted(part: Part): Part {
  return {
    ...part,
    store: async (tx, saving) => ({
      ...(await part.store(tx, { ...saving, scope: undefined })),
      stored: 0,
    }),
  }
}

export function unknownKind(joined: JoinedObject, names: Iterable<string>): readonly Rejection[] {
  const all = [...names]
  const written = kindOf(joined.message)
  const reason =
    written === ''
      ? `each does not return a canonical object with a kind; known: ${all.join(', ')}`
      : unknownKindReason(written, all)
  return sourcesOf(joined).map((index) => ({ index, pointer: '/kind', reason }))
}

function sourcesOf({ objects }: JoinedObject): readonly (number | null)[] {
  return [...new Set(objects)]
}

function toPart(kind: Kind, joined: JoinedObject, mapped: Mapped): Part {
  const { name, version, definition } = mapped.mapping
  const alongside = streamsOf(definition)
  const { part, note } = checkJoined(kind, withOrigin(joined.message, mapped), mapped)
  const place = (rejected: readonly Rejection[]) =>
    rejected.flatMap((one) => toSource(one, joined, kind.name))
  return {
    ...part,
    lines: part.lines.length === 0 ? [] : [undefined],
    rejected: [...place(part.rejected), ...note],
    warnings: place(part.warnings ?? []),
    store: async (tx, saving) => {
      const sources = joined.sources.map(({ source }) => source)
      const known: Saving = { ...saving, alongside, mapping: { name, version, sources } }
      const outcome = await part.store(tx, known)
      const { rejected, warnings = [] } = outcome
      return { ...outcome, rejected: place(rejected), warnings: place(warnings) }
    },
  }
}

/** Adds the provenance of the mapping if values of this kind have one. */
function withOrigin(message: object, { mapping }: Mapped): object {
  if (!withProvenance.includes(kindOf(message))) return message
  const { name, version, definition, stream } = mapping
  const [provider = stream] = stream.split('/')
  // An expression of the mapping may set the lineage, but name and version are always the
  // mapping's.
  const { lineage = definition.lineage ?? provider } = fieldsOf(fieldsOf(message)['provenance'])
  return { ...message, provenance: { lineage, name, version } }
}

/**
 * Checks an object. `complete` is ignored if items were rejected, because those would count as
 * missing.
 */
export function checkJoined(kind: Kind, message: object, { rejected }: Mapped) {
  const part = kind.check(message)
  const isComplete = 'complete' in message && message.complete === true
  if (!isComplete || rejected.length + part.rejected.length === 0) return { part, note: [] }
  return {
    part: kind.check({ ...message, complete: false }),
    note: [{ ...unproven, kind: kind.name }],
  }
}

/**
 * Converts a rejection of a joined object to one of the payload item. A rejection of the whole
 * object becomes one for each of its payload items.
 */
export function toSource(
  { index, pointer, ...rest }: Rejection,
  joined: JoinedObject,
  kind: string,
): readonly Rejection[] {
  const place = index === null ? undefined : joined.sources[index]
  if (index === null || place === undefined) {
    const whole = { ...(pointer === undefined ? {} : { pointer }), ...rest, kind }
    return sourcesOf(joined).map((source) => ({ index: source, ...whole }))
  }
  const [before, after] = [`/items/${String(index)}`, `/items/${String(place.index)}`]
  const moved = pointer?.startsWith(before) ? `${after}${pointer.slice(before.length)}` : pointer
  return [
    { index: place.source, ...(moved === undefined ? {} : { pointer: moved }), ...rest, kind },
  ]
}
