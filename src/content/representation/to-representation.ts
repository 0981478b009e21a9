import type { Entity } from '../entity.ts'
import { parseFields } from '../fields/parse-fields.ts'
import { canSelectInDatabase } from '../fields/select-in-database.ts'
import type { Representation } from './represent.ts'

type Asked = {
  readonly language?: string
  readonly fields?: readonly string[]
  readonly removenullvalues: boolean
}

/**
 * What the parameters of a request want to see of each record.
 * @throws AppError HUB-QRY-004 for a path in `fields` that cannot be read
 */
export function toRepresentation(
  { language, fields: written, removenullvalues }: Asked,
  of: { readonly entity: Entity; readonly reduced: boolean },
): Representation {
  const fields = parseFields(written ?? [])
  const selectedBy = canSelectInDatabase({ ...of, fields, language }) ? 'database' : 'hub'
  return { language, fields, selectedBy, removeNullValues: removenullvalues }
}
