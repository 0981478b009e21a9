import { readFileSync } from 'node:fs'
import type { Static, TSchema } from 'typebox'
import { Parse } from 'typebox/value'
import { parse } from 'yaml'

/**
 * Reads a table of the hub, which is kept as YAML: texts, names, what follows from what.
 * @throws ParseError when the file does not match the schema
 */
export function readYaml<Schema extends TSchema>(file: URL, schema: Schema): Static<Schema> {
  const text = readFileSync(file, 'utf8')
  return Parse(schema, parse(text, { merge: true, maxAliasCount: -1 }))
}
