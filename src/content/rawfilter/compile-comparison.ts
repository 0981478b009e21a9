import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Comparison, Operator } from './ast.ts'
import { printNumber } from './parse-number.ts'
import { flagColumn, jsonAt, textAt, textColumn } from './resolve.ts'
import type { StoredField } from './resolve.ts'
import { timeForm, zonedForm } from './stored-time.ts'

const operators: Readonly<Record<Operator, Sql>> = {
  eq: sql`=`,
  ne: sql`<>`,
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
}

/**
 * A comparison: unknown where the record has no value (missing or null), false where the value is of
 * another type than the one it is compared with (decision D35). Texts are compared with the text of
 * any value; they are ordered by code points, as all texts of the hub are, whatever the server.
 */
export function compileComparison(field: StoredField, { operator, value }: Comparison): Sql {
  const compare = operators[operator]
  switch (value.kind) {
    case 'text': {
      const written = textColumn(field, value.value) ?? textAt(field)
      return sql`((${written}) collate "C" ${compare} ${value.value}::text)`
    }
    case 'boolean':
      return compareFlag(field, accepted[operator](value.value))
    case 'number':
      return compareNumber(field, operator, value.value)
    case 'time':
      return compareTime(field, compare, value.value)
    case 'emptyArray':
      return sql`(${valueAt(field)} ${compare} '[]'::jsonb)`
  }
}

/** The JSON value, with null for JSON's null too: both are no value. */
function valueAt(field: StoredField): Sql {
  return sql`nullif(${jsonAt(field)}, 'null')`
}

function compareFlag(field: StoredField, flags: readonly boolean[]): Sql {
  // A list without entries would be false where the comparison must be unknown.
  if (flags.length === 0) return sql`(${valueAt(field)} = 'null'::jsonb)`
  const column = flagColumn(field)
  if (column !== undefined) return sql`(${column} = any(${flags}::boolean[]))`
  return sql`(${valueAt(field)} = any(${flags.map(String)}::jsonb[]))`
}

/** The flags that a comparison lets through; false is less than true. */
const accepted: Readonly<Record<Operator, (operand: boolean) => readonly boolean[]>> = {
  eq: (operand) => [operand],
  ne: (operand) => [!operand],
  gt: (operand) => (operand ? [] : [true]),
  ge: (operand) => (operand ? [true] : [true, false]),
  lt: (operand) => (operand ? [false] : []),
  le: (operand) => (operand ? [true, false] : [false]),
}

/** jsonb compares numbers as numbers; only for an order the type has to be looked at first. */
function compareNumber(field: StoredField, operator: Operator, value: number): Sql {
  const text = toNumeric(value)
  if (operator === 'eq' && Number.isFinite(value)) {
    return sql`(${valueAt(field)} = to_jsonb(${text}::numeric))`
  }
  return sql`(select case jsonb_typeof(value)
      when 'number' then value::numeric ${operators[operator]} ${text}::numeric
      when 'null' then null else false end
    from ${onceAt(field)})`
}

/** What PostgreSQL calls it. */
function toNumeric(value: number): string {
  return Number.isFinite(value) ? printNumber(value) : String(value)
}

/** Only what surely is a time is made one: a failing cast would fail the whole list. */
function compareTime(field: StoredField, compare: Sql, value: string): Sql {
  return sql`(select case jsonb_typeof(value)
      when 'null' then null
      when 'string' then case when value #>> '{}' ~ ${timeForm} then
        (value #>> '{}' || case when value #>> '{}' ~ ${zonedForm} then '' else 'Z' end)::timestamptz
          ${compare} ${value}::timestamptz else false end
      else false end
    from ${onceAt(field)})`
}

/** Taken from the record once, however often the comparison looks at it: unpacking is what costs. */
function onceAt(field: StoredField): Sql {
  return sql`(select coalesce(${jsonAt(field)}, 'null') as value offset 0) as field`
}
