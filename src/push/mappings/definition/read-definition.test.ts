import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { readDefinition } from './read-definition.ts'

const faultsOf = (text: string) => {
  const read = readDefinition(text, 'x.yaml')
  return read.kind === 'wrong' ? read.faults : []
}

const good = 'version: 1\nstream: a/b\neach: x\n'

describe('A definition', () => {
  it('is read, with the positions of its fields', () => {
    const read = readDefinition(`${good}items: |\n  a.\n    b\n`, 'x.yaml')
    if (read.kind === 'wrong') throw new Error(JSON.stringify(read.faults))
    expect(read.definition).toMatchObject({ version: 1, stream: 'a/b', each: 'x' })
    expect(read.locate(['stream'])).toEqual({ line: 2, column: 9 })
    expect(read.locate(['items'], 5)).toEqual({ line: 6, column: 5 })
  })

  it.each([
    ['1', '1'],
    ['1.0', '1.0'],
    ['1.10', '1.10'],
    ['1.10 # of May', '1.10'],
    ['2026', '2026'],
    ["'1.10'", '1.10'],
    ['1.2.3', '1.2.3'],
    ['!!float 1.10', '1.10'],
  ])('keeps the version %s as written', (written, version) => {
    const text = good.replace('version: 1', `version: ${written}`)
    expect(readDefinition(text, 'x.yaml')).toMatchObject({ kind: 'read', version })
  })

  it('keeps the version of an alias as written', () => {
    const text = 'limits: { seconds: &v 1.10 }\nversion: *v\nstream: a/b\neach: x\n'
    expect(readDefinition(text, 'x.yaml')).toMatchObject({ kind: 'read', version: '1.10' })
  })

  it.each([
    ['mediaTypes: []\n', 4, 'mediaTypes'],
    ['strem: a/b\n', 4, 'Did you mean stream?'],
    ['ordered: maybe\n', 4, 'ordered must be boolean'],
    ['merge:\n  by: a\n  langage: b\n', 6, 'Did you mean language?'],
    ['stream: c/d\n', 4, 'unique'],
    ['decode: [jsn]\n', 4, 'decode.0'],
    ['limits: { seconds: 0 }\n', 4, 'limits.seconds'],
    ['ids: { a: { uuid5: x } }\n', 4, 'ids.a.uuid5'],
    ['tables: [\n', 5, ''],
    ['expect:\n  members: [/a~1b/~0, /a~2b]\n', 5, '~ in a name is written as ~0'],
    ['expect:\n  members: [/a, /b~]\n', 5, 'expect.members.1'],
  ])('with %j reports a fault in line %i', (more, line, reason) => {
    const [fault] = faultsOf(good + more)
    expect(fault).toMatchObject({ file: 'x.yaml', line, reason: expect.stringContaining(reason) })
  })

  it('requires version, stream and each', () => {
    const reasons = faultsOf('description: nothing\n').map(({ reason }) => reason)
    for (const name of ['version', 'stream', 'each']) {
      expect(reasons).toContainEqual(expect.stringContaining(`${name} is required`))
    }
  })

  it('is refused if its aliases expand too far', () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const items = Array.from({ length: 10 }, () => (level === 0 ? 'x' : `*a${String(level - 1)}`))
      return `  - &a${String(level)} [${items.join(', ')}]`
    })
    expect(faultsOf(`${good}dataTypes:\n${levels.join('\n')}\n`)).toHaveLength(1)
  })

  it('is either read or refused, for any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        expect(['read', 'wrong']).toContain(readDefinition(text, 'x').kind)
      }),
    )
  })

  it('is either read or refused with reasons, for any value', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('version', 'stream', 'each', 'decode', 'tables', 'merge', 'x'),
          fc.jsonValue(),
        ),
        (value) => {
          for (const fault of faultsOf(stringify(value))) expect(fault.reason).not.toBe('')
        },
      ),
    )
  })
})
