import { atOnce } from '../async/index.ts'
import { toJsonName } from './model.ts'
import { version3 } from './version-3.ts'
import { printElement } from './xml.ts'
import type { PrintedElement, XmlElement } from './xml.ts'

type Child = XmlElement | PrintedElement

/**
 * Prints an element in the JSON encoding of DATEX II v3, as the JSON schemas of the DATEX II web
 * tool define it: names are those of the XML without prefixes, a field that may repeat is always a
 * list, an enumerated value is `{ "value": … }`, and where the schema derives types from the
 * declared one, the value is an object with the concrete type as its only key. Attributes are
 * fields; `id` and `version` become `idG` and `versionG`.
 */
function* jsonSteps(element: XmlElement): Generator<undefined, string> {
  const { json, children } = element
  if (json === undefined) throw new TypeError(`${element.name} has no JSON encoding.`)
  if (json.form === 'texts') return textsToJson(element)
  if (json.form === 'enumeration') return enumeratedToJson(element)
  if (json.form !== 'structure') return valueToJson(json.form, textOf(children))
  const members = yield* memberSteps(children)
  const structure = `{${[...attributesToJson(element.attributes), ...members].join(',')}}`
  return json.named === undefined ? structure : `{${JSON.stringify(json.named)}:${structure}}`
}

/**
 * Prints an element once in both encodings, so that it can replace its value in a longer document.
 */
export function printBoth(element: XmlElement): PrintedElement {
  return printElement(element, atOnce(jsonSteps(element)))
}

/**
 * Prints a publication in JSON. Its own attributes are fields beside the concrete type
 * (`PayloadPublicationG`).
 */
export function* payloadSteps(
  { attributes, children }: XmlElement,
  schemaVersion: string,
): Generator<undefined, string> {
  const { lang, 'xsi:type': type = '', modelBaseVersion = '', ...others } = attributes
  const beside = { modelBaseVersionG: modelBaseVersion, versionG: schemaVersion }
  const rest = Object.entries(others).filter(([name]) => !name.startsWith('xmlns'))
  const head = [...Object.entries(beside), ...rest.map(([name, value]) => [`${name}G`, value])]
  const fields = [`"lang":${JSON.stringify(lang)}`, ...(yield* memberSteps(children))]
  const payload = [
    ...head.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`),
    `${JSON.stringify(toJsonName(type))}:{${fields.join(',')}}`,
  ]
  return `{"payload":{${payload.join(',')}}}`
}

function valueToJson(form: string, text: string): string {
  if (form === 'number') return String(Number(text))
  if (form === 'boolean') return text
  return JSON.stringify(text)
}

function enumeratedToJson({ attributes, children }: XmlElement): string {
  const { _extendedValue: extended } = attributes
  const value =
    extended === undefined
      ? { value: textOf(children) }
      : { value: 'extendedG', extendedValueG: extended }
  return JSON.stringify(value)
}

function textsToJson({ children }: XmlElement): string {
  const [list] = elementsOf(children)
  const values = elementsOf(list?.children ?? []).map((value) => ({
    ...value.attributes,
    value: textOf(value.children),
  }))
  return JSON.stringify({ values })
}

function textOf(children: XmlElement['children']): string {
  return typeof children === 'string' ? children : ''
}

function elementsOf(children: XmlElement['children']): readonly XmlElement[] {
  if (typeof children === 'string') return []
  return [...children].flatMap((child) => ('printed' in child ? [] : child))
}

const ofTechnicalKind = new Set(['id', 'version'])

/**
 * Attributes that hold whole numbers. The value of any other attribute remains text, even if it
 * consists of digits.
 */
const indexes = new Set(
  [...version3.types.values()].flatMap(({ attributes }) =>
    attributes.filter(([, rule]) => /^index\??$/.test(rule)).map(([name]) => name),
  ),
)

function attributesToJson(attributes: XmlElement['attributes']): readonly string[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    if (name.includes(':')) return []
    const key = ofTechnicalKind.has(name) ? `${name}G` : name
    return `${JSON.stringify(key)}:${indexes.has(name) ? String(Number(value)) : JSON.stringify(value)}`
  })
}

function* memberSteps(children: XmlElement['children']): Generator<undefined, readonly string[]> {
  if (typeof children === 'string') return []
  const members = new Map<string, { readonly repeated: boolean; readonly texts: string[] }>()
  for (const child of children) {
    const { key, repeated, text } = yield* toMember(child)
    const member = members.get(key) ?? { repeated, texts: [] }
    member.texts.push(text)
    members.set(key, member)
    yield
  }
  return [...members].map(([key, { repeated, texts }]) => {
    const value = texts.join(',')
    return `${JSON.stringify(key)}:${repeated ? `[${value}]` : value}`
  })
}

type JsonMember = { readonly key: string; readonly repeated: boolean; readonly text: string }

function* toMember(child: Child): Generator<undefined, JsonMember> {
  if (child.json === undefined) throw new TypeError('An element has no JSON encoding.')
  const { key, repeated } = child.json
  return { key, repeated, text: 'printed' in child ? child.json.text : yield* jsonSteps(child) }
}
