import { readFileSync } from 'node:fs'
import type { Static, TSchema } from 'typebox'
import { Parse } from 'typebox/value'
import { parse } from 'yaml'

/**
 * Loads a table of the hub that is kept as YAML, such as texts, names or mappings.
 * @throws ParseError if the file does not match the schema
 */
export function readYaml<Schema extends TSchema>(file: URL, schema: Schema): Static<Schema> {
  const text = readFileSync(file, 'utf8')
  return Parse(schema, parse(text, { merge: true, maxAliasCount: -1 }))
}
