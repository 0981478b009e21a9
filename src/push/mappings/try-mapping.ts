import type { DefinitionFault } from '../../definitions/index.ts'
import { AppError } from '../../errors/index.ts'
import type { Kind } from '../canonical/kind.ts'
import type { Rejection } from '../rejection.ts'
import { limitsOf } from './definition/definition.ts'
import type { LoadedMapping } from './definition/definition.ts'
import { readMapping } from './definition/load-mapping.ts'
import { createDraftMapper } from './mapper.ts'
import { toPreview } from './preview.ts'
import type { ProcessOptions } from './runner/mapping-process.ts'

/** A mapping that is being written, and a payload for it. */
export type Draft = {
  readonly text: string
  readonly files: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly contentType: string | null
  readonly received: Date
}

export type DraftOutcome = {
  /** Faults of the mapping. If there are any, nothing is evaluated. */
  readonly faults: readonly DefinitionFault[]
  /** Version and stream of the mapping. Null if the mapping has faults. */
  readonly mapping: { readonly version: string; readonly stream: string } | null
  readonly objects: readonly object[]
  readonly rejected: readonly Rejection[]
  /** Number of items in `objects` before they were cut. */
  readonly items: number
}

type Deps = Omit<ProcessOptions, 'mappings'> & { readonly kinds: readonly Kind[] }

/** Trials of mappings that are not stored, in another process than the one for pushes. */
export type DraftTrials = {
  /** @throws AppError HUB-SRV-007 if too many trials are waiting */
  readonly try: (draft: Draft) => Promise<DraftOutcome>
  readonly close: () => Promise<void>
}

/**
 * Maximum seconds of a trial, because its author waits for it. The mappings of pushes may take
 * longer.
 */
const seconds = 5
/** Maximum bytes of a payload, including everything unpacked from it. */
const maxPayload = 2_097_152
const maxWaiting = 8
/** Maximum items and rejections in a response. Nobody reads more while writing. */
const maxShown = 500

export function draftTrials({ kinds, ...options }: Deps): DraftTrials {
  const maxBytes = Math.min(options.maxBytes, maxPayload)
  const mapper = createDraftMapper({ ...options, maxBytes })
  let waiting = 0
  const evaluate = async (mapping: LoadedMapping, { body, contentType, received }: Draft) => {
    if (waiting >= maxWaiting) throw tooMany()
    waiting += 1
    try {
      const { stream } = mapping
      return await mapper.map(bounded(mapping), { stream, body, contentType, received })
    } finally {
      waiting -= 1
    }
  }
  return {
    try: async (draft) => {
      const read = await readDraft(draft)
      if (read.kind === 'wrong') return { ...nothing, faults: read.faults }
      const { version, stream } = read.mapping
      const { objects, rejected } = toPreview(await evaluate(read.mapping, draft), kinds)
      const shown = { faults: [], mapping: { version, stream }, ...cut(objects) }
      return { ...shown, rejected: rejected.slice(0, maxShown) }
    },
    close: mapper.close,
  }
}

const nothing = { faults: [], mapping: null, objects: [], rejected: [], items: 0 } as const

function readDraft({ text, files }: Draft) {
  return readMapping({
    ...{ name: 'draft', file: 'mapping.yaml', bytes: Buffer.from(text) },
    beside: (file) =>
      Promise.resolve(Object.hasOwn(files, file) ? Buffer.from(files[file] ?? '') : undefined),
  })
}

function bounded(mapping: LoadedMapping): LoadedMapping {
  const { definition } = mapping
  const limits = limitsOf(definition)
  return {
    ...mapping,
    definition: {
      ...definition,
      limits: {
        ...limits,
        seconds: Math.min(limits.seconds, seconds),
        itemSeconds: Math.min(limits.itemSeconds, seconds),
      },
    },
  }
}

/** Returns objects with their first items only, and the number of all items. */
function cut(all: readonly object[]) {
  const objects: object[] = []
  let items = 0
  for (const object of all) {
    const own = 'items' in object && Array.isArray(object.items) ? object.items : []
    const room = maxShown - items
    if (room > 0)
      objects.push(own.length > room ? { ...object, items: own.slice(0, room) } : object)
    items += own.length
  }
  return { objects, items }
}

function tooMany(): AppError {
  return new AppError('HUB-SRV-007', `${String(maxWaiting)} mappings wait to be tried.`, {
    hint: 'Send it again after the time in Retry-After.',
    headers: { 'retry-after': '1' },
  })
}
