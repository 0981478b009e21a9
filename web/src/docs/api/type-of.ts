import { nameOfRef } from './document.ts'
import type { Schema } from './document.ts'

/** The type of a value in few words: `integer`, `array of string`, `string | null`, `Accommodation`. */
export function typeOf(schema: Schema | undefined): string {
  if (schema === undefined) return 'any'
  const name = nameOfRef(schema.$ref)
  if (name !== undefined) return name
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' | ')
  if (schema.allOf !== undefined) return [...new Set(schema.allOf.map(typeOf))].join(' & ')
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`
  if (schema.type !== undefined) return [schema.type].flat().join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined)
    return [...new Set(schema.enum.map((value) => typeof value))].join(' | ')
  return schema.properties === undefined ? 'any' : 'object'
}

/** Values that are allowed, where they are counted. */
export function allowedOf(schema: Schema | undefined): readonly string[] {
  const values = schema?.enum ?? schema?.items?.enum ?? []
  return values.map(String)
}
