import { anonymous } from '../../access/index.ts'
import { AppError } from '../../errors/index.ts'
import type { Issue } from '../../errors/index.ts'
import { nearest } from '../../lang/index.ts'
import { deprecatedUses, membersOf } from '../deprecations/index.ts'
import type { Entity } from '../entity.ts'
import { parseFields } from '../fields.ts'
import { filtersOf } from '../filters/index.ts'
import { fieldsIn, parseRawFilter, toStoredField } from '../rawfilter/index.ts'
import { parseRawSort } from '../rawsort.ts'

/** The parameters of lists that hold a small language. */
export const expressions = ['rawfilter', 'rawsort', 'tagfilter', 'polygon', 'fields'] as const
type ExpressionName = (typeof expressions)[number]

/** What is to be said of an expression before it is sent. */
export type Checked = {
  readonly valid: boolean
  /** As the hub understood it; null where it did not. */
  readonly canonical: string | null
  readonly errors: readonly Issue[]
  /** What is answered, but perhaps not what was meant. */
  readonly warnings: readonly Issue[]
}

/** Reads an expression as a list would, and runs nothing: shapes and tags are not looked up. */
export function checkExpression(entity: Entity, name: ExpressionName, written: string): Checked {
  try {
    const canonical = name === 'fields' ? readFields(written) : readFilter(entity, name, written)
    return { valid: true, canonical, errors: [], warnings: warningsOf(entity, name, written) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { message, issues, hint } = error
    const [first = { parameter: name, detail: message }, ...others] = issues
    const reported = hint === undefined || first.hint !== undefined ? first : { ...first, hint }
    return { valid: false, canonical: null, errors: [reported, ...others], warnings: [] }
  }
}

/** Without a canonical text where the meaning has to be looked up. */
function readFilter(entity: Entity, name: ExpressionName, written: string): string | null {
  const filter = filtersOf(entity).find((one) => one.name === name)
  const query = { [name]: written }
  const reading = filter?.read({ entity, query, principal: anonymous, now: undefined })
  return typeof reading === 'object' ? reading.text : null
}

function readFields(written: string): string {
  return parseFields(written.split(','))
    .map(({ text }) => text)
    .join(',')
}

function warningsOf(entity: Entity, name: ExpressionName, written: string): readonly Issue[] {
  const fields = name === 'fields' ? parseFields(written.split(',')) : []
  const uses = deprecatedUses(entity, { fields, query: { [name]: written } })
  return [
    ...uses.map(({ name: member, description, removedAfter }) => ({
      parameter: name,
      detail: `${member} is deprecated and may be removed after ${removedAfter}`,
      hint: description,
    })),
    ...unknownMembers(entity, name, written),
  ]
}

/** Records may have members that no schema names, so an unknown one is not an error. */
function unknownMembers(entity: Entity, name: string, written: string): readonly Issue[] {
  const known = Object.keys(membersOf(entity.schema))
  return membersNamed(entity, name, written).flatMap(({ member, position }) => {
    if (member === '' || known.includes(member)) return []
    const meant = nearest(member, known)
    const hint = meant === undefined ? {} : { hint: `Did you mean ${meant}?` }
    const detail = `No member ${member} is described for ${entity.name}`
    return [{ parameter: name, detail, position, ...hint }]
  })
}

function membersNamed(entity: Entity, name: string, written: string) {
  if (name === 'fields') return chosenMembers(written)
  const scope = { entity, naming: entity.naming }
  return fieldsNamed(name, written).map((field) => {
    const [member = ''] = toStoredField(field, scope).names
    return { member, position: field.span.start }
  })
}

/** The first members of the paths in `fields`, with the places of the paths. */
function chosenMembers(written: string) {
  let position = 0
  return written.split(',').flatMap((part) => {
    const start = position + part.length - part.trimStart().length
    position += part.length + 1
    return parseFields([part]).flatMap(({ steps: [first] }) =>
      first?.kind === 'member' ? [{ member: first.name, position: start }] : [],
    )
  })
}

function fieldsNamed(name: string, written: string) {
  if (name === 'rawfilter') return fieldsIn(parseRawFilter(written))
  return name === 'rawsort' ? parseRawSort(written).keys.map(({ field }) => field) : []
}
