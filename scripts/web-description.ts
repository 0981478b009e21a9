import { Type } from 'typebox'
import { Parse } from 'typebox/value'

const operation = Type.Object({ responses: Type.Record(Type.String(), Type.Unknown()) })
const description = Type.Object({
  components: Type.Object({ schemas: Type.Record(Type.String(), Type.Unknown()) }),
  paths: Type.Record(Type.String(), Type.Object({ get: Type.Optional(operation) })),
})

type Member = readonly [name: string, value: unknown]

/** What the page is typed by; records, series and events have the forms that their requests choose. */
const typed =
  /^\/(catalogue(\/\{service\}\/\{type\}(\/(members|values|check))?)?|explorer\.json|quota)$/

const prose = ['description', 'summary', 'examples', 'example', 'headers', 'links', 'title']

/**
 * Of the hub's description what the page is typed by, and what comes of it when all goes well. The client
 * makes one type of all failures. The whole would be fifty thousand lines.
 */
export function forThePage(text: string): string {
  const { components, paths, ...rest } = Parse(description, JSON.parse(text))
  const read = Object.entries(paths).flatMap(([path, { get }]): readonly Member[] =>
    get === undefined || !typed.test(path) ? [] : [[path, { get: good(get) }]],
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

function good({ responses }: { readonly responses: Readonly<Record<string, unknown>> }) {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return { responses: Object.fromEntries(successes) }
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
