import { Readable } from 'node:stream'
import { inBatches } from '../../async/index.ts'
import { weakEtag } from '../../http/index.ts'
import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { columnsOf } from '../formats/index.ts'
import type { Choice, Listing, LoadedRecord } from '../formats/index.ts'
import { itemAddress } from '../table.ts'
import { pageAddress, withSeed } from '../pages.ts'
import { choiceOf, loadPage, nextCursor, showRecords, versionOf } from './load-page.ts'
import type { Totals } from './load-page.ts'
import { loadEverything, openStream, writePieces } from './open-stream.ts'
import type { ListPlan } from './plan.ts'

/** Length of the conditions and sort orders of an ordinary request, in characters. */
const usual = 500

const languages = ['rawfilter', 'rawsort']

/**
 * Reports whether a list may keep the database busy for seconds: because it compares each match
 * with each station, or because it has many conditions.
 */
export function isHeavy({ nearby, filters }: Pick<ListPlan, 'nearby' | 'filters'>): boolean {
  const texts = filters.flatMap(({ parameter, text }) =>
    languages.includes(parameter) ? text : [],
  )
  return nearby !== undefined || texts.join('').length > usual
}

type Deps = { readonly database: Queryable; readonly totals: Totals; readonly publicUrl: string }

/** A planned list, and the form of its response. */
export type ListRequest = {
  readonly plan: ListPlan
  readonly choice: Choice
  /** Path and query of the request, for the links to other pages. */
  readonly url: string
  readonly bom: boolean
}

export type ListAnswer = {
  readonly etag: string
  readonly body: string | Buffer | Readable
  /** Absolute URL of the next page, with its cursor. */
  readonly next: string | undefined
}

/**
 * Maximum number of records in a page that is read at once. Larger pages are read and sent in
 * chunks.
 */
const maxAtOnce = 1000

/**
 * Returns the entity tag that the response to this request would have now. Cheap, because it reads
 * no record.
 */
export async function listEtag(deps: Deps, request: ListRequest): Promise<string> {
  const [row] = await deps.database.texts(sql`select ${versionOf(request.plan)}`)
  return etagOf(request, row?.[0] ?? '')
}

/** Runs a plan: the identifiers of all matches, a long page as a stream, or a page at once. */
export async function listEntities(deps: Deps, request: ListRequest): Promise<ListAnswer> {
  const { plan } = request
  if (plan.wantsIds) return listIds(deps, request)
  if (plan.isBare || plan.pageSize > maxAtOnce) return streamEntities(deps, request)
  const { version, total, ...page } = await loadWithTotal(deps, plan)
  const shown = { plan, format: request.choice.format }
  const records = await showRecords(deps, shown, page.records)
  const listing = toListing({ ...deps, ...request }, total)
  const columns = request.choice.format.needsColumns ? columnsOf(records, listing) : []
  const cursor = nextCursor(plan, page, total)
  return writePage(deps, request, { version, listing: { ...listing, columns }, records, cursor })
}

type WrittenPage = {
  readonly version: string
  readonly listing: Listing
  readonly records: readonly LoadedRecord[]
  /** Cursor of the next page. */
  readonly cursor: string | undefined
}

export async function writePage(
  { publicUrl }: Pick<Deps, 'publicUrl'>,
  request: ListRequest,
  { version, listing, records, cursor }: WrittenPage,
): Promise<ListAnswer> {
  const { plan, url, choice } = request
  const writer = await choice.format.list(listing)
  return {
    etag: etagOf(request, version),
    body: await wholeOf(writePieces(writer, inBatches(records))),
    next: cursor && pageAddress(publicUrl, withSeed(url, plan.seed), { cursor }),
  }
}

/** Joins pieces into a text or, if the format is binary, into bytes. */
async function wholeOf(pieces: AsyncIterable<string | Uint8Array>): Promise<string | Buffer> {
  let text = ''
  const bytes: Uint8Array[] = []
  for await (const piece of pieces) {
    if (typeof piece === 'string') text += piece
    else bytes.push(piece)
  }
  return bytes.length === 0 ? text : Buffer.concat(bytes)
}

async function streamEntities(deps: Deps, request: ListRequest): Promise<ListAnswer> {
  const { plan, choice } = request
  const { version, chunks } = await loadEverything(deps.database, plan)
  const total = await deps.totals.at(deps.database, plan, version)
  const listing = toListing({ ...deps, ...request }, total.count)
  const body = await openStream(deps, { plan, chunks, format: choice.format, listing })
  return { etag: etagOf(request, version), body, next: undefined }
}

const wholeList = { pageNumber: 1, pageSize: Number.MAX_SAFE_INTEGER, cursor: undefined }

/**
 * Returns a bare array of the identifiers of all matching records, in list order (decision D30).
 */
async function listIds(deps: Deps, request: ListRequest): Promise<ListAnswer> {
  const { version, chunks } = await loadEverything(deps.database, {
    ...request.plan,
    ...wholeList,
  })
  const body = Readable.from(joined(chunks), { objectMode: false })
  return { etag: etagOf(request, version), body, next: undefined }
}

/** Joins JSON arrays into one, by copying what is between their brackets. */
function* joined(arrays: readonly string[]): Iterable<string> {
  yield '['
  for (const [index, array] of arrays.entries()) {
    yield `${index === 0 ? '' : ','}${array.slice(1, -1)}`
  }
  yield ']'
}

const maxReadings = 3

/**
 * Loads a page and a total of the same version. Under constant writes the versions may never agree.
 * Then the last page is returned, with a total from a moment close to it.
 */
async function loadWithTotal({ database, totals }: Deps, plan: ListPlan) {
  const expected = plan.filters.length === 0 ? Infinity : await totals.expected(database, plan)
  for (let reading = 1; ; reading++) {
    const page = await loadPage(database, plan, expected)
    const total = await totals.at(database, plan, page.version)
    if (total.version === page.version || reading === maxReadings) {
      return { ...page, total: total.count }
    }
  }
}

/**
 * Returns the entity tag of a response. The conditions contain the caller's rights, so two callers
 * share a tag only if they see the same.
 */
function etagOf({ plan, url, choice }: ListRequest, version: string): string {
  const rights = JSON.stringify([choiceOf(plan), plan.reduced, plan.seed, plan.basis])
  return weakEtag([version, url, rights, choice.mediaType])
}

/**
 * Maximum length of a URL of a page. The hub accepts 16 KiB of URL and headers together, but
 * parameters in a body can be longer.
 */
const maxUrlLength = 14_000

type ListingSource = {
  readonly plan: ListPlan
  readonly url: string
  readonly bom: boolean
  readonly publicUrl: string
}

/**
 * Returns what surrounds the records of a list, for a format to write (interface 2.1, decision
 * D20).
 */
export function toListing(
  { plan, url, bom, publicUrl }: ListingSource,
  total: number,
): Omit<Listing, 'columns'> {
  const { entity, representation, pageNumber, pageSize, seed, isBare, envelope } = plan
  const totalPages = Math.ceil(total / pageSize)
  const seeded = withSeed(url, seed)
  const linkTo = (pagenumber: number) => {
    if (pagenumber < 1 || pagenumber > totalPages) return null
    const address = pageAddress(publicUrl, seeded, { pagenumber })
    return address.length <= maxUrlLength ? address : null
  }
  return {
    entity,
    representation,
    reduced: plan.reduced,
    addressOf: (id) => itemAddress(publicUrl, entity, id),
    bom,
    isBare,
    total,
    totalPages,
    pageNumber,
    previousPage: linkTo(pageNumber - 1),
    nextPage: linkTo(pageNumber + 1),
    seed,
    further: envelope,
  }
}
