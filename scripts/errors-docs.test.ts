import { describe, expect, it } from 'vitest'
import { catalogue } from '../src/errors/index.ts'
import { errorsPage } from './errors-docs.ts'

describe('documentation of the errors', () => {
  it('has one section for each code, so that links to it resolve', () => {
    const sections = [...errorsPage().matchAll(/^### (\S+)$/gm)].map(([, code]) => code)
    expect(sections.toSorted()).toEqual(Object.keys(catalogue).toSorted())
  })
})
