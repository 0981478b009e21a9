import { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createAnswerMemory } from './answer-memory.ts'
import type { Answer, AnswerMemory } from './answer-memory.ts'

const answer = (body: Answer['body'], etag?: string): Answer => ({
  ...{ body, type: 'text/plain' },
  ...(etag === undefined ? {} : { etag }),
})

/** Reads a whole body. */
const text = async (body: Answer['body']) =>
  body instanceof Readable ? readText(body) : body.toString()

const note = (memory: AnswerMemory, key: string, noted: Answer) =>
  memory.note(key, noted, () => noted.etag ?? '')

/** Returns a cache after responses with these tags, one after the other, to one request. */
function after(...etags: readonly string[]) {
  const memory = createAnswerMemory(80_000)
  for (const etag of etags) {
    if (memory.expects('/a') && memory.find('/a', etag) !== undefined) continue
    note(memory, '/a', answer(etag, etag))
  }
  return memory
}

describe('The response cache', () => {
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

  it('returns what was sent, in the requested encoding', async () => {
    const kept = after('x', 'x').find('/a', 'x')
    expect(kept).toMatchObject({ type: 'text/plain', length: 1 })
    expect((await kept?.bytes('identity'))?.toString()).toBe('x')
    expect((await kept?.bytes('gzip'))?.subarray(0, 2)).toEqual(Buffer.of(0x1f, 0x8b))
  })

  it('keeps nothing that is too large for it', () => {
    const memory = createAnswerMemory(80_000)
    note(memory, '/a', answer('x'.repeat(10_001), 'x'))
    note(memory, '/a', answer('x'.repeat(10_001), 'x'))
    expect(memory.find('/a', 'x')).toBeUndefined()
  })

  it.each([
    ['that has ended', ['x', 'y'], 'x', true],
    ['unless the state is another one at its end', ['x', 'y'], 'y', false],
    ['unless it would fill it', ['x'.repeat(6000), 'y'.repeat(6000)], 'x', false],
  ])('keeps a stream %s', async (_, pieces, tag, isKept) => {
    const memory = createAnswerMemory(80_000)
    const noted = () => memory.note('/a', answer(Readable.from(pieces), 'x'), () => tag)
    noted()
    const { body } = noted()
    expect(memory.find('/a', 'x')).toBeUndefined()
    expect(await text(body)).toBe(pieces.join(''))
    await turn()
    const kept = memory.find('/a', 'x')
    expect((await kept?.bytes('identity'))?.toString()).toBe(isKept ? 'xy' : undefined)
  })

  it('does not keep a stream that was not read to its end, but keeps the next one', async () => {
    const memory = createAnswerMemory(80_000)
    const noted = (body: Readable) => memory.note('/a', answer(body, 'x'), () => 'x').body
    const failing = Readable.from(
      (async function* () {
        yield 'x'
        await turn()
        throw new Error('broken')
      })(),
    )
    noted(Readable.from(['x']))
    const [left, other] = [Readable.from(['x']), Readable.from(['x'])]
    const sent = noted(left)
    // Another stream in the meantime is sent unchanged.
    expect(noted(other)).toBe(other)
    if (sent instanceof Readable) sent.destroy()
    await turn()
    expect(left.destroyed).toBe(true)
    await expect(text(noted(failing))).rejects.toThrow('broken')
    expect(memory.find('/a', 'x')).toBeUndefined()
    await text(noted(Readable.from(['x'])))
    await turn()
    expect(memory.find('/a', 'x')).toBeDefined()
  })

  it('evicts the least recently requested response', () => {
    const memory = createAnswerMemory(80_000)
    for (let one = 0; one < 20; one++) {
      note(memory, String(one), answer('x'.repeat(9000), String(one)))
      note(memory, String(one), answer('x'.repeat(9000), String(one)))
    }
    expect(memory.find('0', '0')).toBeUndefined()
    expect(memory.find('19', '19')).toBeDefined()
  })

  it('runs a read once for all callers with the same tag, but a stream for each', async () => {
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

  it('never returns a tag that was read before the request', async () => {
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
