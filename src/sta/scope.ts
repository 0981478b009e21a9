import type { FastifyRequest } from 'fastify'
import { LanguageError, hintAt } from '../lang/index.ts'
import { identifier, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Entities, Entity, Relation } from './entities.ts'
import type { Path } from './filter/grammar.ts'
import type { Property } from './properties.ts'
import type { OrderKey } from '../content/index.ts'
import type { Order } from './options.ts'

/** Context in which one statement is compiled. */
export type View = {
  readonly entities: Entities
  /** URL of the service. */
  readonly root: string
  /** Headers of the request, which specify whether values may be clamped. */
  readonly headers: FastifyRequest['headers']
  /**
   * Days of history that the caller may get on one page; undefined if not limited (decision D62).
   */
  readonly historyDays: number | undefined
  /** Returns a name for another table in the statement. */
  readonly newRow: () => Sql
  /** Entities that the statement reads. */
  readonly read: Set<Entity['name']>
  /**
   * Everything by which observations are filtered, sorted or counted, because some of it is slow.
   */
  readonly compared: Set<string>
}

/**
 * Names that an expression can refer to: the properties of a row, and the rows to which it is
 * related.
 */
export type Scope = {
  readonly view: View
  readonly entity: Entity
  /** The row, given by the name of its table. */
  readonly row: Sql
  /** Related rows that are already joined. */
  readonly related: ReadonlyMap<string, Scope>
  /**
   * Set where the value of a condition is used further, so that a comparison with null must be false
   * there, not null. Elsewhere null will do, which lets the database use its indexes.
   */
  readonly isOperand?: true
}

export function viewOf(given: Pick<View, 'entities' | 'root' | 'headers' | 'historyDays'>): View {
  let rows = 0
  const newRow = () => identifier(`row ${String(++rows)}`)
  return { ...given, newRow, read: new Set(), compared: new Set() }
}

export function scopeOf(view: View, entity: Entity): Scope {
  view.read.add(entity.name)
  return { view, entity, row: view.newRow(), related: new Map() }
}

/** Returns the condition that joins the rows of a relation. */
export function joined({ own, theirs }: Relation, row: Sql, target: Sql): Sql {
  return sql`${target}.${identifier(theirs)} = ${row}.${identifier(own)}`
}

/**
 * Finds a relation by its name.
 * @throws LanguageError if the entity has no such relation
 */
export function relationOf({ entity }: Scope, name: string, position: number): Relation {
  const known = Object.keys(entity.relations)
  const found = Object.hasOwn(entity.relations, name) ? entity.relations[name] : undefined
  if (found !== undefined) return found
  throw new LanguageError(`${entity.name} has no relation ${JSON.stringify(name)}.`, {
    position,
    expected: known,
    ...hintAt(name, known),
  })
}

/** A property, and the row to which it belongs. */
export type Found = { readonly property: Property; readonly row: Sql }

/**
 * Finds the property to which a path leads.
 * @throws LanguageError if the entity has no such property
 */
export function findProperty(path: Path, { view, entity, row, related }: Scope): Found {
  const [name = '', ...rest] = path.names
  const bound = related.get(name)
  if (bound !== undefined) return findProperty({ ...path, names: rest }, bound)
  const property = propertiesOf(entity).get(name)
  if (property === undefined) throw unknownName(entity, name, path.position)
  if (entity.name === 'Observation') view.compared.add(name)
  const inside = rest.reduce<Property | undefined>((found, step) => found?.at?.(step), property)
  if (inside !== undefined) return { property: inside, row }
  throw new LanguageError(`There is nothing inside of ${name}.`, { position: path.position })
}

/** Returns the properties of an entity by name, including its identifier. */
export function propertiesOf(entity: Entity): ReadonlyMap<string, Property> {
  return new Map([['id', identifierOf(entity)], ...Object.entries(entity.properties)])
}

const nothing = {
  boolean: sql`null::boolean`,
  time: sql`null::timestamptz`,
  geometry: sql`null::geometry`,
}

/**
 * Describes the identifier of an entity. It can be compared with numbers and with texts. An
 * observation's identifier is in no index and would have to be computed for every value, so it is
 * compared only by `compareId`.
 */
function identifierOf({ id, name, compareId }: Entity): Property {
  return {
    type: name === 'Observation' ? 'id' : 'any',
    compareId,
    as: (row, kind) => {
      if (kind === 'text') return id(row)
      return kind === 'number' ? sql`(${id(row)})::double precision` : nothing[kind]
    },
    isNull: () => sql`false`,
    // Identifiers of observations have more digits than a JavaScript number can hold.
    printed: (row) => (name === 'Observation' ? sql`to_json(${id(row)})::text` : id(row)),
  }
}

export function unknownName(entity: Entity, name: string, position: number): LanguageError {
  const known = [...propertiesOf(entity).keys(), ...Object.keys(entity.relations)]
  return new LanguageError(`${entity.name} has no property ${JSON.stringify(name)}.`, {
    position,
    expected: known,
    ...hintAt(name, known),
  })
}

type Direction = OrderKey['direction']

/**
 * Returns the sort keys of a set: the requested ones, followed by those that identify its entities,
 * so that the order is total (decision D4).
 * @throws LanguageError for a name that cannot be sorted by
 */
export function keysOf(orderby: readonly Order[], scope: Scope): readonly OrderKey[] {
  const wanted = orderby.flatMap(({ path, direction }) =>
    path.names.join('/') === 'id' ? identity(scope, direction) : keysBy(path, scope, direction),
  )
  // These keys have the direction of the last requested one, so that one index serves all of them.
  const rest = identity(scope, wanted.at(-1)?.direction ?? 'ascending')
  const isNew = ({ value }: OrderKey) => !wanted.some((key) => key.value.text === value.text)
  return [...wanted, ...rest.filter(isNew)]
}

function identity({ entity, row }: Scope, direction: Direction): readonly OrderKey[] {
  return entity.key.map(({ column, type }) => {
    return { name: column, value: sql`${row}.${identifier(column)}`, type, direction }
  })
}

/**
 * Substitutes for a missing value when sorting in ascending and in descending order. It comes last
 * in either direction.
 */
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
        // Every entity with such a property has a value for it, so no substitute is needed.
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
  if (type !== 'geometry' && type !== 'none' && type !== 'id') return [key(type)]
  throw new LanguageError(`${name} has no order.`, { position: path.position })
}

type Kinds = Parameters<ReturnType<typeof findProperty>['property']['as']>[1]

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
