import { FileFault } from '../faults.ts'
import { compileSchema } from '../evaluate/payload-schema.ts'

type Schema = Readonly<Record<string, unknown>>

const types = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']

/**
 * A JSON Schema, from the text of its file or as it stands in the mapping.
 * @throws FileFault for what would silently check nothing, or not compile
 */
export async function readSchema(given: Uint8Array | object | string): Promise<Schema> {
  const value = given instanceof Uint8Array ? parse(given) : given
  if (!isSchema(value)) throw new FileFault('is no JSON Schema: it must be an object')
  checkParts(value, { pointer: '', root: value })
  try {
    await compileSchema(value)
  } catch (error) {
    throw new FileFault(`is no JSON Schema: ${error instanceof Error ? error.message : ''}`)
  }
  return value
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch (error) {
    throw new FileFault(`is no JSON: ${error instanceof Error ? error.message : ''}`)
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Place = { readonly pointer: string; readonly root: Schema }

/** Members that hold data, not schemas. */
const data = new Set(['const', 'enum', 'default', 'examples'])

/** Types that do not exist and references that lead nowhere are passed over by the compiler. */
function checkParts(part: unknown, { pointer, root }: Place): void {
  if (typeof part !== 'object' || part === null) return
  for (const [name, value] of Object.entries(part)) {
    if (data.has(name)) continue
    const place = `${pointer}/${name}`
    if (name === 'type' && !isNamed(pointer)) checkType(value, place)
    if (name === '$ref' && !isNamed(pointer)) checkReference(value, place, root)
    checkParts(value, { pointer: place, root })
  }
}

/** Whether the members here have names that the writer chose. */
function isNamed(pointer: string): boolean {
  return /\/(properties|patternProperties|\$defs|definitions|dependentSchemas)$/.test(pointer)
}

function checkType(value: unknown, place: string): void {
  for (const type of [value].flat()) {
    if (typeof type === 'string' && types.includes(type)) continue
    throw new FileFault(`${place}: ${String(type)} is no type; known: ${types.join(', ')}`)
  }
}

function checkReference(value: unknown, place: string, root: Schema): void {
  if (typeof value !== 'string' || !value.startsWith('#')) {
    throw new FileFault(`${place}: only references inside of the schema (#/…) are followed`)
  }
  const names = value.split('/').slice(1)
  const found = names.reduce<unknown>(
    (at, name) => (isSchema(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    root,
  )
  if (value.startsWith('#/') && found === undefined) {
    throw new FileFault(`${place}: ${value} leads nowhere`)
  }
}
