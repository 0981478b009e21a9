import { asDocument } from './document.ts'
import type { Document } from './document.ts'

/** How arrays stand in an address: members of the parameter in OpenAPI, not of its schema. */
const spelling = ['style', 'explode'] as const

/** What is written with the schemas of parameters, at the places where OpenAPI has it. */
export function describeParameters(operation: Document): Document {
  const { parameters } = operation
  return Array.isArray(parameters)
    ? { ...operation, parameters: parameters.map(describeParameter) }
    : operation
}

function describeParameter(parameter: unknown): Document {
  const { schema, required, ...rest } = asDocument(parameter)
  const { style, explode, ...own } = asDocument(schema)
  const spelt = Object.entries({ style, explode }).filter(([, value]) => value !== undefined)
  return {
    ...rest,
    ...Object.fromEntries(spelt),
    // What has a default may be left out, though code that reads the parameter always finds it.
    required: required === true && !('default' in own),
    schema: own,
  }
}

/** The same for parameters that stand in a body (decision D26). */
export function describeBody(operation: Document): Document {
  const { requestBody } = operation
  if (requestBody === undefined) return operation
  const body = asDocument(requestBody)
  const content = Object.entries(asDocument(body['content'])).map(([type, media]) => {
    const { schema, ...rest } = asDocument(media)
    return [type, { schema: describeMembers(asDocument(schema)), ...rest }] as const
  })
  return { ...operation, requestBody: { ...body, content: Object.fromEntries(content) } }
}

function describeMembers(schema: Document): Document {
  const { properties, required, ...rest } = schema
  if (properties === undefined) return schema
  const members = Object.entries(asDocument(properties)).map(([name, member]) => {
    const own = Object.entries(asDocument(member)).filter(
      ([key]) => !spelling.some((word) => word === key),
    )
    return [name, Object.fromEntries(own)] as const
  })
  const defaults = new Set(members.flatMap(([name, own]) => ('default' in own ? [name] : [])))
  const needed = Array.isArray(required)
    ? required.filter((name: unknown) => !defaults.has(String(name)))
    : []
  return {
    ...rest,
    properties: Object.fromEntries(members),
    ...(needed.length === 0 ? {} : { required: needed }),
  }
}
