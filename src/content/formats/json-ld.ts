import { defineFormat, separated } from './format.ts'
import type { LoadedRecord, Occasion } from './format.ts'
import type { LinkedNode } from './json-ld/node.ts'
import { toSubject } from './json-ld/subject.ts'
import { tellingOf } from './json-ld/types.ts'

const context = 'https://schema.org'

/**
 * Linked data with the vocabulary of schema.org (interface 4.1, 9.5). A record is one node, an event with
 * several dates an array of them; a list is one graph.
 */
export const jsonLd = defineFormat({
  name: 'json-ld',
  mediaTypes: ['application/ld+json', 'application/ldjson'],
  summary: 'Linked data of schema.org',
  needsWhole: true,
  ignores: ['fields', 'removenullvalues'],
  // A record without a type, such as an article that is no recipe, is not in the graph.
  list: (listing) =>
    separated({
      begin: `{"@context":${JSON.stringify(context)},"@graph":[`,
      separator: ',',
      end: ']}',
      record: (record) => toNodes(record, listing).map((node) => JSON.stringify(node)),
    }),
  item: (record, occasion) => {
    const nodes = toNodes(record, occasion).map((node) => ({ '@context': context, ...node }))
    const [first, ...others] = nodes
    if (first === undefined) return undefined
    return JSON.stringify(others.length === 0 ? first : nodes)
  },
})

function toNodes({ id, data }: LoadedRecord, occasion: Occasion): readonly LinkedNode[] {
  const telling = tellingOf(occasion.entity)
  const { language } = occasion.representation
  return telling(toSubject(data, occasion.addressOf(id), language))
}
