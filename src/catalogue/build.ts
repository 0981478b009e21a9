import { inSlices } from '../async/index.ts'
import { listFormatsOf, needsToken, wordsOf } from '../content/index.ts'
import type { Entity, Summary } from '../content/index.ts'
import { weakEtag } from '../http/index.ts'
import type { Dataset, Described, Drawable, Miniature, Values } from './dataset.ts'
import { toDcat } from './to-dcat.ts'
import {
  describeTimeseries,
  describeTraffic,
  linksTo,
  report,
  together,
  traces,
} from './describe.ts'
import type { Describing } from './describe.ts'
import { cellsOf, extentOf } from './extent.ts'
import type { Extent } from './extent.ts'
import { drawChanges, drawMap } from './miniature.ts'

/** The catalogue as callers with some rights see it, ready to be sent. */
export type Built = {
  readonly datasets: ReadonlyMap<string, Dataset>
  /** The values in use, by the identifiers of the datasets. */
  readonly values: ReadonlyMap<string, Values>
  /** What titles of tags were last read from: others once a tag has changed. */
  readonly tags: readonly unknown[]
  readonly body: string
  readonly etag: string
  /** The same for other portals; made when first requested. */
  readonly dcat: () => Sendable
}

/** A text with its entity tag. */
type Sendable = { readonly body: string; readonly etag: string }

const toSendable = (body: string): Sendable => ({ body, etag: weakEtag([body]) })

/** Describes and draws every dataset, with pauses in which other requests are answered. */
export function buildCatalogue(describing: Describing, now: Date): Promise<Built> {
  return inSlices(steps(describing, now))
}

function* steps(describing: Describing, now: Date): Generator<undefined, Built> {
  const drawables = [
    ...describeContent(describing),
    ...describeTimeseries(describing),
    ...describeTraffic(describing),
  ]
  yield
  // Of what everybody may know, so that closed data does not move the maps of others.
  const extent = yield* wholeExtent(drawables)
  const datasets = new Map<string, Dataset>()
  for (const { described, traces } of drawables) {
    const cells = cellsOf(traces.cells)
    const map = extent === null ? null : drawMap(cells, extent)
    const miniature: Miniature | null = map ?? drawChanges(traces.months, now)
    datasets.set(described.id, { ...described, extent: extentOf(cells) ?? null, miniature })
    yield
  }
  const text = JSON.stringify({ extent, datasets: [...datasets.values()] })
  const values = new Map(
    drawables.map(({ described, traces }) => [described.id, traces.values] as const),
  )
  const { publicUrl, title, open, closed } = describing
  const given = { publicUrl, title, datasets: [...datasets.values()] }
  const tags = [open, closed].map(({ content }) => content.get('Tag'))
  let dcat: Sendable | undefined
  return {
    ...{ datasets, values, tags, ...toSendable(text) },
    dcat: () => (dcat ??= toSendable(JSON.stringify(toDcat(given)))),
  }
}

function* wholeExtent(drawables: readonly Drawable[]): Generator<undefined, Extent | null> {
  const cells = new Map<string, number>()
  for (const { traces } of drawables) {
    for (const [cell, count] of traces.openCells) cells.set(cell, count)
    yield
  }
  return extentOf(cellsOf(cells)) ?? null
}

/** The entities of the content service. Those whose lists take a token are named, not counted. */
function describeContent(describing: Describing): readonly Drawable[] {
  return describing.entities.map((entity) => describe(entity, describing))
}

function describe(entity: Entity, describing: Describing): Drawable {
  const { publicUrl, profile, hasToken, open, closed, guest } = describing
  const of = ({ content }: Pick<typeof open, 'content'>) => sumOf(content.get(entity.name))
  const takesToken = needsToken(entity, profile)
  const isHidden = takesToken && !hasToken
  const nothing = { open: undefined, closed: undefined, guest: undefined }
  const parts = isHidden ? nothing : { open: of(open), closed: of(closed), guest: of(guest) }
  const reported = report(parts)
  const access =
    entity.closedMembers.length > 0 && reported.access === 'open' ? 'partly' : reported.access
  const id = `content/${entity.name}`
  const path = `${publicUrl}/v1/${entity.path}`
  const described: Described = {
    id,
    service: 'content',
    type: entity.name,
    ...wordsOf(entity.naming, entity.name),
    ...reported,
    count: isHidden ? null : reported.count,
    access: takesToken ? 'closed' : access,
    freshness: null,
    dataTypes: [],
    formats: listFormatsOf(entity).map(({ name, mediaTypes: [mediaType] }) => ({
      name,
      mediaType,
    })),
    operations: [`list${entity.name}`, `get${entity.name}`],
    links: {
      ...linksTo({ publicUrl, id, page: id }),
      list: path,
      record: `${path}/{id}`,
      search: `${path}Search`,
    },
  }
  const drawn = traces(parts)
  return { described, traces: takesToken ? { ...drawn, openCells: new Map() } : drawn }
}

/** The records of all origins together. */
function sumOf(parts: ReadonlyMap<string, Summary> | undefined): Summary | undefined {
  return [...(parts?.values() ?? [])].reduce<Summary | undefined>(
    (sum, part) =>
      sum === undefined ? part : together({ open: sum, closed: part, guest: undefined }),
    undefined,
  )
}
