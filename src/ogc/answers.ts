import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerRead, preferredType, weakEtag } from '../http/index.ts'
import type { Exchange } from '../http/index.ts'
import { fieldsOf, parseObject } from '../lang/json.ts'
import { types } from './documents.ts'
import type { Site } from './documents.ts'
import { toPage } from './html.ts'

export type Form = 'json' | 'html'

/** `f` wins over `Accept`; whatever else that names is answered with JSON. */
export function formOf({ query, headers }: FastifyRequest): Form {
  const { f } = fieldsOf(query)
  if (typeof f === 'string') return f === 'html' ? 'html' : 'json'
  const offered = [types.json, types.geojson, types.html]
  return preferredType(headers.accept, offered) === types.html ? 'html' : 'json'
}

type Document = { readonly site: Site; readonly type: string; readonly document: object }

/** A document that everybody reads alike, as JSON or as a page. */
export function sendDocument(
  exchange: Exchange,
  { site, type, document }: Document,
): Promise<FastifyReply> {
  const form = formOf(exchange.request)
  const body = form === 'json' ? JSON.stringify(document) : pageOf(document, site)
  const answer = { body, type: typeOf(form, type), etag: weakEtag([body]) }
  return answerRead(exchange, { run: () => answer })
}

/** The media type with its character set, where it has one. */
export function typeOf(form: Form, json: string): string {
  if (form === 'html') return `${types.html}; charset=utf-8`
  return json === types.json ? `${json}; charset=utf-8` : json
}

function pageOf(document: object, { root, title }: Site): string {
  const named: { readonly title?: unknown; readonly id?: unknown } = document
  const own = named.title ?? named.id
  return toPage(document, { title: typeof own === 'string' ? own : title, root })
}

/** Features as a page, from their JSON text. */
export function featuresPage(
  text: string,
  { site, title }: { readonly site: Site; readonly title: string },
): string {
  return toPage(parseObject(text), { title, root: site.root })
}
