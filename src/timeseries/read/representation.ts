import { AppError } from '../../errors/index.ts'

/** How an answer is laid out, and what it shows (interface 4.8). */
export type Representation = {
  readonly structure: 'flat' | 'tree'
  readonly type: 'node' | 'edge' | 'event'
}

export const structures = ['flat', 'tree'] as const

/** In the order of precedence: `edge` beats `event` beats `node` (reference 1.1). */
const types = ['edge', 'event', 'node'] as const

/** The name under which a representation is listed and linked. */
export const nameOf = ({ structure, type }: Representation): string => `${structure},${type}`

/**
 * Reads the representation segment: words in any order and letter case; without a type it is node.
 * Words beside a type are ignored, as the public system does (reference 1.1).
 * @throws AppError HUB-QRY-001
 */
export function parseRepresentation(segment: string): Representation {
  const words = segment
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '')
  const type = types.find((known) => words.includes(known))
  const structure = structures.find((known) => words.includes(known))
  const understood = words.every((word) => structures.some((known) => known === word))
  const contradicts = structures.every((known) => words.includes(known))
  if (structure === undefined || (type === undefined && !understood)) throw unknown(segment)
  if (contradicts && (type === undefined || type === 'node')) throw unknown(segment)
  return { structure, type: type ?? 'node' }
}

function unknown(segment: string): AppError {
  const expected = structures.flatMap((structure) =>
    ['node', 'edge', 'event'].map((type) => `${structure},${type}`),
  )
  return new AppError('HUB-QRY-001', `There is no representation ${JSON.stringify(segment)}.`, {
    hint: `One of: ${expected.join('; ')}. Without a type it is node.`,
    issues: [{ parameter: 'representation', detail: 'is no representation', expected }],
  })
}
