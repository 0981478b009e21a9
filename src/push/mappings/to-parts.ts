import { unknownKind as unknownKindReason } from '../canonical/foreign.ts'
import type { Kind } from '../canonical/kind.ts'
import type { Part, Saving } from '../pipeline.ts'
import type { Rejection } from '../rejection.ts'
import { groupObjects } from './group-objects.ts'
import type { JoinedObject } from './group-objects.ts'
import type { Mapped } from './mapper.ts'

/** Kinds whose values tell where they come from. */
const withProvenance = ['measurements', 'events']

/**
 * What a mapped message stores: its objects, checked as those of a canonical message are. Rejections name
 * the item of the payload.
 */
export function* toParts(mapped: Mapped, kinds: readonly Kind[]): Iterable<Part> {
  const known = new Map(kinds.map((kind) => [kind.name, kind]))
  const { dataTypes } = mapped.mapping.definition
  const types = known.get('dataTypes')
  yield { ...nothing, rejected: mapped.rejected }
  if (dataTypes !== undefined && types !== undefined && mapped.objects.length > 0) {
    yield uncounted(types.prepare({ kind: 'dataTypes', items: dataTypes }))
  }
  for (const joined of groupObjects(mapped.objects)) {
    const kind = known.get(kindOf(joined.message))
    if (kind === undefined) yield { ...nothing, rejected: unknownKind(joined, known.keys()) }
    else yield toPart(kind, joined, mapped)
  }
}

const nothing: Part = {
  lines: [],
  rejected: [],
  recorded: undefined,
  store: () => Promise.resolve({ stored: 0, rejected: [] }),
}

/** What the mapping itself brings is nothing that was sent, and its operator may write everything. */
function uncounted(part: Part): Part {
  return {
    ...part,
    store: async (tx, saving) => ({
      ...(await part.store(tx, { ...saving, scope: undefined })),
      stored: 0,
    }),
  }
}

export function kindOf(message: object): string {
  return 'kind' in message && typeof message.kind === 'string' ? message.kind : ''
}

export function unknownKind(joined: JoinedObject, names: Iterable<string>): readonly Rejection[] {
  const all = [...names]
  const written = kindOf(joined.message)
  const reason =
    written === ''
      ? `each gives no canonical object with a kind; known: ${all.join(', ')}`
      : unknownKindReason(written, all)
  return sourcesOf(joined).map((index) => ({ index, pointer: '/kind', reason }))
}

function sourcesOf({ objects }: JoinedObject): readonly (number | null)[] {
  return [...new Set(objects)]
}

function toPart(kind: Kind, joined: JoinedObject, mapped: Mapped): Part {
  const { name, version } = mapped.mapping
  const { part, note } = prepareJoined(kind, withOrigin(joined.message, mapped), mapped)
  const place = (rejected: readonly Rejection[]) =>
    rejected.flatMap((one) => toSource(one, joined, kind.name))
  return {
    ...part,
    lines: part.lines.length === 0 ? [] : [undefined],
    rejected: [...place(part.rejected), ...note],
    warnings: place(part.warnings ?? []),
    store: async (tx, saving) => {
      const sources = joined.sources.map(({ source }) => source)
      const known: Saving = { ...saving, mapping: { name, version, sources } }
      const outcome = await part.store(tx, known)
      const { rejected, warnings = [] } = outcome
      return { ...outcome, rejected: place(rejected), warnings: place(warnings) }
    },
  }
}

/** With the provenance of the mapping, where the values of a kind have one. */
function withOrigin(message: object, { mapping }: Mapped): object {
  if (!withProvenance.includes(kindOf(message))) return message
  const { name, version, definition, stream } = mapping
  const lineage = definition.lineage ?? stream.split('/')[0] ?? stream
  return { ...message, provenance: { lineage, ...givenLineage(message), name, version } }
}

/**
 * Prepares an object. One that says it is complete is not believed when items could not be taken: those may
 * be the ones that would be missing.
 */
export function prepareJoined(kind: Kind, message: object, { rejected }: Mapped) {
  const part = kind.prepare(message)
  const isComplete = 'complete' in message && message.complete === true
  if (!isComplete || rejected.length + part.rejected.length === 0) return { part, note: [] }
  const note = { index: null, kind: kind.name, pointer: '/complete', reason: unproven }
  return { part: kind.prepare({ ...message, complete: false }), note: [note] }
}

const unproven = 'does not count, because some of the items were rejected: nothing is made inactive'

/** A lineage that the mapping's expression gives; name and version are always the mapping's. */
function givenLineage(message: object): { readonly lineage?: unknown } {
  if (!('provenance' in message)) return {}
  const { provenance } = message
  if (typeof provenance !== 'object' || provenance === null || !('lineage' in provenance)) return {}
  return { lineage: provenance.lineage }
}

/** A rejection of a joined object, as one of the item of the payload; of the whole, one for each of them. */
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
