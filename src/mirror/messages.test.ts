import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { batchesOf, linesOf, readMessage, readPage } from './messages.ts'

const insert = (key: string, value: string) =>
  `{"type":"Event","key":${JSON.stringify(key)},"value":${value},"headers":{"operation":"insert"}}`

it('A page is split into its messages, even if their text contains brackets or quotes', () => {
  const values = [
    '{"a":"],[{}"}',
    String.raw`"\\"`,
    String.raw`"\\\""`,
    '[1,[2],{"b":[3]}]',
    'null',
    '""',
  ]
  for (const separator of [',', ',\n', ' ,\r\n  ']) {
    const page = `[${values.map((value, place) => insert(`k${String(place)}`, value)).join(separator)}]`
    const messages = readPage(page)
    expect(messages.map(({ key }) => key)).toEqual(values.map((_, place) => `k${String(place)}`))
    expect(messages.map(({ text }) => JSON.parse(text).value)).toEqual(
      values.map((value) => JSON.parse(value)),
    )
  }
  for (const empty of ['[]', ' [ ] \n']) expect(readPage(empty)).toEqual([])
})

it('A message keeps the digits of its numbers, and becomes a single line', () => {
  const [message] = readPage(`[${insert('a', '{"big":\n 12345678901234567890.10}')}]`)
  expect(message?.text).toContain('12345678901234567890.10')
  expect(message?.text).not.toContain('\n')
})

it('A page that ends too early and an item that is not a message are refused', () => {
  const whole = `[${insert('a', '{"b":"c"}')}]`
  for (const end of [1, 10, whole.length - 4, whole.length - 1]) {
    expect(() => readPage(whole.slice(0, end))).toThrow(/not a page|JSON/)
  }
  for (const other of ['{}', '"text"', '7', '']) expect(() => readPage(other)).toThrow('not a page')
  for (const item of ['7', '{"key":"a"}', '{"key":"a","headers":{"operation":"move"}}']) {
    expect(() => readPage(`[${item}]`)).toThrow('not a message')
  }
})

it('Control messages are ignored', () => {
  expect(readMessage('{"headers":{"control":"snapshot-end"}}')).toBeUndefined()
  expect(readPage(`[{"headers":{"control":"reset"}},${insert('a', '1')}]`)).toHaveLength(1)
})

it('A file is read in batches, wherever its chunks end', async () => {
  const keys = Array.from({ length: 2500 }, (_, place) => `kè${String(place)}`)
  const bytes = Buffer.from(keys.map((key) => `${insert(key, '1')}\n`).join(''))
  for (const size of [7, 1000, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, place) =>
      bytes.subarray(place * size, (place + 1) * size),
    )
    const batches = []
    for await (const batch of batchesOf(Readable.from(chunks), 'part')) batches.push(batch)
    expect(batches.map((batch) => batch.length)).toEqual([1000, 1000, 500])
    expect(batches.flat().map(({ key }) => key)).toEqual(keys)
  }
})

it('A line that never ends is refused before it fills the memory', async () => {
  let read = 0
  const chunk = Buffer.alloc(1_000_000, 'x')
  async function* endless() {
    for (;;) {
      read += 1
      yield chunk
    }
  }
  const lines = linesOf(endless(), 'part-1')
  await expect(lines.next()).rejects.toThrow('part-1: a line is longer than 64 MB.')
  expect(read).toBe(65)
})
