import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { seesAll } from '../access/index.ts'
import type { Every } from '../async/index.ts'
import { detailRoutes } from './details.ts'
import type { AnswerCatalogue, FoundDataset } from './details.ts'
import { isOf } from './dcat/index.ts'
import type { DcatProfile } from './dcat/index.ts'
import { keepCatalogue, renewRegularly } from './keep-current.ts'
import type { Built, CatalogueDeps, KeptCatalogue } from './keep-current.ts'
import {
  catalogueOperation,
  datasetOperation,
  datasetSchema,
  miniatureOperation,
} from './schemas.ts'
import type { Dataset, Miniature } from './schemas.ts'
import { AppError } from '../errors/index.ts'
import { escapeMarkup } from '../lang/markup.ts'
import {
  answerRead,
  chooseFormat,
  contentTypeOf,
  jsonType,
  wantsStrictHandling,
  weakEtag,
} from '../http/index.ts'
import type { Offer } from '../http/index.ts'

export type { Publication } from './dcat/index.ts'
export { keepCatalogue } from './keep-current.ts'
export {
  describeCatalogue,
  downloadsOf,
  toSchemaCatalogue,
  toSchemaDataset,
} from './to-schema-org.ts'
export type { Dataset, Standard } from './schemas.ts'

export type { CatalogueDeps } from './keep-current.ts'

export type CatalogueRoutesDeps = CatalogueDeps & {
  readonly every: Every
}

/** Serves the catalogue: every dataset of the hub that the caller may see. */
export const catalogueRoutes =
  (deps: CatalogueRoutesDeps, catalogue = keepCatalogue(deps)): FastifyPluginAsyncTypebox =>
  async (app) => {
    const ends: (() => void)[] = []
    app.addHook('onReady', (done) => {
      ends.push(renewRegularly(catalogue, deps))
      done()
    })
    app.addHook('onClose', (_instance, done) => {
      for (const end of ends) end()
      done()
    })
    app.addSchema(datasetSchema)
    await app.register(reads(catalogue, deps))
  }

const reads =
  (catalogue: KeptCatalogue, deps: CatalogueDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const answer: AnswerCatalogue = (exchange, run) =>
      answerRead(exchange, { withheld: withheldOf(deps, exchange.request), run })
    const find = finder(catalogue)
    app.get('/catalogue', { schema: catalogueOperation }, (request, reply) =>
      answer({ request, reply }, async () => {
        const { form, type } = chooseForm(request, 'The catalogue')
        const built = await catalogue.of(request.principal)
        const { fields, profile } = request.query
        if (form !== 'json') return { ...(await built.linked({ form, profile })), type }
        const { body, etag } = built
        if (fields === undefined && profile === undefined) return { body, etag, type }
        const part = partOf(built, { fields, profile, context: deps })
        return { body: part, etag: weakEtag([part]), type }
      }),
    )
    const path = '/catalogue/:service/:type'
    app.get(path, { schema: datasetOperation }, (request, reply) =>
      answer({ request, reply }, async () => {
        const { form, type } = chooseForm(request, 'A dataset of the catalogue')
        const { dataset, linked } = await find(request, request.params)
        if (form !== 'json') return { ...(await linked({ form, id: dataset.id })), type }
        const body = JSON.stringify(dataset)
        return { body, etag: weakEtag([body]), type }
      }),
    )
    app.get(`${path}/miniature.svg`, { schema: miniatureOperation }, (request, reply) =>
      answer({ request, reply }, async () => {
        const body = pictureOf((await find(request, request.params)).dataset)
        // A browser that opens the picture as a page must neither load nor run anything.
        void reply.header('content-security-policy', "default-src 'none'; sandbox")
        return { body, etag: weakEtag([body]), type: svgType }
      }),
    )
    await app.register(detailRoutes({ ...deps, find, answer }))
  }

type Part = {
  readonly fields: string | undefined
  readonly profile: DcatProfile | undefined
  readonly context: Pick<CatalogueDeps, 'publicUrl' | 'publication'>
}

function partOf({ extent, datasets }: Built, { fields, profile, context }: Part): string {
  const every = [...datasets.values()]
  const chosen = profile === undefined ? every : every.filter(isOf(profile, context))
  if (fields === undefined) return JSON.stringify({ extent, datasets: chosen })
  return JSON.stringify({ datasets: chosen.map(pick(fields)) })
}

/** Keeps the named fields of a dataset. Unknown names are ignored. */
function pick(fields: string) {
  const names = new Set(fields.split(',').map((name) => name.trim()))
  return (dataset: Dataset) =>
    Object.fromEntries(Object.entries(dataset).filter(([name]) => names.has(name)))
}

const forms = [
  { name: 'json', mediaTypes: ['application/json', 'text/json'] },
  { name: 'json-ld', mediaTypes: ['application/ld+json'] },
  { name: 'turtle', mediaTypes: ['text/turtle'] },
  { name: 'rdf-xml', mediaTypes: ['application/rdf+xml'] },
] as const

type Form = (typeof forms)[number]['name']

function chooseForm({ query, headers }: CatalogueRequest, subject: string) {
  const choice = chooseFormat<Offer & { readonly name: Form }>({
    offered: [...forms],
    format: query.format,
    accept: headers.accept,
    isStrict: wantsStrictHandling(headers['prefer']),
    subject,
  })
  const isJson = choice.format.name === 'json'
  return { form: choice.format.name, type: isJson ? jsonType : contentTypeOf(choice) }
}

type CatalogueRequest = FastifyRequest<{ Querystring: { format?: string } }>

const svgType = 'image/svg+xml; charset=utf-8'

type Place = { readonly service: string; readonly type: string }

function finder(catalogue: KeptCatalogue) {
  return async ({ principal }: FastifyRequest, { service, type }: Place): Promise<FoundDataset> => {
    const id = `${service}/${type}`
    const { datasets, values, tags, linked } = await catalogue.of(principal)
    const [dataset, own] = [datasets.get(id), values.get(id)]
    if (dataset === undefined || own === undefined) throw noSuchDataset(id)
    return { dataset, values: own, tags, linked }
  }
}

/** Depends on the caller's rights only, never on which data exists (decision D6). */
function withheldOf({ visibilityOf }: CatalogueDeps, { principal }: FastifyRequest) {
  const visibility = visibilityOf(principal)
  const areas = ['content', 'timeseries', 'event'] as const
  return areas.every((area) => seesAll(visibility, area)) ? [] : (['records'] as const)
}

function pictureOf({ id, title, miniature }: Dataset): string {
  if (miniature !== null) return toSvg(miniature, title.en)
  throw new AppError('HUB-RTE-003', `The dataset ${id} has nothing to draw.`, {
    hint: 'The field miniature of the catalogue is then null.',
  })
}

function noSuchDataset(id: string): AppError {
  return new AppError('HUB-RTE-003', `There is no dataset ${JSON.stringify(id)}.`, {
    hint: 'GET /catalogue lists all datasets.',
  })
}

/**
 * Writes the picture as a file that other sites may embed: nothing in it runs or is loaded. Its
 * colour is legible on light and dark backgrounds.
 */
export function toSvg({ viewBox, path }: Miniature, title: string): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" role="img">`,
    `<title>${escapeMarkup(title)}</title>`,
    `<path d="${path}" fill="none" stroke="#5b6770" stroke-linecap="round" stroke-linejoin="round" stroke-width="0.9"/>`,
    '</svg>',
  ].join('')
}
