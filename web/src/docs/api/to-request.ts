import type { DescribedRequest } from '../../request/index.ts'
import type { Operation, Parameter } from './document.ts'

/** What stands in the form, by the names of the parameters; absent is not given. */
export type Values = Readonly<Record<string, string>>

/** The request that a form makes; where something needed is missing, its name stays in the path. */
export function toRequest(operation: Operation, values: Values, accept: string): DescribedRequest {
  const given = parametersOf(operation).filter(({ name }) => (values[name] ?? '') !== '')
  const path = operation.path.replace(/\{([^}]+)\}/g, (whole, name: string) => {
    const value = values[name] ?? ''
    return value === ''
      ? whole
      : encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%2A', '*')
  })
  const query = Object.fromEntries(
    given.filter((one) => one.in === 'query').map(({ name }) => [name, values[name] ?? '']),
  )
  const body = exampleBody(operation)
  return {
    path,
    query,
    ...(accept === '' || accept === 'application/json' ? {} : { accept }),
    ...(operation.method === 'GET' ? {} : { method: operation.method }),
    ...(body === undefined ? {} : { body }),
    ...(needsToken(operation) ? { token: 'needed' as const } : {}),
  }
}

/** Parameters that a person fills in, those of the path first. */
export function parametersOf({ parameters = [] }: Operation): readonly Parameter[] {
  return (['path', 'query'] as const).flatMap((place) =>
    parameters.filter((one) => one.in === place),
  )
}

/** The names of what is needed and not there. */
export function missingOf(operation: Operation, values: Values): readonly string[] {
  return parametersOf(operation)
    .filter(({ name, required }) => required === true && (values[name] ?? '') === '')
    .map(({ name }) => name)
}

/** What the form begins with: what is needed, by its example. */
export function examplesOf(operation: Operation): Values {
  const needed = parametersOf(operation).filter(({ required }) => required === true)
  return Object.fromEntries(needed.map((one) => [one.name, exampleOf(one)]))
}

export function exampleOf({ example, schema }: Parameter): string {
  const value = example ?? schema?.examples?.[0] ?? schema?.default
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(String).join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Whether nobody gets an answer without a token. */
export function needsToken({ security }: Operation): boolean {
  return security?.every((one) => Object.keys(one).length > 0) === true && security.length > 0
}

function exampleBody({ requestBody }: Operation): unknown {
  return requestBody?.content?.['application/json']?.example
}
