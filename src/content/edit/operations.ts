import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import type { Entity } from '../entity.ts'
import { exampleIds } from '../example-ids.ts'
import { largestBatch } from './read-edits.ts'

const problem = Type.Ref('ProblemDetails')
const result = Type.Ref('PGCRUDResult')

/** An item of the path, as single reads take it. */
const params = Type.Object({
  id: Type.String({
    maxLength: 500,
    description: 'Identifier of the record',
    examples: [exampleIds[0]],
  }),
})

/** Bodies are taken under each of these (interface 4.1). */
const mediaTypes = ['application/json', 'text/json', 'application/*+json']
const patchType = 'application/json-patch+json'

const bodyOf = (schema: TSchema, patched = schema) => ({
  content: {
    ...Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }])),
    [patchType]: { schema: patched },
  },
})

const patch = Type.Array(Type.Object({ op: Type.String(), path: Type.String() }), {
  description: 'RFC 6902',
})

const refusals = {
  400: problem,
  401: problem,
  403: problem,
  413: problem,
  415: problem,
  503: problem,
}

const answerOf = (description: string, schema: TSchema) => ({
  description,
  content: { 'application/json': { schema } },
})

const oneOrMany = answerOf(
  'What became of the record, or of each record of a batch',
  Type.Union([result, Type.Array(result)]),
)

const one = answerOf('What became of the record', result)

const recordOf = ({ schema }: Entity) => Type.Ref(schema.$id)

const examplePatch = [{ op: 'add', path: '/Shortname', value: 'Example' }]

/** A record as small as it may be. */
const exampleOf = (_: Entity, Id: string) => ({ Id, Shortname: 'Example' })

const recordsOf = (entity: Entity) =>
  Type.Union([recordOf(entity), Type.Array(recordOf(entity), { maxItems: largestBatch })], {
    examples: [exampleIds.map((id) => exampleOf(entity, id))],
  })

/** `POST /v1/{EntityType}` (interface 4.3, decision D32). */
export const createOperation = (entity: Entity) => ({
  operationId: `create${entity.name}`,
  summary: `Create: ${entity.summary}`,
  description: `Takes a record, or an array of up to ${String(largestBatch)}; all are written or none.`,
  tags: ['Content writes'],
  security: [{ bearer: [] }],
  body: bodyOf(recordsOf(entity)),
  response: { 200: oneOrMany, ...refusals },
})

/** `PUT /v1/{EntityType}`: each record names its Id. */
export const replaceOperation = (entity: Entity) => ({
  operationId: `replace${entity.name}`,
  summary: `Replace several: ${entity.summary}`,
  description: `Takes an array of up to ${String(largestBatch)} records; all are written or none.`,
  tags: ['Content writes'],
  security: [{ bearer: [] }],
  body: bodyOf(recordsOf(entity)),
  response: { 200: oneOrMany, ...refusals, 404: problem },
})

/** `DELETE /v1/{EntityType}`: the identifiers stand in the body. */
export const clearOperation = (entity: Entity) => ({
  operationId: `deleteSeveral${entity.name}`,
  summary: `Delete several: ${entity.summary}`,
  description: 'Takes an array of identifiers; all are deleted or none.',
  tags: ['Content writes'],
  security: [{ bearer: [] }],
  body: bodyOf(Type.Array(Type.String(), { maxItems: largestBatch, examples: [[exampleIds[1]]] })),
  response: { 200: oneOrMany, ...refusals, 404: problem },
})

/** `PUT /v1/{EntityType}/{id}` (interface 4.3, decision D32). */
export const updateOperation = (entity: Entity) => ({
  operationId: `update${entity.name}`,
  summary: `Replace or patch: ${entity.summary}`,
  description:
    'Takes the record, or as application/json-patch+json the operations that change it (RFC 6902). `If-Match` with an ETag of the record makes sure that nobody else has written it since.',
  tags: ['Content writes'],
  security: [{ bearer: [] }],
  params,
  body: bodyOf(
    Type.Union([recordOf(entity), patch], { examples: [exampleOf(entity, exampleIds[0])] }),
    Type.Union([patch, recordOf(entity)], { examples: [examplePatch] }),
  ),
  response: { 200: one, ...refusals, 404: problem, 412: problem },
})

/** `DELETE /v1/{EntityType}/{id}` (interface 4.3, decision D32). */
export const deleteOperation = (entity: Entity) => ({
  operationId: `delete${entity.name}`,
  summary: `Delete: ${entity.summary}`,
  description:
    'The record is gone at once; `If-Match` with its ETag makes sure that nobody else has written it since.',
  tags: ['Content writes'],
  security: [{ bearer: [] }],
  params,
  response: { 200: one, ...refusals, 404: problem, 412: problem },
})
