import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createAnswerMemory } from './answer-memory.ts'
import type { Answer } from './answer-memory.ts'

const answer = (body: Answer['body']): Answer => ({ body, type: 'text/plain' })

/** A memory after answers of these tags, one after the other, to one request. */
function after(...etags: readonly string[]) {
  const memory = createAnswerMemory(80_000)
  for (const etag of etags) {
    if (memory.expects('/a') && memory.find('/a', etag) !== undefined) continue
    memory.note('/a', etag, answer(etag))
  }
  return memory
}

describe('The memory of answers', () => {
  it.each([
    ['nothing that was requested once', ['x'], false],
    ['what was requested twice without a change between', ['x', 'x'], true],
    ['nothing where every request finds another state', ['x', 'y', 'z'], false],
    ['the new state of what was requested again before', ['x', 'x', 'x', 'y'], true],
    ['nothing any more once changes come faster than requests', ['x', 'x', 'y', 'z'], false],
  ] as const)('keeps %s', (_, etags, isKept) => {
    const memory = after(...etags)
    expect(memory.expects('/a')).toBe(isKept)
    expect(memory.find('/a', etags.at(-1) ?? '') !== undefined).toBe(isKept)
  })

  it('gives back what was sent, packed as it is asked', async () => {
    const kept = after('x', 'x').find('/a', 'x')
    expect(kept).toMatchObject({ type: 'text/plain', length: 1 })
    expect((await kept?.bytes('identity'))?.toString()).toBe('x')
    expect((await kept?.bytes('gzip'))?.subarray(0, 2)).toEqual(Buffer.of(0x1f, 0x8b))
  })

  it('keeps no stream, and nothing that would fill it', () => {
    const memory = createAnswerMemory(80_000)
    for (const body of [Readable.from(['x']), 'x'.repeat(10_001)]) {
      memory.note('/a', 'x', answer(body))
      memory.note('/a', 'x', answer(body))
      expect(memory.find('/a', 'x')).toBeUndefined()
    }
  })

  it('forgets what was not requested for longest', () => {
    const memory = createAnswerMemory(80_000)
    for (let one = 0; one < 20; one++) {
      memory.note(String(one), String(one), answer('x'.repeat(9000)))
      memory.note(String(one), String(one), answer('x'.repeat(9000)))
    }
    expect(memory.find('0', '0')).toBeUndefined()
    expect(memory.find('19', '19')).toBeDefined()
  })

  it('runs a read once for all who found the same tag, but a stream for each', async () => {
    const memory = createAnswerMemory(80_000)
    let runs = 0
    const text = () => memory.run('x', async () => (await turn(), answer(String(++runs))))
    expect((await Promise.all([text(), text(), text()])).map(({ body }) => body)).toEqual(
      Array.from({ length: 3 }, () => '1'),
    )
    const stream = () => memory.run('y', () => answer(Readable.from(['x'])))
    const [one, other] = await Promise.all([stream(), stream()])
    expect(one.body).not.toBe(other.body)
  })

  it('finds out a tag after everybody who gets it has come', async () => {
    const memory = createAnswerMemory(80_000)
    let state = 1
    const find = async () => {
      const found = String(state)
      await turn()
      return found
    }
    const first = memory.findTag('/a', find)
    state = 2
    const others = [memory.findTag('/a', find), memory.findTag('/a', find)]
    expect(await first).toBe('1')
    expect(await Promise.all(others)).toEqual(['2', '2'])
  })
})
