import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { DefinitionError, readDocument } from './index.ts'

const read = readDocument({
  schema: Type.Object(
    {
      name: Type.String(),
      rules: Type.Optional(Type.Object({ most: Type.Integer() }, { additionalProperties: false })),
    },
    { additionalProperties: false },
  ),
  title: 'The list',
  parts: {
    has: ([name]) => name === 'rules',
    faults: () => [{ path: ['rules', 'most'], reason: 'is odd' }],
  },
})

describe('readDocument', () => {
  it('reports all faults at once, with their positions and the nearest known name', () => {
    const found = read('nam: 1\nrules:\n  most: 3\n', 'a.yaml')
    if (found.kind === 'read') throw new Error('It is wrong.')
    expect(new DefinitionError('The lists cannot be used', found.faults).message).toBe(
      `The lists cannot be used:
  - a.yaml:3:9: rules.most is odd
  - a.yaml:1:1: name is required
  - a.yaml:1:6: nam is not a known field. Did you mean name?`,
    )
  })

  it('names the whole document by its title', () => {
    const found = read('[]', 'a.yaml')
    expect(found).toMatchObject({
      faults: [{}, { reason: 'The list must be object (allowed: object)' }],
    })
  })
})
