import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerRead, preferredType, weakEtag } from '../http/index.ts'
import type { Exchange } from '../http/index.ts'
import { fieldsOf, objectsOf, parseObject } from '../lang/json.ts'
import { types } from './documents.ts'
import type { Form, Shown, Site } from './documents.ts'
import { toPage } from './html.ts'

/** `f` wins over `Accept`; whatever else that names is answered with JSON. */
export function formOf({ query, headers }: FastifyRequest): Form {
  const [, f] = Object.entries(fieldsOf(query)).find(([name]) => name.toLowerCase() === 'f') ?? []
  if (typeof f === 'string' && f !== '') return f === 'html' ? 'html' : 'json'
  const offered = [types.json, types.geojson, types.html]
  return preferredType(headers.accept, offered) === types.html ? 'html' : 'json'
}

type Document = { readonly shown: Shown; readonly type: string; readonly document: object }

/** A document that everybody reads alike, as JSON or as a page. */
export function sendDocument(
  exchange: Exchange,
  { shown, type, document }: Document,
): Promise<FastifyReply> {
  const text = shown.form === 'json' ? JSON.stringify(document) : pageOf(document, shown)
  // As bytes: to the type of a text a parameter would be added, which some clients do not expect.
  const body = Buffer.from(text)
  const answer = { body, type: typeOf(shown.form, type), etag: weakEtag([text]) }
  return answerRead(exchange, { run: () => answer })
}

export function typeOf(form: Form, json: string): string {
  return form === 'json' ? json : `${types.html}; charset=utf-8`
}

function pageOf(document: object, { root, title }: Site): string {
  const named: { readonly title?: unknown; readonly id?: unknown } = document
  const own = named.title ?? named.id
  return toPage(document, { title: typeof own === 'string' ? own : title, root })
}

/** Features as a page, from their JSON text; each leads to its own. */
export function featuresPage(
  text: string,
  { site, title, items }: { readonly site: Site; readonly title: string; readonly items: string },
): string {
  const { features, ...rest } = parseObject(text)
  const linked = objectsOf(features).map((feature) => ({
    ...feature,
    links: [{ rel: 'self', href: `${items}/${encodeURIComponent(String(feature['id']))}` }],
  }))
  const document = Array.isArray(features) ? { ...rest, features: linked } : rest
  return toPage(document, { title, root: site.root })
}
