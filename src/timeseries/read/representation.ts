import { AppError } from '../../errors/index.ts'

/** The layout of a response, and what it shows (interface 4.8). */
export type Representation = {
  readonly structure: 'flat' | 'tree'
  readonly type: 'node' | 'edge' | 'event'
}

export const structures = ['flat', 'tree'] as const

const types = ['node', 'edge', 'event'] as const

/** Returns the name under which a representation is listed and linked. */
export const nameOf = ({ structure, type }: Representation): string => `${structure},${type}`

/**
 * Parses the representation segment: a structure and optionally a type, in any order and letter
 * case. The default type is node (interface 4.8).
 * @throws AppError with the list of representations: HUB-QRY-001 for an unknown word or for two
 * structures, as the public system does, HUB-RTE-001 for known words that do not form a
 * representation
 */
export function parseRepresentation(segment: string): Representation {
  const words = segment.split(',').map((word) => word.trim().toLowerCase())
  const structure = structures.find((known) => words.includes(known))
  const type = types.find((known) => words.includes(known))
  const understood = [structure, type].filter((word) => word !== undefined)
  if (structure === undefined || understood.length !== words.length) throw unknown(segment, words)
  return { structure, type: type ?? 'node' }
}

function unknown(segment: string, words: readonly string[]): AppError {
  const known: readonly string[] = [...structures, ...types, '']
  const isRefused =
    words.some((word) => !known.includes(word)) ||
    structures.every((structure) => words.includes(structure))
  const code = isRefused ? 'HUB-QRY-001' : 'HUB-RTE-001'
  const expected = structures.flatMap((structure) =>
    types.map((type) => nameOf({ structure, type })),
  )
  return new AppError(code, `There is no representation ${JSON.stringify(segment)}.`, {
    hint: `One of: ${expected.join('; ')}. Without a type it is node.`,
    issues: [{ parameter: 'representation', detail: 'is not a representation', expected }],
  })
}
