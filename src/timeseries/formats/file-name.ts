import type { Format } from './format.ts'

const longest = 100

/**
 * Says under which name a file is kept, such as `ParkingStation-free-latest.parquet`.
 * @param segments of the path after the representation
 * @returns the header `Content-Disposition` (RFC 6266); undefined for what browsers show
 */
export function dispositionOf(
  { extension }: Format,
  segments: readonly string[],
): string | undefined {
  if (extension === undefined) return undefined
  const words = segments.join('-').match(/[A-Za-z0-9]+/g) ?? []
  const name = words.join('-').slice(0, longest)
  return `attachment; filename="${name === '' ? 'all' : name}.${extension}"`
}
