import { checkExpression, expressions } from '../../content/index.ts'
import type { Entity, Profile } from '../../content/index.ts'
import { checkTimeseriesExpression, timeseriesExpressions } from '../../timeseries/index.ts'
import type { ReadKind } from '../../timeseries/index.ts'

type Query = Readonly<Record<string, unknown>> & { readonly at: ReadKind }

/** Checks the expressions of a request to the lists of an entity. */
export function checkRecords(entity: Entity, query: Query) {
  return [
    ...expressions.flatMap((parameter) => {
      const written = query[parameter]
      if (typeof written !== 'string') return []
      return [{ parameter, ...checkExpression(entity, parameter, written) }]
    }),
    ...strangers(query, timeseriesExpressions, 'the time series service'),
  ]
}

/** Checks the expressions of a request to the stations of a type. */
export function checkStations(profile: Profile, query: Query) {
  return [
    ...timeseriesExpressions.flatMap((name) => {
      const written = query[name]
      if (typeof written !== 'string') return []
      const checked = checkTimeseriesExpression({ name, written, at: query.at, profile })
      return [{ parameter: name, ...checked, warnings: [] }]
    }),
    ...strangers(query, expressions, 'the content service'),
  ]
}

/** Parameters that the dataset does not take. */
function strangers(query: Query, names: readonly string[], service: string) {
  return names
    .filter((name) => typeof query[name] === 'string')
    .map((parameter) => {
      const detail = `${parameter} belongs to ${service}`
      const told = { valid: false, canonical: null, warnings: [] }
      return { parameter, ...told, errors: [{ parameter, detail }] }
    })
}
