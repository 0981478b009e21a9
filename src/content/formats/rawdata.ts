import { defineFormat, separated } from './format.ts'

/**
 * The source items that the records were made from, each as its provider wrote it, to the byte; the rest
 * of the message is not shown. A list is an array, with null for a record whose source item is not kept.
 */
export const rawdata = defineFormat({
  name: 'rawdata',
  mediaTypes: ['application/rawdata'],
  summary: 'The source item of a record, as its provider sent it',
  needsWhole: true,
  reads: 'origin',
  ignores: ['fields', 'language', 'removenullvalues'],
  list: () => separated({ begin: '[', separator: ',\n', end: ']', record: ({ data }) => [data] }),
  item: ({ data }) => data,
})
