import { STATUS_CODES } from 'node:http'
import { asDocument, mapOperations, mapValues } from './document.ts'
import type { Document } from './document.ts'

/** Puts errors that several operations describe in the same words among the components, each once. */
export function shareResponses(document: Document): Document {
  const shared = findShared(document)
  const components = asDocument(document['components'])
  const named = Object.fromEntries([...shared].map(([text, name]) => [name, JSON.parse(text)]))
  const result = mapOperations(document, (operation) => ({
    ...operation,
    responses: mapValues(asDocument(operation['responses']), (response) => {
      const name = shared.get(JSON.stringify(response))
      return name === undefined ? response : { $ref: `#/components/responses/${name}` }
    }),
  }))
  const responses = { ...asDocument(components['responses']), ...named }
  return { ...result, components: { ...components, responses } }
}

/** The name of each text of an error that occurs more than once: NotFound, NotFound2 … */
function findShared(document: Document): ReadonlyMap<string, string> {
  const counts = new Map<string, { readonly status: string; readonly count: number }>()
  mapOperations(document, (operation) => {
    for (const [status, response] of Object.entries(asDocument(operation['responses']))) {
      const text = JSON.stringify(response)
      if (Number(status) < 400 || '$ref' in asDocument(response)) continue
      counts.set(text, { status, count: (counts.get(text)?.count ?? 0) + 1 })
    }
    return operation
  })
  const taken = new Map<string, number>()
  const shared = [...counts].filter(([, { count }]) => count > 1)
  return new Map(
    shared.map(([text, { status }]) => {
      const name = (STATUS_CODES[status] ?? 'Error').replaceAll(/\W/g, '')
      const times = (taken.get(name) ?? 0) + 1
      taken.set(name, times)
      return [text, times === 1 ? name : `${name}${String(times)}`]
    }),
  )
}
