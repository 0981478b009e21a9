import type { FastifyRequest } from 'fastify'
import { seesAll } from '../access/index.ts'
import type { Principal, Visibility } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { wantsStrictHandling } from '../http/index.ts'
import type { Withheld } from '../http/index.ts'
import type { Queryable } from '../storage/index.ts'
import type { Entity, Profile } from './entity.ts'
import { chooseFormat, streamedFormats } from './formats/index.ts'
import type { Choice } from './formats/index.ts'
import { isElsewhere } from './geography/output-filters.ts'
import type { Caller, ListPlan, Planning } from './list/plan.ts'
import type { Representation } from './representation.ts'

/**
 * Returns the error for a record that does not exist or that the caller cannot see. The two cases
 * must be indistinguishable (D34).
 */
export function noSuchRecord({ name }: Entity, id: string): AppError {
  return new AppError('HUB-RTE-003', `There is no ${name} with the id ${JSON.stringify(id)}.`)
}

type Choosing = {
  readonly request: FastifyRequest
  readonly query: { readonly format?: string; readonly srid?: unknown }
  readonly caller: Caller
}

/**
 * Chooses the format of the response.
 * @throws AppError as `chooseFormat` does, for a format that is not available
 */
export function choose(entity: Entity, kind: 'item' | 'list', asked: Choosing): Choice {
  const { request, query, caller } = asked
  const { accept } = request.headers
  const { isStrict } = caller
  const isMoved = query.srid !== undefined && isElsewhere(entity, query)
  const chosen = { format: query.format, isElsewhere: isMoved }
  return chooseFormat({ entity, kind, ...chosen, accept, isStrict })
}

/** Makes the hub select the fields after reading if the format needs whole records. */
export function readWhole<Plan extends { readonly representation: Representation }>(
  plan: Plan,
  { format }: Choice,
): Plan {
  if (!format.needsWhole) return plan
  return { ...plan, representation: { ...plan.representation, selectedBy: 'hub' } }
}

export function callerOf(
  request: FastifyRequest,
  visibilityOf: (principal: Principal) => Visibility,
): Caller {
  return {
    visibility: visibilityOf(request.principal),
    isAnonymous: request.principal.kind === 'anonymous',
    isStrict: wantsStrictHandling(request.headers['prefer']),
  }
}

type Deps = Setting & {
  readonly database: { readonly read: Queryable }
  readonly visibilityOf: (principal: Principal) => Visibility
  readonly profile?: Profile
}

/** Returns everything that the plan of a list depends on besides its parameters. */
export function planningOf(deps: Deps, request: FastifyRequest): Planning {
  const { database, visibilityOf, profile = 'strict' } = deps
  const { principal } = request
  const caller = callerOf(request, visibilityOf)
  return { ...settingOf(deps), ...caller, database: database.read, profile, principal }
}

type Setting = Pick<Planning, 'now' | 'timeZone' | 'availability' | 'stations'>

function settingOf({ now, timeZone, availability, stations }: Setting): Setting {
  return {
    ...(now === undefined ? {} : { now }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(availability === undefined ? {} : { availability }),
    ...(stations === undefined ? {} : { stations }),
  }
}

/** A single page that is larger than any dataset. */
const everything = { pageNumber: 1, pageSize: Number.MAX_SAFE_INTEGER, cursor: undefined }

/**
 * Returns the changes to a plan if `stream` requests all matching records at once.
 * @throws AppError HUB-QRY-001 if the format cannot be streamed
 */
export function toExtent(
  { stream }: { readonly stream: boolean },
  { format }: Choice,
): Partial<Pick<ListPlan, 'pageNumber' | 'pageSize' | 'cursor'>> {
  if (!stream) return {}
  if (format.streams) return everything
  throw new AppError('HUB-QRY-001', `stream is not available in the format ${format.name}.`, {
    issues: [
      {
        parameter: 'stream',
        detail: `is true, but the answer would be ${format.name}`,
        expected: streamedFormats.map((name) => `format=${name}`),
      },
    ],
  })
}

/**
 * Returns `fields` if closed fields are withheld from the caller, who has no token (decision D34).
 * `_Meta.Reduced` marks the affected records.
 */
export function withheldFields(entity: Entity, caller: Caller): readonly Withheld[] {
  return caller.isAnonymous && entity.closedFields.length > 0 ? ['fields'] : []
}

/**
 * Returns `records` if the caller may not see all records of the entity. Closed records are absent
 * from lists, and 404 like records that do not exist.
 */
export function withheldRecords(
  { area, name }: Entity,
  { visibility }: Caller,
): readonly Withheld[] {
  const asked = area === 'content' ? { types: [name] } : {}
  return seesAll(visibility, area, asked) ? [] : ['records']
}

/**
 * Returns what is withheld from a list. With `near`, records may also be missing because the caller
 * may not see the values of stations.
 */
export function withheldFromList(
  { entity, nearby }: Pick<ListPlan, 'entity' | 'nearby'>,
  caller: Caller,
): readonly Withheld[] {
  return nearby?.matching.isWithheld === true ? ['records'] : withheldRecords(entity, caller)
}
