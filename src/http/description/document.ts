/** An OpenAPI document, or a part of it. */
export type Document = Readonly<Record<string, unknown>>

/** The members of an object; none of what is no object. */
export function asDocument(value: unknown): Document {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export function mapValues(document: Document, map: (value: unknown) => unknown): Document {
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [name, map(value)]))
}

/** The document with each of its operations changed. */
export function mapOperations(
  document: Document,
  change: (operation: Document) => Document,
): Document {
  const paths = mapValues(asDocument(document['paths']), (operations) =>
    mapValues(asDocument(operations), (operation) => change(asDocument(operation))),
  )
  return { ...document, paths }
}
