import { describe, expect, it } from 'vitest'
import { loadConfig } from '../src/config/index.ts'
import { configurationPage, environmentExample } from './configuration-docs.ts'

describe('documents of the configuration', () => {
  it('contain an example whose uncommented lines are the defaults', () => {
    const assignments = [...environmentExample().matchAll(/^# (\w+)=(.*)$/gm)]
    const environment = Object.fromEntries(assignments.map(([, name = '', value]) => [name, value]))
    expect(Object.keys(environment)).toContain('HUB_PORT')
    expect(loadConfig(environment)).toEqual(loadConfig({}))
  })

  it('list every setting once, with a description', () => {
    const rows = [...configurationPage().matchAll(/^\| `(\w+)` \|.*\| (\S.*) \|$/gm)]
    const names = rows.map(([, name]) => name)
    expect(names).toEqual([...new Set(names)])
    for (const name of Object.keys(loadConfig({}))) expect(names).toContain(name)
  })

  it('describe only integers as whole numbers', () => {
    const valuesOf = (name: string) =>
      new RegExp(String.raw`^\| \`${name}\` \| ([^|]*) \|`, 'm').exec(configurationPage())?.[1]
    expect(valuesOf('HUB_PORT')).toBe('whole number, 0 to 65535')
    expect(valuesOf('HUB_TRACE_SHARE')).toBe('number, 0 to 1')
  })
})
