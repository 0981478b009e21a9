import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MessageBatches } from './protocol-server.ts'

function message(letter: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(letter), length, body])
}

const startup = message('', Buffer.from('\0\x03\0\0user\0postgres\0\0'))
const extended = ['P', 'B', 'D', 'E', 'S'].map((letter) =>
  message(letter, Buffer.alloc(100, letter)),
)
const simple = message('Q', Buffer.from('select 1\0'))
const goodbye = message('X', Buffer.alloc(0))

describe('MessageBatches', () => {
  it('keeps an extended query together up to its Sync, and a simple one separate', () => {
    const batches = new MessageBatches().push(
      Buffer.concat([startup, ...extended, simple, goodbye]),
    )
    expect(batches.map(({ kind }) => kind)).toEqual(['startup', 'sync', 'query', 'terminate'])
    expect(batches[1]?.bytes).toEqual(Buffer.concat(extended))
  })

  it('returns the same batches regardless of how the bytes are split', () => {
    const bytes = Buffer.concat([startup, ...extended, simple, ...extended, goodbye])
    const whole = new MessageBatches().push(bytes)
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length]
        const reader = new MessageBatches()
        const found = places.flatMap((place, index) =>
          reader.push(bytes.subarray(place, places[index + 1] ?? place)),
        )
        expect(found).toEqual(whole)
      }),
    )
  })
})
