import type { TSchema } from 'typebox'
import type { Collection } from './collection.ts'
import { types } from './documents.ts'
import type { Site } from './documents.ts'
import { formatParameter, itemSchema, itemsSchema, mostFeatures } from './parameters.ts'

/**
 * The interface as OpenAPI 3.0, whole and without references to elsewhere: clients and validators of this
 * family of standards read no 3.1. Each collection has paths of its own, because its parameters are its own.
 */
export function toOpenapi(
  { root, title }: Site,
  {
    collections,
    version,
  }: { readonly collections: readonly Collection[]; readonly version: string },
): object {
  return {
    openapi: '3.0.3',
    info: {
      title: `${title}: OGC API Features`,
      version,
      description: 'Tourism, mobility and traffic as collections of features',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: root }],
    tags: [
      { name: 'Capabilities', description: 'Collections, their properties and this definition' },
      { name: 'Data', description: 'The features' },
    ],
    paths: {
      '/': document('getLandingPage', 'Landing page'),
      '/conformance': document('getConformance', 'Conformance classes'),
      '/api': document('getApi', 'This document', types.openapi),
      '/collections': document('getCollections', 'All collections'),
      ...Object.fromEntries(collections.flatMap(pathsOf)),
    },
    components: { schemas: { Problem: problem } },
  }
}

const problem = {
  type: 'object',
  description: 'RFC 9457',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    hint: { type: 'string' },
  },
}

const failures = {
  '400': failure('A parameter is wrong or unknown'),
  '404': failure('There is no such resource'),
  '500': failure('The hub failed'),
}

function failure(description: string): object {
  const schema = { $ref: '#/components/schemas/Problem' }
  return { description, content: { 'application/problem+json': { schema } } }
}

function answers(description: string, json: string): object {
  return {
    '200': {
      description,
      content: {
        [json]: { schema: { type: 'object' } },
        [types.html]: { schema: { type: 'string' } },
      },
    },
    ...failures,
  }
}

function document(operationId: string, summary: string, json: string = types.json): object {
  const parameters = toParameters(formatParameter)
  return {
    get: {
      tags: ['Capabilities'],
      operationId,
      summary,
      parameters,
      responses: answers(summary, json),
    },
  }
}

function pathsOf(collection: Collection, index: number): readonly (readonly [string, object])[] {
  const { id } = collection
  const path = `/collections/${encodeURIComponent(id)}`
  // Two names may differ in signs only.
  const name = `${id.replaceAll(/\W/g, '_')}_${String(index)}`
  const title = collection.title.en
  const featureId = {
    name: 'featureId',
    in: 'path',
    required: true,
    description: 'Identifier of a feature',
    schema: { type: 'string' },
  }
  const data = (operation: string, summary: string, parameters: readonly object[]) => ({
    get: {
      tags: ['Data'],
      operationId: `${operation}${name}`,
      summary,
      parameters,
      responses: answers(summary, types.geojson),
    },
  })
  const one = [featureId, ...toParameters(schemasIn(itemSchema))]
  const all = toParameters(schemasIn(itemsSchema(collection)))
  return [
    [path, document(`describe${name}`, title)],
    [`${path}/queryables`, document(`queryables${name}`, `${title}: properties`, types.schema)],
    [`${path}/items`, data('list', title, all)],
    [`${path}/items/{featureId}`, data('get', `${title}: one feature`, one)],
  ]
}

function schemasIn(schema: TSchema): Readonly<Record<string, TSchema>> {
  const properties: unknown = Reflect.get(schema, 'properties')
  return typeof properties === 'object' && properties !== null ? { ...properties } : {}
}

/** It is read as a text, so that no part of it is passed over. */
const box = { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 6 }

/** What of a schema stands beside it in a parameter. */
const elsewhere = new Set(['description', 'style', 'explode'])

/** Parameters in the words of OpenAPI 3.0; what JSON Schema has beyond it is left out. */
function toParameters(schemas: Readonly<Record<string, TSchema>>): readonly object[] {
  return Object.entries(schemas).map(([name, schema]) => {
    const known: Readonly<Record<string, unknown>> = { ...schema }
    const own = Object.entries(known).filter(([key]) => !elsewhere.has(key))
    return {
      name,
      in: 'query',
      required: false,
      description: known['description'],
      style: 'form',
      explode: false,
      schema:
        name === 'bbox'
          ? box
          : {
              ...Object.fromEntries(own),
              ...(name === 'limit' ? { maximum: mostFeatures } : {}),
            },
    }
  })
}
