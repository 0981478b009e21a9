import type { TSchema } from 'typebox'
import { isSchema, stepInto, valueOfKeys } from './member-at.ts'

/** The type of a member in a word, such as `String` or `List<Object>`; `Any` where nothing is known. */
export function typeNameAt(schema: TSchema, path: readonly string[]): string {
  const [name, ...below] = path
  if (name === undefined) return typeNameOf(schema)
  const step = stepInto(schema, name)
  if (step === undefined) return 'Any'
  return typeNameAt(step.schema, step.isKey ? path : below)
}

function typeNameOf(schema: TSchema): string {
  const items: unknown = Reflect.get(schema, 'items')
  if (isSchema(items)) return `List<${typeNameOf(items)}>`
  const value = valueOfKeys(schema)
  if (value !== undefined) return `Map<${typeNameOf(value)}>`
  const types = [Reflect.get(schema, 'type')].flat().filter((type) => type !== 'null')
  return types.length === 1 ? capitalised(String(types[0])) : 'Any'
}

function capitalised(word: string): string {
  return word === '' || word === 'undefined'
    ? 'Any'
    : `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}
