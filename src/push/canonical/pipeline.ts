import { decodeJson } from '../decode.ts'
import type { Decoded } from '../decode.ts'
import type { Part, Pipeline } from '../pipeline.ts'
import { inRuns } from './in-runs.ts'
import type { Run } from './in-runs.ts'
import { nearlyCanonical, unknownKind, whyForeign } from './foreign.ts'
import { refuse } from './kind.ts'
import type { Kind, PlacedObject } from './kind.ts'

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
    prepare: (body) => {
      const decoded = decodeJson(body)
      if (!decoded.some((part) => part.kind === 'value' && known.has(kindOf(part.value) ?? ''))) {
        return { kind: 'foreign', fault: whyForeign(decoded, [...known.keys()]) }
      }
      return { kind: 'prepared', parts: prepareParts(known, decoded) }
    },
  }
}

function* prepareParts(
  known: ReadonlyMap<string, Kind>,
  decoded: readonly Decoded[],
): Iterable<Part> {
  for (const run of inRuns(decoded)) yield prepareRun(known, run)
}

function prepareRun(known: ReadonlyMap<string, Kind>, run: Run): Part {
  const [first] = run
  const lines = run.map(({ line }) => line)
  if (first.kind === 'broken') return refuse([{ reason: first.reason }], lines)
  const written = kindOf(first.value) ?? ''
  const kind = known.get(written)
  if (kind === undefined) {
    return refuse([{ pointer: '/kind', reason: unknownKind(written, [...known.keys()]) }], lines)
  }
  return kind.prepareTogether(run.flatMap(toPlaced))
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
