import { randomUUID } from 'node:crypto'
import type { Operation as PatchOperation } from 'rfc6902'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { AppError, form, schemaIssues } from '../../errors/index.ts'
import type { Issue } from '../../errors/index.ts'
import { isObject } from '../../lang/json.ts'
import { maxIdLength, visibleText } from '../entities/members/parts.ts'
import { toEntityId, toStoredId } from '../table.ts'
import type { Entity } from '../entity.ts'

/** Record as it was sent, before any check. */
export type SentRecord = Readonly<Record<string, unknown>>

/** Requested change to one record. */
export type Edit =
  | {
      readonly operation: 'Create'
      readonly id: string
      /** Whether the hub generated the identifier, so that no other record can have it. */
      readonly hasNewId: boolean
      readonly record: SentRecord
    }
  | { readonly operation: 'Update'; readonly id: string; readonly record: SentRecord }
  | {
      readonly operation: 'Update'
      readonly id: string
      /** JSON patch (RFC 6902). */
      readonly patch: readonly PatchOperation[]
    }
  | { readonly operation: 'Delete'; readonly id: string }

/** Invalid item of a batch. It is refused together with the faults of the other items. */
type Refused = { readonly refusal: AppError }

export type Item = Edit | Refused

export const isEdit = (item: Item): item is Edit => 'id' in item

export const operations = ['Create', 'Update', 'Delete'] as const

export type Operation = (typeof operations)[number]

/**
 * Maximum number of records in a batch. Larger amounts should be pushed, because a push is checked
 * record by record.
 */
export const maxBatchSize = 1000

const patchType = /^application\/json-patch\+json\s*(?:;|$)/i

/** JSON pointer (RFC 6901 section 3). A repeated group would overflow the stack on a long path. */
const pointer = Type.String(
  form(
    '^(?![^]*~(?![01]))(/[^]*)?$',
    'is not a valid JSON pointer; it begins with /, and ~ in a name is written as ~0',
  ),
)

const patchSchema = Compile(
  Type.Array(
    Type.Union([
      Type.Object({
        op: Type.Union([Type.Literal('add'), Type.Literal('replace'), Type.Literal('test')]),
        path: pointer,
        value: Type.Unknown(),
      }),
      Type.Object({ op: Type.Literal('remove'), path: pointer }),
      Type.Object({
        op: Type.Union([Type.Literal('move'), Type.Literal('copy')]),
        path: pointer,
        from: pointer,
      }),
    ]),
  ),
)

type Sent = {
  readonly entity: Entity
  readonly body: unknown
  readonly contentType: string | undefined
}

/**
 * Parses what a POST creates: a record, or a batch. A record without an identifier gets one.
 * @throws AppError HUB-BDY-001 for a body that is neither, with the JSON pointer of the fault
 */
export function readCreations({ entity, body, contentType }: Sent): readonly Item[] {
  if (isPatch(contentType) && Array.isArray(body)) {
    throw refuse('A patch changes an existing record.', {
      hint: `Send it with PUT to /v1/${entity.path}/{id}, or a batch of records as application/json.`,
    })
  }
  return readEach(body, (sent, at) => {
    const record = toRecord(sent, at)
    const named = idOf(record, at)
    if (named === undefined) assertIdSpelt(record, at)
    const known = named ?? keyOf(entity, record, at)
    const id = toEntityId(entity, known ?? randomUUID())
    assertTagId(entity, id, at)
    return { operation: 'Create', id, hasNewId: known === undefined, record }
  })
}

/**
 * Parses what a PUT to a list replaces: a record that contains its Id, or a batch of such records.
 * @throws AppError HUB-BDY-001
 */
export function readReplacements({ entity, body }: Sent): readonly Item[] {
  return readEach(body, (sent, at) => {
    const record = toRecord(sent, at)
    const id = idOf(record, at)
    if (id === undefined) throw wrongField(`${at}/Id`, 'is required')
    const known = toEntityId(entity, id)
    assertTagId(entity, known, at)
    return { operation: 'Update', id: known, record }
  })
}

/**
 * Parses what a PUT to a record does: replaces it by another one, or patches it (decision D32).
 * @throws AppError HUB-BDY-001
 */
export function readChange({ entity, body, contentType }: Sent, written: string): Edit {
  const id = toEntityId(entity, written)
  assertTagId(entity, id, '')
  if (isPatch(contentType) && Array.isArray(body)) {
    return { operation: 'Update', id, patch: readPatch(body) }
  }
  if (Array.isArray(body)) {
    throw refuse('The body is an array, not a record.', {
      hint: `Send a JSON patch as application/json-patch+json, and a batch of records with PUT to /v1/${entity.path}.`,
    })
  }
  const record = toRecord(body, '')
  assertSameId(entity, record, written)
  return { operation: 'Update', id, record }
}

/**
 * Asserts that a record keeps its identifier, whether it is sent or patched.
 * @throws AppError HUB-BDY-001 for a record with another identifier
 */
export function assertSameId(entity: Entity, record: SentRecord, id: string): void {
  const named = idOf(record, '')
  if (named === undefined || toEntityId(entity, named) === toEntityId(entity, id)) return
  throw wrongField('/Id', 'is not the identifier in the path', id)
}

/**
 * Parses what a DELETE to a list removes: the records with these identifiers.
 * @throws AppError HUB-BDY-001
 */
export function readDeletions({ entity, body }: Sent): readonly Item[] {
  if (!Array.isArray(body)) throw refuse('The body is not a JSON array of identifiers.')
  return readEach(body, (id, at) => ({
    operation: 'Delete',
    id: toEntityId(entity, toIdentifier(id, at)),
  }))
}

function isPatch(contentType = ''): boolean {
  return patchType.test(contentType)
}

function readPatch(body: readonly unknown[]): readonly PatchOperation[] {
  if (patchSchema.Check(body)) return body
  throw refuse('The body is not a valid JSON patch.', {
    issues: schemaIssues(patchSchema.Errors(body)),
    hint: 'Operations are add, remove, replace, move, copy and test, each with a path (RFC 6902).',
  })
}

type ReadEdit = (item: unknown, at: string) => Edit

/**
 * Parses a body, or each item of a batch. Faults of a batch are collected, but an item that is sent
 * alone is refused at once.
 */
function readEach(body: unknown, read: ReadEdit): readonly Item[] {
  if (!Array.isArray(body)) return [read(body, '')]
  const [first, ...others] = assertBatch(body)
  if (others.length === 0) return [read(first, '/0')]
  return [first, ...others].map((item) => {
    try {
      return read(item, '')
    } catch (error) {
      if (error instanceof AppError) return { refusal: error }
      throw error
    }
  })
}

/**
 * Returns an error about the only record of a batch with pointers into the batch, like those of
 * `readEach`.
 */
export function inBatchOfOne(error: unknown): unknown {
  if (!(error instanceof AppError) || error.issues.length === 0) return error
  const { code, message, hint, headers } = error
  return new AppError(code, message, {
    ...(hint === undefined ? {} : { hint }),
    ...{ headers, issues: issuesAt('/0', error.issues), cause: error },
  })
}

/** Returns the issues of a record with pointers that start with the place of the record. */
export function issuesAt(at: string, issues: readonly Issue[]): readonly Issue[] {
  return issues.map(({ pointer = '', ...issue }) => ({ pointer: `${at}${pointer}`, ...issue }))
}

function assertBatch(batch: readonly unknown[]): readonly unknown[] {
  if (batch.length > 0 && batch.length <= maxBatchSize) return batch
  throw refuse(
    `A batch holds 1 to ${String(maxBatchSize)} items, this one ${String(batch.length)}.`,
    {
      hint: 'Send it in parts, or push it: POST /push/{provider}/{dataset}.',
    },
  )
}

function toRecord(value: unknown, at: string): SentRecord {
  if (isObject(value)) return value
  if (value === undefined)
    throw refuse('The body is missing.', { hint: 'Send the record as JSON.' })
  throw wrongField(at, 'is not a record', 'object')
}

/** Returns the identifier in a record, or undefined if it is missing, null or empty. */
function idOf({ Id }: SentRecord, at: string): string | undefined {
  if (Id === undefined || Id === null || Id === '') return undefined
  if (typeof Id === 'number' && Number.isSafeInteger(Id)) return String(Id)
  return toIdentifier(Id, `${at}/Id`)
}

/**
 * Refuses another spelling of `Id`. It would become a field of the record, and the record would get
 * an identifier that nobody expects.
 */
function assertIdSpelt(record: SentRecord, at: string): void {
  const name = Object.keys(record).find((key) => key !== 'Id' && key.toLowerCase() === 'id')
  if (name !== undefined)
    throw wrongField(`${at}/${name}`, 'is not the identifier: that is Id', 'Id')
}

function toIdentifier(value: unknown, at: string): string {
  const isSound =
    typeof value === 'string' && value.length <= maxIdLength && visibleText.test(value)
  if (isSound) return value
  throw wrongField(
    at,
    'is not a valid identifier',
    `string of 1 to ${String(maxIdLength)} visible characters`,
  )
}

/**
 * Requires that editors write identifiers of tags in lower case (interface 2.3). Only those of
 * pushed records are converted by the hub.
 */
function assertTagId(entity: Entity, id: string, at: string): void {
  const stored = toStoredId(entity, id)
  if (stored !== id) throw wrongField(`${at}/Id`, 'is not in lower case', stored)
}

/** Returns the key of a source or publisher, which identifies it if it has no identifier. */
function keyOf({ type }: Entity, { Key }: SentRecord, at: string): string | undefined {
  const isKeyed = type === 'source' || type === 'publisher'
  const key = isKeyed && typeof Key === 'string' ? Key.replaceAll(/\s/g, '') : ''
  return key === '' ? undefined : toIdentifier(key, `${at}/Key`)
}

function wrongField(at: string, detail: string, ...expected: readonly string[]): AppError {
  const named = at === '' ? 'The body' : at
  const issue = { pointer: at, detail, ...(expected.length === 0 ? {} : { expected }) }
  return refuse(`${named} ${detail}.`, { issues: [issue] })
}

function refuse(detail: string, options: ConstructorParameters<typeof AppError>[2] = {}): AppError {
  return new AppError('HUB-BDY-001', detail, options)
}
