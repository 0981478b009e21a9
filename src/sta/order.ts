import type { OrderKey } from '../content/index.ts'
import { LanguageError } from '../lang/index.ts'
import { identifier, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Path } from './filter/grammar.ts'
import type { Order } from './options.ts'
import { findProperty, joined, relationOf, scopeOf } from './scope.ts'
import type { Scope } from './scope.ts'

type Direction = OrderKey['direction']

/**
 * The order of a set: by what is wanted, and then by what identifies its entities, so that it is total (decision D4).
 * @throws LanguageError for a name that has no order
 */
export function keysOf(orderby: readonly Order[], scope: Scope): readonly OrderKey[] {
  const wanted = orderby.flatMap(({ path, direction }) =>
    path.names.join('/') === 'id' ? identity(scope, direction) : keysBy(path, scope, direction),
  )
  // In the direction of the last one, so that an index serves both.
  const rest = identity(scope, wanted.at(-1)?.direction ?? 'ascending')
  const isNew = ({ value }: OrderKey) => !wanted.some((key) => key.value.text === value.text)
  return [...wanted, ...rest.filter(isNew)]
}

function identity({ entity, row }: Scope, direction: Direction): readonly OrderKey[] {
  return entity.key.map(({ column, type }) => {
    return { name: column, value: sql`${row}.${identifier(column)}`, type, direction }
  })
}

/** What stands in for a missing value: it comes last in either direction. */
const last = {
  text: [sql`chr(1114111)`, sql`''`],
  number: [sql`'infinity'::double precision`, sql`'-infinity'::double precision`],
} as const

function keysBy(path: Path, scope: Scope, direction: Direction): readonly OrderKey[] {
  const name = path.names.join('/')
  const key = (kind: 'text' | 'number' | 'time' | 'boolean'): OrderKey => {
    const value = valueAt(path, scope, kind)
    const greatest = direction === 'ascending' ? 0 : 1
    switch (kind) {
      case 'time':
        // Of every entity that has one.
        return { name, value, type: 'timestamptz', direction }
      case 'number': {
        const filled = sql`coalesce(${value}, ${last.number[greatest]})`
        return { name: `${name} number`, value: filled, type: 'double precision', direction }
      }
      default: {
        const filled = sql`coalesce((${value})::text, ${last.text[greatest]}) collate "C"`
        return { name: `${name} text`, value: filled, type: 'text', direction }
      }
    }
  }
  const type = typeAt(path, scope)
  if (type === 'any') return [key('number'), key('text')]
  if (type !== 'geometry' && type !== 'none') return [key(type)]
  throw new LanguageError(`${name} has no order.`, { position: path.position })
}

type Kinds = Parameters<ReturnType<typeof findProperty>['property']['as']>[1]

/** The value of a property, of this row or of the one that it belongs to. */
function valueAt(path: Path, scope: Scope, kind: Kinds): Sql {
  const step = stepTo(path, scope)
  if (step === undefined) {
    const { property, row } = findProperty(path, scope)
    return property.as(row, kind)
  }
  const { target, rest, condition } = step
  const { entity, row } = target
  return sql`(select ${valueAt(rest, target, kind)} from (${entity.table}) as ${row} where ${condition})`
}

function typeAt(path: Path, scope: Scope) {
  let [at, left] = [scope, path]
  for (;;) {
    const step = stepTo(left, at)
    if (step === undefined) return findProperty(left, at).property.type
    ;[at, left] = [step.target, step.rest]
  }
}

function stepTo(path: Path, scope: Scope) {
  const [name = '', ...names] = path.names
  if (!Object.hasOwn(scope.entity.relations, name)) return undefined
  const relation = relationOf(scope, name, path.position)
  if (relation.isMany) {
    const message = `${name} are many: there is no order by them.`
    throw new LanguageError(message, { position: path.position })
  }
  const target = scopeOf(scope.view, scope.view.entities[relation.target])
  const condition = joined(relation, scope.row, target.row)
  return { target, rest: { ...path, names }, condition }
}
