import { expect, it } from 'vitest'
import { describeStationType } from './summary.ts'

it.each(['Unheard of', 'constructor', '__proto__'])(
  'takes the name of a station type that nobody described: %s',
  (type) => {
    expect(describeStationType(type).title).toEqual({ de: type, it: type, en: type })
  },
)
