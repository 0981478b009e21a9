import { createHash } from 'node:crypto'
import type { Visibility } from '../../access/index.ts'
import type { Entity, Rewrite } from '../entity.ts'
import type { FieldPath } from '../fields/path.ts'
import { membersOf, textOf, textsOf } from '../formats/record-members.ts'
import type { Members } from '../formats/record-members.ts'
import type { ListPlan } from '../list/plan.ts'
import type { Representation } from '../representation/index.ts'
import { noMobility } from './mobility.ts'
import type { Mobility } from './mobility.ts'
import { createRecordCounts } from './record-counts.ts'
import type { Deps, Place, RecordCount } from './record-counts.ts'

/** Tells what is made for an answer with these fields; undefined when it shows nothing of it. */
export type Maker = (
  representation: Representation,
  visibility: Visibility,
) => Promise<Shown | undefined>

type Given = { readonly publicUrl: string; readonly mobility?: Mobility }

/** What is made when records of an entity are read, beside what is stored. */
export function makerOf(
  entity: Entity,
  { mobility = noMobility, ...deps }: Omit<Deps, 'mobility'> & Given,
): Maker {
  if (entity.computedMembers.length === 0) return () => Promise.resolve(undefined)
  const prepare = createShownMetaData({ ...deps, mobility })
  return async ({ fields }, visibility) => {
    const shown = (name: string) =>
      fields.length === 0 || fields.some((path) => leadsTo(path, name))
    if (!entity.computedMembers.some(shown)) return undefined
    return prepare({ counts: shown('RecordCount'), visibility })
  }
}

function leadsTo({ steps: [first] }: FieldPath, name: string): boolean {
  return first?.kind !== 'member' || first.name === name
}

type Plan = { readonly representation: Representation }

/** Fields of what is made are selected after it is. */
export function readStored<Any extends Plan>(plan: Any, made: Shown | undefined): Any {
  if (made === undefined) return plan
  return { ...plan, representation: { ...plan.representation, selectedBy: 'hub' } }
}

/** The plan of a list whose records are shown with what is made on read. */
export function withMade(plan: ListPlan, made: Shown | undefined): ListPlan {
  if (made === undefined) return plan
  const { rewrite, basis } = made
  return {
    ...readStored(plan, made),
    rewrites: [...plan.rewrites, rewrite],
    basis: [plan.basis, basis].join(' '),
  }
}

/** What is made when metadata records are read (decision D32, reference content.md 7.17). */
type Shown = {
  readonly rewrite: Rewrite
  /** Names the state of what is computed, for entity tags. */
  readonly basis: string
}

type Asked = {
  /** Whether the answer shows counts at all. */
  readonly counts: boolean
  readonly visibility: Visibility
}

/** Addresses and counts of the datasets, computed when a metadata record is read. */
function createShownMetaData(
  deps: Deps & { readonly publicUrl: string },
): (asked: Asked) => Promise<Shown> {
  const counts = createRecordCounts(deps)
  const toShown = toShownAt(deps)
  return async ({ counts: wantsCounts, visibility }) => {
    const versions = wantsCounts ? await counts.versions() : new Map<string, string>()
    const load = async (records: readonly Members[]) => {
      const known = new Map<string, RecordCount>()
      for (const record of records) {
        const place = placeOf(record)
        const isCounted = wantsCounts && place !== undefined && isOwn(record, deps.publicUrl)
        const count = isCounted ? await counts.of(place, { versions, visibility }) : undefined
        if (count !== undefined) known.set(String(record['Id']), count)
      }
      return (record: Members) => [toShown(record, known.get(String(record['Id'])))]
    }
    const basis = digest([[...versions], wantsCounts ? visibility : null])
    return { rewrite: { toShown: (record) => [record], load }, basis }
  }
}

/** A record as it is shown, with its count where there is one. */
function toShownAt({
  entities,
  publicUrl,
}: Pick<Deps, 'entities'> & { readonly publicUrl: string }): (
  record: Members,
  count: RecordCount | undefined,
) => Members {
  const operations = new Map(
    entities.map(({ path, name }) => [`v1/${path}`.toLowerCase(), `/list${name}`]),
  )
  return (record, count) => {
    const place = placeOf(record)
    if (!isOwn(record, publicUrl) || place === undefined) {
      return { ...record, ...missingAddress(record, place) }
    }
    const operation = operations.get(place.path.join('/').toLowerCase()) ?? '?tag=Time%20series'
    return {
      ...record,
      BaseUrl: publicUrl,
      ApiUrl: apiUrl(publicUrl, place),
      SwaggerUrl: `${publicUrl}/docs/api${operation}`,
      ...(count === undefined ? {} : { RecordCount: count }),
    }
  }
}

function digest(versions: unknown): string {
  return createHash('sha256').update(JSON.stringify(versions)).digest('base64url')
}

function placeOf(record: Members): Place | undefined {
  const path = textsOf(record['PathParam'])
  return path.length === 0 ? undefined : { path, filter: textsOf(record['ApiFilter']) }
}

/** Whether the record describes a dataset of this hub; others name the host where theirs is. */
function isOwn(record: Members, publicUrl: string): boolean {
  const { hub } = membersOf(record['Mapping'])
  if (textOf(membersOf(hub)['dataset']) !== undefined) return true
  const base = textOf(record['BaseUrl'])
  return base === undefined || base.replace(/\/+$/, '') === publicUrl
}

/** The address of a dataset elsewhere, where its record does not say it. */
function missingAddress(record: Members, place: Place | undefined): Members {
  const base = textOf(record['BaseUrl'])
  if (base === undefined || place === undefined || textOf(record['ApiUrl']) !== undefined) return {}
  return { ApiUrl: apiUrl(base.replace(/\/+$/, ''), place) }
}

function apiUrl(base: string, { path, filter }: Place): string {
  const query = filter.map(encoded).join('&')
  return `${base}/${path.map(encoded).join('/')}${query === '' ? '' : `?${query}`}`
}

/** What addresses may hold as it is stays readable, such as `flat,node` and `source=lts`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/%(?:2C|3D|28|29|2A|3A)/g, decodeURIComponent)
}
