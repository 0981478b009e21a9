import { expect, it } from 'vitest'
import { describeStationType } from './summary.ts'

it.each(['Unheard of', 'constructor', '__proto__'])(
  'uses the name of a station type without a description as its title: %s',
  (type) => {
    expect(describeStationType(type).title).toEqual({ de: type, it: type, en: type })
  },
)
