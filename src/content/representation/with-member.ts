import { parseFields } from '../fields/parse-fields.ts'
import type { Representation } from './represent.ts'

/**
 * The representation of records to which a member is added when they are read: `fields` does not cut it
 * (reference content.md 8.1.6). What is asked for inside of it is selected after it is there.
 */
export function withMember(wanted: Representation, name: string): Representation {
  const { fields } = wanted
  if (fields.length === 0) return wanted
  const isAsked = fields.some(
    ({ steps: [first] }) => first?.kind !== 'member' || first.name === name,
  )
  if (isAsked) return { ...wanted, selectedBy: 'hub' }
  return { ...wanted, fields: [...fields, ...parseFields([name])] }
}
