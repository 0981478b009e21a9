import type { LoadedMapping } from '../definition/loaded-mapping.ts'

export type SchemaFault = { readonly reason: string; readonly pointer: string }

/** What is wrong with a payload and with its items, as the mapping's schemas have it. */
export type Payload = {
  readonly payloadFaults: (payload: unknown) => readonly SchemaFault[]
  readonly itemFaults: (item: unknown) => readonly SchemaFault[]
}

type Schema = Readonly<Record<string, unknown>>

const none = () => []

/** Of one payload; whoever corrects it sends it again. */
const mostFaults = 10

const compiled = new WeakMap<LoadedMapping, Promise<Payload>>()

/** Compiled once for each mapping; without schemas nothing is loaded that checks them. */
export function payloadSchemas(mapping: LoadedMapping): Promise<Payload> {
  const before = compiled.get(mapping)
  if (before !== undefined) return before
  const schemas = compileBoth(mapping)
  compiled.set(mapping, schemas)
  return schemas
}

async function compileBoth({ schema, itemSchema }: LoadedMapping): Promise<Payload> {
  return {
    payloadFaults: schema === undefined ? none : await compileSchema(schema),
    itemFaults: itemSchema === undefined ? none : await compileSchema(itemSchema),
  }
}

/** @throws Error when it is no JSON Schema */
export async function compileSchema(
  schema: Schema,
): Promise<(value: unknown) => readonly SchemaFault[]> {
  const { Compile } = await import('typebox/schema')
  const validator = Compile(schema)
  return (value) => {
    if (validator.Check(value)) return []
    const [, errors] = validator.Errors(value)
    return errors.slice(0, mostFaults).map(({ instancePath, message }) => ({
      pointer: instancePath,
      reason: `breaks the schema of the payload: ${message}`,
    }))
  }
}
