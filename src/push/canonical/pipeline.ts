import { decodeJson } from '../decode.ts'
import type { Decoded } from '../decode.ts'
import type { Part, Pipeline, PlacedPart } from '../pipeline.ts'
import { refuse } from './kind.ts'
import type { Kind } from './kind.ts'

/**
 * The pipeline of the canonical formats: JSON or NDJSON of objects with a known `kind`, on any stream
 * (decision D51a). A body without a single such object is not for this pipeline; beside one, what else
 * the lines hold is rejected.
 */
export function canonicalPipeline(kinds: readonly Kind[]): Pipeline {
  const known = new Map(kinds.map((kind) => [kind.name, kind]))
  return {
    id: 'canonical',
    prepare: (body) => {
      const decoded = decodeJson(body)
      if (!decoded.some((part) => part.kind === 'value' && known.has(kindOf(part.value) ?? ''))) {
        return { kind: 'foreign', reason: 'It has no object with a kind that the hub knows.' }
      }
      return { kind: 'prepared', parts: prepareParts(known, decoded) }
    },
  }
}

function* prepareParts(
  known: ReadonlyMap<string, Kind>,
  decoded: readonly Decoded[],
): Iterable<PlacedPart> {
  for (const part of decoded) yield preparePart(known, part)
}

function preparePart(known: ReadonlyMap<string, Kind>, decoded: Decoded): PlacedPart {
  const part =
    decoded.kind === 'broken'
      ? refuse([{ reason: decoded.reason }])
      : prepareValue(known, decoded.value)
  return { ...part, line: decoded.line }
}

function prepareValue(known: ReadonlyMap<string, Kind>, value: unknown): Part {
  const kind = known.get(kindOf(value) ?? '')
  if (kind === undefined || typeof value !== 'object' || value === null) {
    return unknownKind(known.keys())
  }
  return kind.prepare(value)
}

function unknownKind(names: Iterable<string>): Part {
  const reason = `is no known kind; known: ${[...names].join(', ')}`
  return refuse([{ pointer: '/kind', reason }])
}

function kindOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined
  return typeof value.kind === 'string' ? value.kind : undefined
}
