import { Type } from 'typebox'
import { Parse } from 'typebox/value'

const operation = Type.Object({ responses: Type.Record(Type.String(), Type.Unknown()) })
const description = Type.Object({
  components: Type.Object({ schemas: Type.Record(Type.String(), Type.Unknown()) }),
  paths: Type.Record(Type.String(), Type.Object({ get: Type.Optional(operation) })),
})

type Member = readonly [name: string, value: unknown]

/** Lists and items of entities are alike; the page reads them by name, with `readJson`. */
const ofEntities =
  /^\/v1\/(?!MetaData|Find|Filter|Distinct|GeoShapes|Location|Source|Tag|Deprecated)/

/** Logins go by way of their library; the other documents are texts. */
const others = /^\/(auth|apispec|v2\/apispec|push)/

const prose = ['description', 'summary', 'examples', 'example', 'headers', 'links', 'title']

/**
 * Of the hub's description what the page is typed by: what can be read, and what comes of it when all
 * goes well. The client makes one type of all failures. The whole would be fifty thousand lines.
 */
export function forThePage(text: string): string {
  const { components, paths, ...rest } = Parse(description, JSON.parse(text))
  const read = Object.entries(paths).flatMap(([path, { get }]): readonly Member[] =>
    get === undefined || ofEntities.test(path) || others.test(path)
      ? []
      : [[path, { get: good(get) }]],
  )
  const shown = { ...rest, paths: withoutProse(Object.fromEntries(read)) }
  const schemas = Object.entries(components.schemas).map(([name, schema]): Member => [
    name,
    withoutProse(schema),
  ])
  return JSON.stringify({
    ...shown,
    components: { schemas: onlyUsed(shown, Object.fromEntries(schemas)) },
  })
}

function good<Operation extends { readonly responses: Readonly<Record<string, unknown>> }>(
  one: Operation,
) {
  const successes = Object.entries(one.responses).filter(([status]) => status.startsWith('2'))
  return { ...one, responses: Object.fromEntries(successes) }
}

/** Names of members are names, whatever they are. */
function withoutProse(node: unknown, isNames: 'names' | 'words' = 'words'): unknown {
  if (Array.isArray(node)) return node.map((item: unknown) => withoutProse(item))
  if (typeof node !== 'object' || node === null) return node
  const kept = Object.entries(node).filter(([key]) => isNames === 'names' || !prose.includes(key))
  return Object.fromEntries(
    kept.map(([key, value]: [string, unknown]) => [
      key,
      withoutProse(value, key === 'properties' && isNames === 'words' ? 'names' : 'words'),
    ]),
  )
}

function onlyUsed(
  root: unknown,
  schemas: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const used = new Set<string>()
  const follow = (node: unknown) => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(
      /"#\/components\/schemas\/([^"]+)"/g,
    )) {
      if (used.has(name)) continue
      used.add(name)
      follow(schemas[name])
    }
  }
  follow(root)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}
