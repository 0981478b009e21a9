import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/index.ts'
import { isUnchanged, sendText, setCaching, weakEtag } from '../http/index.ts'
import { contentPolicy } from './content-policy.ts'
import { explorerSchema } from './explorer-schema.ts'
import type { Explorer } from './explorer-schema.ts'
import type { Page } from './load-page.ts'
import { pagePaths } from './page-paths.ts'
import type { ViewFile } from './page-paths.ts'

export type ExplorerDeps = {
  /** The built page, or undefined where nobody built it. */
  readonly page: Page | undefined
  readonly explorer: Explorer
}

const operation = {
  operationId: 'getExplorer',
  summary: 'What a page on top of this hub has to know',
  description:
    'Title, languages, the services that run here, the background of maps, and how people log in. The Explorer asks for it first; other pages may, too.',
  tags: ['Operation'],
  response: {
    200: { description: 'Settings', content: { 'application/json': { schema: explorerSchema } } },
  },
}

const oneYear = 31_536_000

/** Answers with the page, ready for a view, whatever the address; undefined where nobody built it. */
export function pageAnswer({ page, explorer }: ExplorerDeps, view: ViewFile) {
  return page === undefined ? undefined : answerWith(page.htmlOf(view), policyOf(explorer))
}

/** The Explorer: the page, its assets, and what it has to know. Call it after all other services. */
export const explorerRoutes =
  ({ page, explorer }: ExplorerDeps): FastifyPluginAsync =>
  async (app) => {
    const policy = policyOf(explorer)
    const body = JSON.stringify(explorer)
    app.get('/explorer.json', { schema: operation }, (request, reply) => {
      return sendText({ request, reply }, body)
    })
    for (const [path, view] of Object.entries(pagePaths)) {
      app.get(path, { schema: { hide: true } }, pageAnswer({ page, explorer }, view) ?? refuse)
    }
    if (page !== undefined) await serveAssets(app, page.assets, policy)
  }

function policyOf({ publicUrl, login, map }: Explorer): string {
  return contentPolicy([publicUrl, login?.issuer, map.tiles].filter(isGiven))
}

function answerWith(html: string, policy: string) {
  const etag = weakEtag([html, policy])
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    void reply.header('content-security-policy', policy)
    // The page is an application and says so to the hub, whose quotas ask for it; nobody else is told.
    void reply.header('referrer-policy', 'same-origin')
    setCaching(reply, request.principal)
    if (isUnchanged(request, reply, etag)) return reply.send()
    return reply.type('text/html; charset=utf-8').send(html)
  }
}

function refuse(): never {
  throw new AppError('HUB-WEB-001', 'The Explorer has not been built.', {
    hint: 'Run `npm run build` and start the hub again. The data does not need it: see /openapi.json.',
  })
}

/** Their names change with their content, so nobody needs to ask for them twice. */
async function serveAssets(app: FastifyInstance, root: string, policy: string): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    prefix: '/assets/',
    // A route for each file: unknown names are the hub's 404, like all unknown addresses.
    wildcard: false,
    decorateReply: false,
    preCompressed: true,
    immutable: true,
    maxAge: oneYear * 1000,
    index: false,
    setHeaders: (response) => {
      // Workers obey the policy of their own file.
      response.header('content-security-policy', policy)
    },
  })
}

function isGiven(address: string | undefined): address is string {
  return address !== undefined
}
