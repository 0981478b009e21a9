import { printGeometry } from '../../content/index.ts'
import type { Geometry } from '../../content/index.ts'
import { LanguageError, nearest } from '../../lang/index.ts'
import { all, any, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Kind, Queryable, Queryables } from '../collection.ts'
import { crs84 } from '../reference-systems.ts'
import type { ReferenceSystem } from '../reference-systems.ts'
import { areaOf, momentOf } from './limits.ts'
import type {
  Box,
  Expression,
  Moment,
  Operator,
  Place,
  Property,
  Scalar,
  Span,
  SpatialRelation,
  TemporalRelation,
  Text,
} from './ast.ts'

/** The properties that a filter can name, and the reference system of its geometries. */
export type Scope = { readonly queryables: Queryables; readonly system: ReferenceSystem }

/**
 * Compiles a filter into a condition in SQL's three-valued logic: a comparison with a missing value
 * is unknown and does not match.
 * @throws LanguageError for unknown names, and for values of the wrong type
 */
export function compile(expression: Expression, scope: Scope): Sql {
  switch (expression.kind) {
    case 'and':
      return all(expression.of.map((part) => compile(part, scope)))
    case 'or':
      return any(expression.of.map((part) => compile(part, scope)))
    case 'not':
      return sql`(not ${compile(expression.of, scope)})`
    case 'truth':
      return sql`${expression.value}::boolean`
    case 'flag':
      return as(expression.property, 'boolean', scope)
    case 'null':
      return sql`(${presenceOf(expression.of, scope)} is null)`
    case 'comparison':
      return compare(expression.operator, [expression.left, expression.right], scope)
    case 'between': {
      const [low, high] = expression.bounds
      return all([
        compare('>=', [expression.value, low], scope),
        compare('<=', [expression.value, high], scope),
      ])
    }
    case 'in':
      return any(expression.list.map((item) => compare('=', [expression.value, item], scope)))
    case 'like': {
      const pattern = textOf(patternOf(expression.pattern), scope)
      return sql`(${textOf(expression.value, scope)} like ${pattern})`
    }
    case 'spatial':
      return relate(expression.relation, expression.places, scope)
    case 'temporal':
      return relateTimes(expression.relation, expression.spans, scope)
  }
}

function find({ name, position }: Property, { queryables }: Scope): Queryable {
  const found = queryables.find(name)
  if (found !== undefined) return found
  const meant = nearest(name, queryables.names)
  throw new LanguageError(`There is no property ${JSON.stringify(name)}.`, {
    position,
    expected: ['a name of the queryables of the collection'],
    ...(meant === undefined ? {} : { hint: `Did you mean ${meant}?` }),
  })
}

function as(property: Property, kind: Kind, scope: Scope): Sql {
  const found = find(property, scope)
  if (found.type === 'geometry') throw unfit(property, 'a geometry', `a ${kind}`)
  if (found.type !== 'any' && found.type !== kind)
    throw unfit(property, `a ${found.type}`, `a ${kind}`)
  return found.as(kind)
}

function unfit({ name, position }: Property, is: string, wanted: string): LanguageError {
  const message = `${JSON.stringify(name)} is ${is} and cannot be compared with ${wanted}.`
  return new LanguageError(message, { position })
}

function presenceOf(property: Property, scope: Scope): Sql {
  const found = find(property, scope)
  if (found.type === 'geometry') return scope.queryables.geometry
  return found.as(found.type === 'any' ? 'text' : found.type)
}

const operators: Readonly<Record<Operator, Sql>> = {
  '=': sql`=`,
  '<>': sql`<>`,
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
}

function compare(operator: Operator, [left, right]: readonly [Scalar, Scalar], scope: Scope): Sql {
  const kind = kindOf([left, right], scope)
  if (kind === undefined) return compareAny(operator, [left, right], scope)
  const sides = [left, right].map((side) => fitting(side, kind))
  const isDay = sides.some((side) => side.kind === 'date')
  const [one, other] = sides.map((side) => {
    const value = valueOf(side, kind, scope)
    return isDay && side.kind !== 'date' ? sql`(${value} at time zone 'UTC')::date` : value
  })
  return sql`(${one} ${operators[operator]} ${other})`
}

/** Compares two properties of unknown type: as numbers if both are numbers, otherwise as texts. */
function compareAny(operator: Operator, sides: readonly [Scalar, Scalar], scope: Scope): Sql {
  const [numbers, texts] = (['number', 'text'] as const).map((kind) => {
    const [one, other] = sides.map((side) => valueOf(side, kind, scope))
    return sql`${one} ${operators[operator]} ${other}`
  })
  return sql`coalesce(${numbers}, ${texts})`
}

/**
 * Determines the type as which two values are compared: that of the literal, otherwise that of a
 * property.
 * @returns undefined for two properties of unknown type
 */
function kindOf(sides: readonly Scalar[], scope: Scope): Kind | undefined {
  const declared = sides.flatMap((side): Kind[] => {
    if (side.kind !== 'property') return []
    const { type } = find(side, scope)
    return type === 'any' || type === 'geometry' ? [] : [type]
  })
  const literal = sides.find((side) => side.kind !== 'property')
  if (literal === undefined) return declared[0]
  const kind = kindOfValue(literal)
  // A time may be written as a plain text.
  const isTime = literal.kind === 'text' && momentOf(literal.value) !== undefined
  return isTime && declared.includes('time') ? 'time' : kind
}

function kindOfValue({ kind }: Scalar): Kind {
  if (kind === 'number' || kind === 'boolean') return kind
  return kind === 'time' || kind === 'date' ? 'time' : 'text'
}

/**
 * Converts a literal so that it can be compared as this kind.
 * @throws LanguageError if it cannot
 */
function fitting(side: Scalar, kind: Kind): Scalar {
  if (side.kind === 'property') return side
  const moment = side.kind === 'text' && kind === 'time' ? momentOf(side.value) : undefined
  const value = moment ?? side
  if (kindOfValue(value) === kind) return value
  throw new LanguageError(`A ${kindOfValue(side)} cannot be compared with a ${kind}.`, {
    position: 0,
  })
}

function valueOf(side: Scalar, kind: Kind, scope: Scope): Sql {
  switch (side.kind) {
    case 'property':
      return as(side, kind, scope)
    case 'casei':
    case 'accenti':
      return textOf(side, scope)
    case 'date':
      return sql`${side.value}::date`
    case 'time':
      return sql`${side.value}::timestamptz`
    case 'number':
      return sql`${String(side.value)}::double precision`
    case 'boolean':
      return sql`${side.value}::boolean`
    case 'text':
      return sql`${textThatIsStorable(side.value)}::text`
  }
}

/**
 * Returns null for a text with the character U+0000. PostgreSQL cannot store it, so nothing is
 * equal to it.
 */
function textThatIsStorable(text: string): string | null {
  return text.includes('\0') ? null : text
}

function textOf(text: Text, scope: Scope): Sql {
  switch (text.kind) {
    case 'text':
      return sql`${textThatIsStorable(text.value)}::text`
    case 'property':
      return as(text, 'text', scope)
    case 'casei':
      return sql`lower(${textOf(text.of, scope)} collate "default")`
    case 'accenti':
      return sql`unaccent(${textOf(text.of, scope)})`
  }
}

/** Doubles a backslash at the end of a pattern: it denotes itself, because it escapes nothing. */
function patternOf(pattern: Text): Text {
  switch (pattern.kind) {
    case 'text': {
      const [end = ''] = /\\*$/.exec(pattern.value) ?? []
      return end.length % 2 === 0 ? pattern : { ...pattern, value: `${pattern.value}\\` }
    }
    case 'property':
      throw new LanguageError('The pattern of LIKE has to be a text.', {
        position: pattern.position,
      })
    default:
      return { ...pattern, of: patternOf(pattern.of) }
  }
}

const spatial: Readonly<Record<SpatialRelation, Sql>> = {
  intersects: sql`st_intersects`,
  disjoint: sql`st_disjoint`,
  equals: sql`st_equals`,
  touches: sql`st_touches`,
  within: sql`st_within`,
  overlaps: sql`st_overlaps`,
  crosses: sql`st_crosses`,
  contains: sql`st_contains`,
}

function relate(
  relation: SpatialRelation,
  [left, right]: readonly [Place, Place],
  scope: Scope,
): Sql {
  const isExact = relation !== 'intersects' && relation !== 'disjoint'
  if (isExact && (isCollection(left) || isCollection(right))) {
    const message = 'Only S_INTERSECTS and S_DISJOINT support a GEOMETRYCOLLECTION.'
    throw new LanguageError(message, { position: 0 })
  }
  const [one, other] = [left, right].map((place) => {
    const drawn = placeOf(place, scope)
    // With these relations, PostGIS supports neither collections nor areas that cross themselves.
    return isExact ? sql`st_collectionextract(st_makevalid(${drawn}))` : drawn
  })
  return sql`${spatial[relation]}(${one}, ${other})`
}

function isCollection(place: Place): boolean {
  return place.kind === 'geometry' && place.value.kind === 'GeometryCollection'
}

function placeOf(place: Place, scope: Scope): Sql {
  if (place.kind === 'geometry') return drawn(place.value, scope.system)
  if (place.kind === 'box') return drawnBox(place, scope.system)
  if (find(place, scope).type !== 'geometry') {
    throw unfit(place, 'not a geometry', 'one')
  }
  return scope.queryables.geometry
}

/**
 * Returns SQL for a caller's geometry in WGS 84, longitude first; null if its coordinates are
 * invalid in its system.
 */
function drawn(geometry: Geometry, { srid, isLatitudeFirst }: ReferenceSystem): Sql {
  const text = printGeometry(geometry)
  // A cast parameter is parsed once. A function would parse it again for each row.
  const area =
    srid === crs84.srid
      ? sql`${`SRID=${String(srid)};${text}`}::geometry`
      : sql`content_area(${text}, ${srid}::integer)`
  return isLatitudeFirst ? sql`st_flipcoordinates(${area})` : area
}

/**
 * Returns SQL for a caller's box in WGS 84, longitude first.
 * @throws LanguageError if the corners do not form a box
 */
export function drawnBox(box: Box, system: ReferenceSystem): Sql {
  return drawn(areaOf(box, system), { ...system, isLatitudeFirst: false })
}

type Ends = { readonly from: Sql; readonly to: Sql }

/** Relations between intervals (OGC 21-065r2, table 8), defined by their bounds. */
const temporal: Readonly<Record<TemporalRelation, (a: Ends, b: Ends) => Sql>> = {
  after: (a, b) => sql`(${a.from} > ${b.to})`,
  before: (a, b) => sql`(${a.to} < ${b.from})`,
  contains: (a, b) => sql`(${a.from} < ${b.from} and ${a.to} > ${b.to})`,
  disjoint: (a, b) => sql`(${a.to} < ${b.from} or ${a.from} > ${b.to})`,
  during: (a, b) => sql`(${a.from} > ${b.from} and ${a.to} < ${b.to})`,
  equals: (a, b) => sql`(${a.from} = ${b.from} and ${a.to} = ${b.to})`,
  finishedby: (a, b) => sql`(${a.from} < ${b.from} and ${a.to} = ${b.to})`,
  finishes: (a, b) => sql`(${a.from} > ${b.from} and ${a.to} = ${b.to})`,
  intersects: (a, b) => sql`(${a.from} <= ${b.to} and ${a.to} >= ${b.from})`,
  meets: (a, b) => sql`(${a.to} = ${b.from})`,
  metby: (a, b) => sql`(${a.from} = ${b.to})`,
  overlappedby: (a, b) =>
    sql`(${a.from} > ${b.from} and ${a.from} < ${b.to} and ${a.to} > ${b.to})`,
  overlaps: (a, b) => sql`(${a.from} < ${b.from} and ${a.to} > ${b.from} and ${a.to} < ${b.to})`,
  startedby: (a, b) => sql`(${a.from} = ${b.from} and ${a.to} > ${b.to})`,
  starts: (a, b) => sql`(${a.from} = ${b.from} and ${a.to} < ${b.to})`,
}

function relateTimes(
  relation: TemporalRelation,
  [left, right]: readonly [Span, Span],
  scope: Scope,
): Sql {
  return temporal[relation](endsOf(left, scope), endsOf(right, scope))
}

function endsOf(span: Span, scope: Scope): Ends {
  if (span.kind !== 'interval') return endsOfMoment(span, scope)
  const [from, to] = span.bounds
  return {
    from: from === null ? sql`'-infinity'::timestamptz` : endsOfMoment(from, scope).from,
    to: to === null ? sql`'infinity'::timestamptz` : endsOfMoment(to, scope).to,
  }
}

/** Returns the bounds of a moment. A day ends just before the next one begins, in UTC. */
function endsOfMoment(moment: Moment, scope: Scope): Ends {
  if (moment.kind === 'property') {
    const time = as(moment, 'time', scope)
    return { from: time, to: time }
  }
  const from = sql`${moment.kind === 'date' ? `${moment.value}T00:00:00Z` : moment.value}::timestamptz`
  if (moment.kind === 'time') return { from, to: from }
  return { from, to: sql`(${from} + interval '1 day' - interval '1 microsecond')` }
}
