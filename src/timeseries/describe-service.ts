import { stringify } from 'yaml'
import { jsonType, withoutUnused } from '../http/index.ts'

type Document = Readonly<Record<string, unknown>>

type Text = { readonly body: string; readonly type: string }

/**
 * Describes the time series service to those who ask: in YAML, as the public system does, or in JSON
 * for those whose `Accept` names it. Both texts are made once.
 * @param load the OpenAPI document of all services
 */
export function serviceDescription(load: () => object): (accept: string | undefined) => Text {
  const texts = new Map<'json' | 'yaml', Text>()
  return (accept = '') => {
    const format = /\bjson\b/i.test(accept) ? 'json' : 'yaml'
    const known = texts.get(format)
    if (known !== undefined) return known
    const text = print(describeService(load()), format)
    texts.set(format, text)
    return text
  }
}

function print(description: Document, format: 'json' | 'yaml'): Text {
  if (format === 'json') return { body: JSON.stringify(description), type: jsonType }
  const body = stringify(description, { aliasDuplicateObjects: false })
  return { body, type: 'application/yaml; charset=utf-8' }
}

/**
 * The part of an OpenAPI document that speaks of the time series service: its addresses, with the
 * servers, schemas and kinds of authentication of the whole.
 */
function describeService(document: object): Document {
  const { paths, tags, ...rest }: Document = { ...document }
  const own = Object.entries(isDocument(paths) ? paths : {}).filter(
    ([path]) => path === '/v2' || path.startsWith('/v2/'),
  )
  const used = new Set(own.flatMap(([, path]) => namesOfTags(path)))
  const described = Array.isArray(tags)
    ? tags.filter((tag) => isDocument(tag) && used.has(String(tag['name'])))
    : []
  return withoutUnused({ ...rest, tags: described, paths: Object.fromEntries(own) })
}

function namesOfTags(path: unknown): readonly string[] {
  if (!isDocument(path)) return []
  return Object.values(path).flatMap((operation) => {
    const tags: unknown = isDocument(operation) ? operation['tags'] : undefined
    return Array.isArray(tags) ? tags.map(String) : []
  })
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null
}
