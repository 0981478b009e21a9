import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors/index.ts'

type Route = { readonly method: string; readonly pattern: RegExp }

/**
 * Answers what no route takes: 405 with `Allow` when the path exists for another method, 404
 * otherwise (decision D2). Call it before the routes are added: it watches them come.
 */
export function answerUnrouted(app: FastifyInstance): void {
  const routes: Route[] = []
  app.addHook('onRoute', ({ method, url }) => {
    const pattern = toPattern(url)
    // OPTIONS works everywhere, so it does not make an address exist.
    const methods = [method].flat().filter((name) => name !== 'OPTIONS')
    for (const name of methods) routes.push({ method: name, pattern })
  })
  app.setNotFoundHandler((request) => {
    const path = request.url.split('?')[0] ?? ''
    const allowed = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    // The router refuses some paths that a route looks like, such as one with a line break before a suffix.
    if (allowed.length === 0 || allowed.includes(request.method)) {
      throw new AppError('HUB-RTE-001', `There is nothing at ${path}.`, {
        hint: 'See /docs for the addresses of the hub.',
      })
    }
    const allow = [...new Set([...allowed, 'OPTIONS'])].sort().join(', ')
    throw new AppError('HUB-RTE-002', `${request.method} does not work at ${path}.`, {
      headers: { allow },
      hint: `Allowed: ${allow}.`,
    })
  })
}

function toPattern(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  const source = escaped.replace(/:[A-Za-z]+/g, '[^/]+').replaceAll('*', '.*')
  return new RegExp(`^${source.replace(/\/$/, '')}/?$`)
}
