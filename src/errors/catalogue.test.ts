import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { catalogue } from './catalogue.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const tests = globSync('{src,test}/**/*.test.ts', { cwd: root })
  .filter((file) => !file.endsWith('errors/catalogue.test.ts'))
  .map((file) => readFileSync(`${root}${file}`, 'utf8'))

describe('the error catalogue', () => {
  it.each(Object.keys(catalogue))('%s occurs in a test', (code) => {
    expect(tests.some((text) => text.includes(code))).toBe(true)
  })

  it.each(Object.entries(catalogue))('%s is well-formed', (code, { status, explanation }) => {
    expect(code).toMatch(/^HUB-[A-Z]{3}-\d{3}$/)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(explanation).toMatch(/\.$/)
  })
})
