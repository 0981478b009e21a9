import { version3 } from '../../../src/datex/index.ts'

const samples: Readonly<Record<string, unknown>> = {
  String: 'text',
  LongString: 'text',
  Boolean: false,
  DateTime: '2026-06-01T00:00:00Z',
  Time: '06:00:00',
  Language: 'de',
  Url: 'https://example.org/a?b=c#d',
  'com:MultilingualString': { de: 'eins', it: 'uno' },
  'com:CountryCode': 'IT',
  'afac:TimeZone': '+01:00',
  'fac:TimeZone': 'Z',
  'loc:GmlPosList': '46.5 11.3 46.6 11.4 46.7 11.2 46.5 11.3',
  'loc:NutsCode': 'ITH10',
  'loc:SubdivisionCode': 'BZ',
}

let ids = 0

/** Creates an attribute value. Ids are unique within a document. */
function attributeOf(rule: string): unknown {
  if (rule === 'language') return 'de'
  ids += 1
  return rule === 'index' ? 1 : `id-${String(ids)}`
}

/**
 * Creates a value for every element of a type of our tables, with a concrete type for each abstract
 * one.
 */
export function everything3(typeName: string, choice: number, depth = 0): Readonly<Record<string, unknown>> {
  const type = version3.types.get(typeName)
  const attributes = (type?.attributes ?? [])
    .filter(([, rule]) => !rule.startsWith('='))
    .map(([name, rule]) => [name, attributeOf(rule.replace('?', ''))] as const)
  const members = (type?.members ?? [])
    .filter(({ min }) => depth < 7 || min > 0)
    .map(({ name, type: of, min, max }) => {
      return [name, max > 1 ? Array.from({ length: Math.max(min, Math.min(2, max)) }, () => valueOf(of, choice, depth + 1)) : valueOf(of, choice, depth + 1)] as const
    })
  return Object.fromEntries([...attributes, ...members])
}

function valueOf(typeName: string, choice: number, depth: number): unknown {
  const allowed = [...(version3.enumerations.get(typeName) ?? [])]
  if (version3.enumerations.has(typeName)) return allowed[choice % allowed.length] ?? 'evseId'
  const type = version3.types.get(typeName)
  if (type === undefined) return samples[typeName] ?? 7
  const concrete = [...version3.types.values()].filter(
    ({ abstract, name, ancestors }) => !abstract && (name === typeName || ancestors.includes(typeName)),
  )
  const { name = typeName } = concrete[(choice + depth) % concrete.length] ?? {}
  const named = name === typeName ? {} : { 'xsi:type': name }
  return { ...named, ...everything3(name, choice, depth) }
}
