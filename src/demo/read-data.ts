import { readFileSync } from 'node:fs'
import type { Static, TSchema } from 'typebox'
import { Parse } from 'typebox/value'
import { parse } from 'yaml'

/**
 * Reads one of the YAML files of the demo.
 * @param path from this folder
 * @throws ParseError when the file does not match the schema
 */
export function readData<Schema extends TSchema>(path: string, schema: Schema): Static<Schema> {
  return Parse(schema, parse(readFileSync(new URL(path, import.meta.url), 'utf8')))
}
