import { AppError } from '../../errors/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { Kind } from '../canonical/kind.ts'
import type { MappedMessage, Mappings } from '../pipeline.ts'
import type { Rejection } from '../rejection.ts'
import { listStreams, storeStream } from '../streams.ts'
import type { LoadedMapping } from './definition/definition.ts'
import { limitsOf } from './evaluate/compile-mapping.ts'
import { createMapper } from './mapper.ts'
import type { Mapped, PlacedObject } from './mapper.ts'
import type { ProcessOptions } from './runner/mapping-process.ts'
import { groupObjects, kindOf, prepareJoined, toParts, toSource, unknownKind } from './to-parts.ts'
import type { JoinedObject } from './to-parts.ts'

type Registered = Pick<LoadedMapping, 'stream' | 'definition'>

/**
 * Has streams treated as their mappings say. What a mapping does not say stays as the operator set it
 * (`hub push stream`).
 */
export async function registerStreams(
  tx: Transaction,
  mappings: readonly Registered[],
): Promise<void> {
  const known = new Map((await listStreams(tx)).map((one) => [one.stream, one]))
  for (const { stream, definition } of mappings) {
    const { ordered, keepDays, mediaTypes } = definition
    if (ordered === undefined && keepDays === undefined && mediaTypes === undefined) continue
    const before = known.get(stream)
    await storeStream(tx, {
      stream,
      isOrdered: ordered ?? before?.isOrdered ?? false,
      keepDays: keepDays ?? before?.keepDays ?? null,
      mediaTypes: mediaTypes?.map((type) => type.toLowerCase()) ?? before?.mediaTypes ?? null,
    })
  }
}

/** So many dry runs wait at most for the process that evaluates; what was pushed waits behind them. */
const mostTrials = 4

/** The mappings of streams, as the queue uses them. */
export function mappingsOf(options: ProcessOptions, kinds: readonly Kind[]): Mappings {
  const mapper = createMapper(options)
  let trials = 0
  const prepare: Mappings['prepare'] = async (message) => {
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
    prepare,
    prepareTrial: async (message) => {
      if (trials >= mostTrials) throw tooMany()
      trials += 1
      try {
        return await prepare(message)
      } finally {
        trials -= 1
      }
    },
    close: () => mapper.close(),
  }
}

function tooMany(): AppError {
  return new AppError('HUB-SRV-007', `${String(mostTrials)} dry runs wait to be evaluated.`, {
    hint: 'Nothing of this request was stored. Send it again after the time in Retry-After.',
    headers: { 'retry-after': '5' },
  })
}

/** Longer names and more members are not watched. */
const mostMembers = 300
const longestName = 200

/**
 * The members of canonical objects that have a value in some item, as `stations Parking metadata.capacity`; of
 * measurements the data types.
 */
export function membersOf(objects: readonly PlacedObject[]): readonly string[] {
  const found = new Set<string>()
  for (const { value } of objects) {
    const { kind, stationType, edgeType, entity, items } = toObject(value)
    if (!Array.isArray(items)) continue
    const about = [kind, stationType ?? edgeType ?? entity].filter((one) => typeof one === 'string')
    for (const item of items) {
      for (const name of namesIn(item)) found.add([...about, name].join(' '))
      if (found.size > mostMembers) return []
    }
  }
  return [...found].filter((name) => name.length <= longestName)
}

function namesIn(item: unknown): readonly string[] {
  if (Array.isArray(item)) return typeof item[1] === 'string' ? [item[1]] : []
  const { metadata, ...members } = toObject(item)
  return [...withValue(members), ...withValue(toObject(metadata)).map((name) => `metadata.${name}`)]
}

function withValue(members: object): readonly string[] {
  return Object.entries(members).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [name],
  )
}

function toObject(value: unknown): Readonly<Partial<Record<string, unknown>>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** What a mapping makes of a payload, before it is compared with what is stored. */
export type Preview = {
  /** Canonical objects of what its items became, without the items that are rejected. */
  readonly objects: readonly object[]
  readonly rejected: readonly Rejection[]
}

type Deps = Omit<ProcessOptions, 'mappings'> & { readonly kinds: readonly Kind[] }

/** Tries mappings out, without a database. */
export type Previewer = {
  readonly preview: (
    mapping: LoadedMapping,
    message: Omit<MappedMessage, 'stream'>,
  ) => Promise<Preview>
  readonly close: () => Promise<void>
}

export function previewer(
  mappings: readonly LoadedMapping[],
  { kinds, ...options }: Deps,
): Previewer {
  const mapper = createMapper({ ...options, mappings })
  return {
    preview: async ({ stream }, message) =>
      toPreview(await mapper.map({ ...message, stream }), kinds),
    close: () => mapper.close(),
  }
}

function toPreview(mapped: Mapped, kinds: readonly Kind[]): Preview {
  const known = new Map(kinds.map((kind) => [kind.name, kind]))
  const rejected = [...mapped.rejected]
  const objects: object[] = []
  for (const joined of groupObjects(mapped.objects)) {
    const kind = known.get(kindOf(joined.message))
    if (kind === undefined) {
      for (const one of unknownKind(joined, known.keys())) rejected.push(one)
      continue
    }
    const { part, note } = prepareJoined(kind, joined.message, mapped)
    const placed = part.rejected.flatMap((one) => toSource(one, joined, kind.name))
    for (const one of [...placed, ...note]) rejected.push(one)
    const taken = withoutRejected(joined, part.rejected)
    if (taken !== undefined) objects.push(taken)
  }
  return { objects, rejected }
}

function withoutRejected(
  { message }: JoinedObject,
  rejected: readonly Rejection[],
): object | undefined {
  if (rejected.some(({ index, pointer }) => index === null && pointer !== '/items'))
    return undefined
  if (!('items' in message) || !Array.isArray(message.items)) return message
  const bad = new Set(rejected.map(({ index }) => index))
  const items = message.items.filter((_, index) => !bad.has(index))
  return items.length === 0 && message.items.length > 0 ? undefined : { ...message, items }
}

/** As JSON in which each item has a line of its own, for people and for version control. */
export function printPreview({ objects, rejected }: Preview): string {
  const shown = objects.map((object) => {
    const { items, ...head } = toListed(object)
    const members = Object.entries(head).map(
      ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    )
    const list = items === undefined ? [] : [`"items": ${printList(items, 6)}`]
    return `    {\n      ${[...members, ...list].join(',\n      ')}\n    }`
  })
  const inside = shown.length === 0 ? '[]' : `[\n${shown.join(',\n')}\n  ]`
  return `{\n  "objects": ${inside},\n  "rejected": ${printList(rejected, 2)}\n}\n`
}

function toListed(object: object): { readonly items?: readonly unknown[] } {
  return 'items' in object && Array.isArray(object.items)
    ? { ...object, items: object.items }
    : { ...object }
}

function printList(values: readonly unknown[], depth: number): string {
  if (values.length === 0) return '[]'
  const indent = ' '.repeat(depth)
  const lines = values.map((value) => `${indent}  ${JSON.stringify(value)}`)
  return `[\n${lines.join(',\n')}\n${indent}]`
}
