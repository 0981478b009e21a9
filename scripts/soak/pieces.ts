import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Parse } from 'typebox/value'
import { outcomes } from './judge.ts'
import type { Seen } from './report.ts'

/** One run of a soak that continues in pieces, stored as a line of a file beside the database. */
const piece = Type.Object({
  /** Prefix of the ids of the records of this run. */
  name: Type.String(),
  minutes: Type.Number(),
  ...{ records: Type.Integer(), times: Type.Integer(), lost: Type.Integer() },
  faults: Type.Integer(),
  /** The median of each measure in its last quarter. */
  sizes: Type.Record(Type.String(), Type.Number()),
  outcomes: Type.Record(Type.String(), Type.Integer()),
})

export type Piece = Static<typeof piece>

const fileOf = (place: string) => join(place, 'pieces.ndjson')

export async function loadPieces(place: string): Promise<readonly Piece[]> {
  const text = await readFile(fileOf(place), 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => Parse(piece, JSON.parse(line)))
}

/** @returns all pieces including the new one */
export async function addPiece(place: string, seen: Seen): Promise<readonly Piece[]> {
  const { name, minutes, acknowledged, lost, faults, growth, tally } = seen
  const sizes = Object.entries(growth).map(([measure, { after }]) => [measure, after] as const)
  const added: Piece = {
    ...{ name, minutes, ...acknowledged, lost: lost.length, faults: faults.length },
    sizes: Object.fromEntries(sizes),
    outcomes: Object.fromEntries(outcomes.map((what) => [what, tally.total(what)])),
  }
  await appendFile(fileOf(place), `${JSON.stringify(added)}\n`)
  return loadPieces(place)
}

/** Formats the total of all pieces for people to read. */
export function toTotal(pieces: readonly Piece[]): string {
  const sum = (of: (piece: Piece) => number) =>
    String(pieces.reduce((all, one) => all + of(one), 0))
  return [
    `All ${String(pieces.length)} pieces: ${sum(({ minutes }) => minutes)} minutes, ${sum(({ faults }) => faults)} faults,`,
    `${sum(({ records }) => records)} records and values of ${sum(({ times }) => times)} times acknowledged, ${sum(({ lost }) => lost)} lost;`,
    outcomes.map((what) => `${what} ${sum((one) => one.outcomes[what] ?? 0)}`).join(', '),
    ...Object.keys(pieces[0]?.sizes ?? {}).map((measure) => {
      const sizes = pieces.map((one) => (one.sizes[measure] ?? 0).toFixed(0))
      return `${measure} at the end of each: ${sizes.join(', ')}`
    }),
  ].join('\n')
}
