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

/** A mapping that somebody is writing, and a payload for it. */
export type Draft = {
  readonly text: string
  readonly files: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly contentType: string | null
  readonly received: Date
}

export type DraftOutcome = {
  /** What is wrong with the mapping; with any of these nothing is evaluated. */
  readonly faults: readonly DefinitionFault[]
  /** What it is for; null where it cannot be read. */
  readonly mapping: { readonly version: string; readonly stream: string } | null
  readonly objects: readonly object[]
  readonly rejected: readonly Rejection[]
  /** How many items `objects` had before they were cut. */
  readonly items: number
}

type Deps = Omit<ProcessOptions, 'mappings'> & { readonly kinds: readonly Kind[] }

/** Tries out mappings that are stored nowhere, in a process of its own beside the one that pushes use. */
export type DraftTrials = {
  /** @throws AppError HUB-SRV-007 when too many wait */
  readonly try: (draft: Draft) => Promise<DraftOutcome>
  readonly close: () => Promise<void>
}

/** Whoever writes a mapping waits for it: a shipped one may take longer. */
const seconds = 5
/** Bytes of a payload with everything unpacked from it. */
const mostBytes = 2_097_152
const mostWaiting = 8
/** Items and rejections in an answer; more nobody reads while writing. */
const mostShown = 500

export function draftTrials({ kinds, ...options }: Deps): DraftTrials {
  const maxBytes = Math.min(options.maxBytes, mostBytes)
  const mapper = createDraftMapper({ ...options, maxBytes })
  let waiting = 0
  const evaluate = async (mapping: LoadedMapping, { body, contentType, received }: Draft) => {
    if (waiting >= mostWaiting) throw tooMany()
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
      return { ...shown, rejected: rejected.slice(0, mostShown) }
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

/** The first items of objects, and how many there were. */
function cut(all: readonly object[]) {
  const objects: object[] = []
  let items = 0
  for (const object of all) {
    const own = 'items' in object && Array.isArray(object.items) ? object.items : []
    const room = mostShown - items
    if (room > 0)
      objects.push(own.length > room ? { ...object, items: own.slice(0, room) } : object)
    items += own.length
  }
  return { objects, items }
}

function tooMany(): AppError {
  return new AppError('HUB-SRV-007', `${String(mostWaiting)} mappings wait to be tried.`, {
    hint: 'Send it again after the time in Retry-After.',
    headers: { 'retry-after': '1' },
  })
}
