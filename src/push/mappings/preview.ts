import { kindOf } from '../canonical/kind.ts'
import type { Kind } from '../canonical/kind.ts'
import type { MappedMessage } from '../pipeline.ts'
import { noteOfUnlisted } from '../rejection.ts'
import type { Rejection } from '../rejection.ts'
import type { LoadedMapping } from './definition/definition.ts'
import { createMapper } from './mapper.ts'
import type { Mapped } from './mapper.ts'
import { checkJoined, groupObjects, toSource, unknownKind } from './mappings.ts'
import type { JoinedObject } from './mappings.ts'
import type { ProcessOptions } from './runner/mapping-process.ts'

/** Result of a mapping for a payload, before it is compared with what is stored. */
export type Preview = {
  /** Canonical objects, without the rejected items. */
  readonly objects: readonly object[]
  readonly rejected: readonly Rejection[]
}

type Deps = Omit<ProcessOptions, 'mappings'> & { readonly kinds: readonly Kind[] }

/** Evaluator of mappings that needs no database. */
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

/** Returns what would be stored of a mapped message. */
export function toPreview(mapped: Mapped, kinds: readonly Kind[]): Preview {
  const known = new Map(kinds.map((kind) => [kind.name, kind]))
  const rejected = [...mapped.rejected]
  let { unlisted = 0 } = mapped
  const objects: object[] = []
  for (const joined of groupObjects(mapped.objects)) {
    const kind = known.get(kindOf(joined.message))
    if (kind === undefined) {
      for (const one of unknownKind(joined, known.keys())) rejected.push(one)
      continue
    }
    const { part, note } = checkJoined(kind, joined.message, mapped)
    const placed = part.rejected.flatMap((one) => toSource(one, joined, kind.name))
    for (const one of [...placed, ...note]) rejected.push(one)
    unlisted += part.unlisted ?? 0
    const taken = withoutRejected(joined, part.rejected)
    if (taken !== undefined) objects.push(taken)
  }
  return { objects, rejected: [...rejected, ...noteOfUnlisted(unlisted, 'rejections')] }
}

function withoutRejected(
  { message }: JoinedObject,
  rejected: readonly Rejection[],
): object | undefined {
  if (rejected.some(({ index }) => index === null)) return undefined
  if (!('items' in message) || !Array.isArray(message.items)) return message
  const bad = new Set(rejected.map(({ index }) => index))
  const items = message.items.filter((_, index) => !bad.has(index))
  return items.length === 0 && message.items.length > 0 ? undefined : { ...message, items }
}

/** Prints a preview as JSON with one item per line, for people and for version control. */
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
