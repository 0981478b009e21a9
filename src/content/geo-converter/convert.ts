import { inSlices, yieldToEventLoop } from '../../async/index.ts'
import { AppError } from '../../errors/index.ts'
import { notUnderstood } from './faults.ts'
import { printShapes, together } from './geometry.ts'
import type { Shapes } from './geometry.ts'
import { createGpxReader, gpxParts } from './read-gpx.ts'
import { createKmlReader } from './read-kml.ts'
import type { Found, Reader } from './reader.ts'
import { scanXml } from './scan-xml.ts'
import type { XmlFile } from './scan-xml.ts'

/** A kind of file that can be converted: how it is read, and the parts that it may hold. */
export type Conversion = {
  readonly name: 'KML' | 'GPX'
  readonly createReader: () => Reader
  readonly parts: readonly string[]
}

export const kml: Conversion = {
  name: 'KML',
  createReader: createKmlReader,
  parts: ['placemarks'],
}
export const gpx: Conversion = { name: 'GPX', createReader: createGpxReader, parts: gpxParts }

/** Which parts of the file are requested; without any, the first that it contains. */
export type Choice = { readonly parts?: readonly string[] | undefined; readonly isStrict: boolean }

/** Characters of an answer that are put together at a time. */
const mostAtOnce = 65_536

/**
 * Converts a file to GeoJSON as it comes. However large it is, others get their turn every few
 * milliseconds.
 * @returns the JSON text, in pieces
 * @throws AppError HUB-GEO-001, HUB-GEO-004, HUB-BDY-003; HUB-QRY-003 under strict handling
 */
export async function convert(
  conversion: Conversion,
  file: XmlFile,
  choice: Choice,
): Promise<readonly string[]> {
  const reader = conversion.createReader()
  for await (const events of scanXml(file, reader.texts)) {
    for (const event of events) {
      await inSlices(reader.take(event)[Symbol.iterator]())
    }
    await yieldToEventLoop()
  }
  return joined(printShapes(chooseShapes(conversion, reader.found(), choice)))
}

function chooseShapes(
  { name, parts }: Conversion,
  found: Found,
  { parts: wanted, isStrict }: Choice,
): Shapes {
  const held = parts.filter((part) => (found[part]?.count ?? 0) > 0)
  const [first] = held
  if (first === undefined) throw notUnderstood(`The ${name} file holds no geometry.`)
  if (wanted === undefined && isStrict && held.length > 1) throw leftOut(held)
  const chosen = wanted === undefined ? [first] : held.filter((part) => wanted.includes(part))
  if (chosen.length > 0) return together(chosen.flatMap((part) => found[part] ?? []))
  throw notUnderstood(
    `The file holds none of ${String(wanted?.join(', '))}, but ${held.join(' and ')}.`,
  )
}

function leftOut(held: readonly string[]): AppError {
  const [first, ...others] = held
  return new AppError(
    'HUB-QRY-003',
    `The file holds ${held.join(' and ')}; only ${String(first)} would be converted.`,
    {
      issues: [
        { parameter: 'parts', detail: `does not choose ${others.join(', ')}`, expected: held },
      ],
    },
  )
}

/** Texts in pieces that are neither many nor large. */
async function joined(texts: Iterable<string>): Promise<readonly string[]> {
  const pieces: string[] = []
  let piece = ''
  for (const text of texts) {
    piece += text
    if (piece.length < mostAtOnce) continue
    pieces.push(piece)
    piece = ''
    await yieldToEventLoop()
  }
  return [...pieces, piece]
}
