import type { Method } from '../../request/index.ts'
import { once, readJson } from '../../api/index.ts'

/** The parts of OpenAPI 3.1 that the reference shows (OpenAPI Specification, section 4.8). */
export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly deprecated?: boolean
  readonly 'x-deprecation-date'?: string
  readonly 'x-removed-after'?: string
  readonly 'x-aliases'?: readonly string[]
  readonly 'x-beside'?: string
}

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly description?: string
  readonly required?: boolean
  readonly deprecated?: boolean
  readonly example?: unknown
  readonly schema?: Schema
  readonly explode?: boolean
}

type Media = { readonly schema?: Schema; readonly example?: unknown }

export type Body = {
  readonly description?: string
  readonly required?: boolean
  readonly content?: Readonly<Record<string, Media>>
}

type Response = Body & { readonly $ref?: string }

type Described = {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly deprecated?: boolean
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Body
  readonly responses?: Readonly<Record<string, Response>>
  readonly security?: readonly Readonly<Record<string, unknown>>[]
}

export type Document = {
  readonly info: { readonly version: string }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly responses?: Readonly<Record<string, Response>>
  }
  readonly security?: Described['security']
}

export type Operation = Described & {
  readonly id: string
  readonly method: Method
  readonly path: string
  readonly tag: string
}

/** The OpenAPI document of the hub, with its operations in order. */
export type Reference = {
  readonly document: Document
  readonly operations: readonly Operation[]
  readonly byId: ReadonlyMap<string, Operation>
}

const methods: Readonly<Record<string, Method>> = {
  ...{ get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' },
}

/** Collects the operations of a document, in the order of its tags and then of its paths. */
export function toReference(document: Document): Reference {
  const order = (document.tags ?? []).map(({ name }) => name)
  const place = (tag: string) => (order.includes(tag) ? order.indexOf(tag) : order.length)
  const operations = Object.entries(document.paths)
    .flatMap(([path, item]) =>
      Object.entries(item).flatMap(([name, described]) => {
        const method = methods[name]
        return method === undefined ? [] : [toOperation(path, method, described)]
      }),
    )
    .toSorted((a, b) => place(a.tag) - place(b.tag))
  return { document, operations, byId: new Map(operations.map((one) => [one.id, one])) }
}

function toOperation(path: string, method: Method, described: Described): Operation {
  const id = described.operationId ?? `${method} ${path}`
  return { ...described, id, method, path, tag: described.tags?.[0] ?? '' }
}

/** Returns the methods that operations have, in a fixed order. */
export function methodsOf(operations: readonly Operation[]): readonly Method[] {
  const used = new Set(operations.map(({ method }) => method))
  return Object.values(methods).filter((method) => used.has(method))
}

/** Resolves a reference to a schema. A schema without a known reference is returned as it is. */
export function resolveSchema(document: Document, schema: Schema): Schema {
  const name = nameOfRef(schema.$ref)
  return name === undefined ? schema : (document.components?.schemas?.[name] ?? schema)
}

export function resolveResponse(document: Document, response: Response): Response {
  const name = nameOfRef(response.$ref)
  return name === undefined ? response : (document.components?.responses?.[name] ?? response)
}

export function nameOfRef(ref: string | undefined): string | undefined {
  return ref === undefined ? undefined : ref.split('/').at(-1)
}

type Wish = { readonly text: string; readonly tag: string; readonly method: string }

/** Returns the operations whose method, path, id, tag or summary contain all words of a search. */
export function findOperations(
  operations: readonly Operation[],
  { text, tag, method }: Wish,
): readonly Operation[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean)
  return operations.filter(
    (operation) =>
      (tag === '' || operation.tag === tag) &&
      (method === '' || operation.method === method) &&
      wanted.every((word) => readable(operation).includes(word)),
  )
}

function readable({ id, path, summary, method, tag }: Operation): string {
  return `${method} ${path} ${id} ${tag} ${summary ?? ''}`.toLowerCase()
}

type Member = {
  /** `*` stands for any name. */
  readonly name: string
  readonly member: Schema
  readonly isNeeded: boolean
}

/**
 * Returns the properties of an object schema and of all its `allOf` parts; empty if the schema is
 * no object.
 */
export function membersOf(document: Document, schema: Schema): readonly Member[] {
  const parts = [schema, ...(schema.allOf ?? []).map((part) => resolveSchema(document, part))]
  return parts.flatMap(({ properties = {}, required = [], ...rest }) => {
    const named = Object.entries(properties).map(([name, member]) => ({
      ...{ name, member },
      isNeeded: required.includes(name),
    }))
    const others = [
      ...Object.values(rest.patternProperties ?? {}),
      ...(typeof rest.additionalProperties === 'object' ? [rest.additionalProperties] : []),
    ].filter((member) => Object.keys(member).length > 0)
    return [
      ...named,
      ...others.slice(0, 1).map((member) => ({ name: '*', member, isNeeded: false })),
    ]
  })
}

/** Loads the document once for all pages of the reference. */
export const loadReference = once(() => readJson<Document>('/openapi.json').then(toReference))

/**
 * Returns a short name of a type: `integer`, `array of string`, `string | null`, `Accommodation`.
 */
export function typeOf(schema: Schema | undefined): string {
  if (schema === undefined) return 'any'
  const name = nameOfRef(schema.$ref)
  if (name !== undefined) return name
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' | ')
  if (schema.allOf !== undefined) return [...new Set(schema.allOf.map(typeOf))].join(' & ')
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`
  if (schema.type !== undefined) return [schema.type].flat().join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined)
    return [...new Set(schema.enum.map((value) => typeof value))].join(' | ')
  return schema.properties === undefined ? 'any' : 'object'
}

/** Returns the values of an enum, or of an array of enum values. */
export function allowedOf(schema: Schema | undefined): readonly string[] {
  const values = schema?.enum ?? schema?.items?.enum ?? []
  return values.map(String)
}
