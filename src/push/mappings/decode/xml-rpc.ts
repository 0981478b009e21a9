import { DecodeFault, shown } from './text.ts'
import type { Decoding } from './text.ts'
import { parseXml, withoutPrefix, xmlText } from './xml.ts'
import type { XmlElement } from './xml.ts'

/**
 * Elements per level of nested values: `value`, `struct`, `member`, or `value`, `array`, `data`.
 */
const elementsPerLevel = 3

/**
 * Decodes an XML-RPC message: to the value of a methodResponse, or to `{methodName, params}` of a
 * methodCall. A dateTime becomes a string of its local time (`2025-12-10T13:45:54`), because it has
 * no zone. Base64 stays base64. An integer that a number cannot hold exactly stays a string.
 * Source: XML-RPC specification, with `nil` and the types of Apache (`ex:i8` …).
 * @throws DecodeFault for a fault, and for anything that is not XML-RPC
 */
export function decodeXmlRpc(
  input: unknown,
  charset: string | undefined,
  { maxDepth }: Decoding,
): unknown {
  const root = parseXml(xmlText(input, charset), maxDepth * elementsPerLevel + 3)
  if (nameOf(root) === 'methodCall') {
    const methodName = find(root, 'methodName')?.text.trim() ?? ''
    return { methodName, params: paramsOf(root) }
  }
  if (nameOf(root) !== 'methodResponse') {
    throw new DecodeFault(`${shown(root.name)} is neither methodResponse nor methodCall`)
  }
  const fault = find(root, 'fault')
  if (fault !== undefined) throw toFault(valueIn(fault))
  const [value, ...more] = paramsOf(root)
  if (value === undefined || more.length > 0) {
    throw new DecodeFault('a methodResponse has one param, or a fault')
  }
  return value
}

const nameOf = ({ name }: XmlElement) => withoutPrefix(name)

const find = ({ children }: XmlElement, name: string) =>
  children.find((child) => nameOf(child) === name)

const paramsOf = (root: XmlElement): readonly unknown[] =>
  find(root, 'params')?.children.map(valueIn) ?? []

function toFault(fault: unknown): DecodeFault {
  return new DecodeFault(
    `the provider answered with a fault: ${JSON.stringify(fault).slice(0, 500)}`,
  )
}

/** Returns the value in a `param`, `member` or `fault`. */
function valueIn(element: XmlElement): unknown {
  const value = find(element, 'value')
  if (value === undefined) throw new DecodeFault(`${shown(element.name)} has no value`)
  return toValue(value)
}

function toValue({ children, text }: XmlElement): unknown {
  const [typed, ...more] = children
  // A value without a type is a string.
  if (typed === undefined) return text
  if (more.length > 0) throw new DecodeFault('a value has more than one type')
  switch (nameOf(typed)) {
    case 'struct':
      return structOf(typed)
    case 'array':
      return find(typed, 'data')?.children.map(toValue) ?? []
    default:
      return toScalar(nameOf(typed), typed.text)
  }
}

function structOf({ children }: XmlElement): object {
  const members = children.map((member): [string, unknown] => [
    find(member, 'name')?.text ?? '',
    valueIn(member),
  ])
  return Object.fromEntries(members)
}

function toScalar(type: string, text: string): unknown {
  switch (type) {
    case 'i1':
    case 'i2':
    case 'i4':
    case 'int':
    case 'i8':
    case 'biginteger':
      return toInteger(text.trim())
    case 'double':
    case 'float':
    case 'bigdecimal':
      return toNumber(text.trim())
    case 'boolean':
      return toBoolean(text.trim())
    case 'dateTime.iso8601':
    case 'dateTime':
      // `20251210T13:45:54` becomes ISO 8601. Forms with dashes or a zone, which some write, stay
      // unchanged.
      return text.trim().replace(/^(\d{4})(\d\d)(\d\d)T/, '$1-$2-$3T')
    case 'base64':
      return text.replace(/\s/g, '')
    case 'string':
      return text
    case 'nil':
      return null
    default:
      throw new DecodeFault(`XML-RPC has no type ${shown(type)}`)
  }
}

function toInteger(text: string): number | string {
  if (!/^[+-]?\d{1,400}$/.test(text)) throw new DecodeFault(`${shown(text)} is not a valid integer`)
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}

function toNumber(text: string): number {
  const value = Number(text)
  if (text === '' || !Number.isFinite(value))
    throw new DecodeFault(`${shown(text)} is not a valid number`)
  return value
}

function toBoolean(text: string): boolean {
  if (text === '1' || text === 'true') return true
  if (text === '0' || text === 'false') return false
  throw new DecodeFault(`${shown(text)} is not a valid boolean`)
}
