import type { DescribedRequest } from '../../request/index.ts'
import type { Operation, Parameter } from './document.ts'

/** Values of the form by parameter name. A missing or empty value is not sent. */
export type Values = Readonly<Record<string, string>>

/**
 * Builds the request of a form. If a path parameter is missing, its placeholder stays in the path.
 */
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

/** Returns the parameters that the user fills in, those of the path first. */
export function parametersOf({ parameters = [] }: Operation): readonly Parameter[] {
  return (['path', 'query'] as const).flatMap((place) =>
    parameters.filter((one) => one.in === place),
  )
}

/** Returns the names of required parameters without a value. */
export function missingOf(operation: Operation, values: Values): readonly string[] {
  return parametersOf(operation)
    .filter(({ name, required }) => required === true && (values[name] ?? '') === '')
    .map(({ name }) => name)
}

/** Returns the initial values of the form: the examples of required parameters. */
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

/** Reports whether an operation requires a token. */
export function needsToken({ security }: Operation): boolean {
  return security?.every((one) => Object.keys(one).length > 0) === true && security.length > 0
}

function exampleBody({ requestBody }: Operation): unknown {
  return requestBody?.content?.['application/json']?.example
}
