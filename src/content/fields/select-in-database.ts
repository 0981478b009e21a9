import { join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Entity } from '../entity.ts'
import { languages } from '../representation/reduce-language.ts'
import type { FieldPath, Step } from './path.ts'

type Selection = {
  readonly entity: Entity
  /** Whether closed members are left out for this caller (decision D34). */
  readonly reduced: boolean
  readonly fields: readonly FieldPath[]
  readonly language?: string | undefined
}

/** A function of PostgreSQL takes 100 arguments, two for each member, and `Id` is one. */
const mostPaths = 49

const codes: readonly string[] = languages

/**
 * Whether the database can select these fields exactly as `selectFields` does: paths of members
 * only, and none that is made when the record is read. (A number would lead PostgreSQL into a text too.)
 */
export function canSelectInDatabase({ entity, reduced, fields, language }: Selection): boolean {
  if (fields.length === 0 || fields.length > mostPaths) return false
  // The one member of `_Meta` that depends on the caller.
  const made = reduced && entity.closedMembers.length > 0 ? ['Self', '_Meta'] : ['Self']
  return fields.every(({ text, steps }) => {
    const [first] = steps
    if (first?.kind !== 'member' || made.includes(first.name)) return false
    // A member of the answer named like a language would fall to the reduction that follows.
    if (language !== undefined && codes.includes(text)) return false
    return steps.every(({ kind }) => kind === 'member')
  })
}

/** The flat object that `fields` asks for, `Id` first, built by the database (decision D23). */
export function selectInDatabase(selection: Selection): Sql {
  const members = selection.fields
    .filter(({ text }) => text !== 'Id')
    .map((path) => sql`${path.text}::text, ${valueAt(path, selection)}`)
  return sql`json_build_object(${join([sql`'Id', data -> 'Id'`, ...members], ', ')})`
}

function valueAt({ steps }: FieldPath, { entity, reduced, language }: Selection): Sql {
  const names = steps.flatMap((step) => (step.kind === 'member' ? [step.name] : []))
  const isClosed = reduced && entity.closedMembers.includes(names[0] ?? '')
  // The language is reduced before the fields are selected: what is gone by then is null.
  const isReduced =
    language !== undefined && names.some((name) => name !== language && codes.includes(name))
  return isClosed || isReduced ? sql`null::jsonb` : steps.reduce(follow, sql`data`)
}

/** A text leads into objects only, as it should. */
function follow(value: Sql, step: Step): Sql {
  if (step.kind !== 'member') throw new TypeError('only members are selected in the database')
  return sql`${value} -> ${step.name}::text`
}
