/** Members of JSON Schema 2020-12 that the schema object of OpenAPI 3.0 does not have. */
const unknownIn30 = ['$id', '$schema', '~kind', 'examples']

/**
 * A part of an OpenAPI 3.1 document in the words of 3.0.3: `null` is no type there but the member
 * `nullable`, a constant is an enumeration of one, and `$ref` stands alone. As far as our schemas go;
 * lists of types and the like do not occur in them.
 */
export function toOpenApi30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toOpenApi30)
  if (typeof value !== 'object' || value === null) return value
  if ('$ref' in value) return { $ref: value.$ref }
  if ('anyOf' in value && Array.isArray(value.anyOf)) return withoutNull(value, value.anyOf)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (unknownIn30.includes(name)) return []
      return name === 'const' ? [['enum', [member]]] : [[name, toOpenApi30(member)]]
    }),
  )
}

function withoutNull(
  { anyOf: _, ...rest }: object & { readonly anyOf?: unknown },
  choices: readonly unknown[],
) {
  const others = choices.filter((choice) => !isNull(choice))
  const outer = toOpenApi30(rest)
  const isNullable = others.length < choices.length ? { nullable: true } : {}
  const [only] = others
  const inner = others.length === 1 ? toOpenApi30(only) : { anyOf: toOpenApi30(others) }
  return Object.assign({}, inner, outer, isNullable)
}

function isNull(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'null'
}
