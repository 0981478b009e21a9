import { asDocument, mapOperations, mapValues } from './document.ts'
import type { Document } from './document.ts'
import { addNumberFormats } from './number-formats.ts'
import { describeBody, describeParameters } from './parameters.ts'
import { describeOrigin, describeResponses, originHeader } from './responses.ts'
import { shareResponses } from './share-responses.ts'

/**
 * Completes the document that is made of the schemas of routes with what all routes have in common and
 * none declares: how parameters are spelt, what surrounds every answer, and the formats of numbers.
 * @param more what services add about some addresses, such as quotas
 */
export function completeDescription(
  document: Document,
  more: (document: Document) => Document,
): Document {
  const told = mapOperations(document, (operation) =>
    describeResponses(describeBody(describeParameters(operation))),
  )
  return asDocument(addNumberFormats(shareResponses(addOrigins(more(told)))))
}

/** Says of every answer that any origin may read it (decision D7). */
function addOrigins(document: Document): Document {
  const described = mapOperations(document, (operation) => ({
    ...operation,
    responses: mapValues(asDocument(operation['responses']), describeOrigin),
  }))
  const { headers, responses, ...rest } = asDocument(document['components'])
  return {
    ...described,
    components: {
      ...rest,
      headers: { ...asDocument(headers), ...originHeader },
      responses: mapValues(asDocument(responses), describeOrigin),
    },
  }
}
