import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scanJson } from './scan-json.ts'
import type { JsonNode } from './scan-json.ts'

function print(node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return `{${node.members.map(({ name, value }) => `${name}:${print(value)}`).join()}}`
    case 'array':
      return `[${node.items.map(print).join()}]`
    default:
      return node.raw
  }
}

test('Every JSON text is read back without changes', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(print(scanJson(json))).toBe(JSON.stringify(JSON.parse(json)))
    }),
  )
})

test('Numbers and texts keep their original notation', () => {
  const json = String.raw`{"a" : 1.0, "b": 12345678901234567890, "c": "\u00e4 ]", "d": [ ]}`
  expect(print(scanJson(json))).toBe(
    String.raw`{"a":1.0,"b":12345678901234567890,"c":"\u00e4 ]","d":[]}`,
  )
})

test('Invalid JSON is refused', () => {
  expect(() => scanJson('<html>')).toThrow('No JSON at position 0')
})
