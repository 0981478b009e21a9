import { asDocument } from './document.ts'

const int32 = { least: -2_147_483_648, most: 2_147_483_647 }

/** What holds values and no schemas. */
const values = new Set(['default', 'enum', 'const', 'example', 'examples'])

/**
 * Names the format of whole numbers (OpenAPI format registry): int32 where their limits fit into it,
 * else int64.
 */
export function addNumberFormats(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((member: unknown) => addNumberFormats(member))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(asDocument(value)).map(([name, member]): [string, unknown] => [
    name,
    values.has(name) && !isSchema(member) ? member : addNumberFormats(member),
  ])
  const format = 'type' in value && isInteger(value.type) ? { format: formatOf(value) } : {}
  return { ...format, ...Object.fromEntries(members) }
}

/** A member of a record may be called `default` or `example` too. */
function isSchema(member: unknown): boolean {
  return typeof member === 'object' && member !== null && 'type' in member
}

function isInteger(type: unknown): boolean {
  return type === 'integer' || (Array.isArray(type) && type.includes('integer'))
}

function formatOf(schema: object): 'int32' | 'int64' {
  const { minimum, maximum }: { readonly minimum?: unknown; readonly maximum?: unknown } = {
    ...schema,
  }
  const fits = (limit: unknown) =>
    typeof limit === 'number' && limit >= int32.least && limit <= int32.most
  return fits(minimum) && fits(maximum) ? 'int32' : 'int64'
}
