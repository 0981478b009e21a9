import { describe, expect, it } from 'vitest'
import { choice, flag, number, numbers, text, texts } from './codecs.ts'

describe('a parameter in the URL', () => {
  it('is not written if it has the default value', () => {
    expect(text('all').write('all')).toEqual([])
    expect(number(1).write(1)).toEqual([])
    expect(flag().write(false)).toEqual([])
    expect(choice(['table', 'map']).write('table')).toEqual([])
    expect(numbers(2).write(undefined)).toEqual([])
  })

  it('is read as it was written', () => {
    expect(text().read(text().write('a,b & c'))).toBe('a,b & c')
    expect(texts().read(texts().write(['a,b', 'c']))).toEqual(['a,b', 'c'])
    expect(number(1).read(number(1).write(-2.5))).toBe(-2.5)
    expect(numbers(3).read(numbers(3).write([46.5, 11.25, 9]))).toEqual([46.5, 11.25, 9])
    expect(flag().read(flag().write(true))).toBe(true)
    expect(choice(['table', 'map']).read(choice(['table', 'map']).write('map'))).toBe('map')
  })

  it('contains each of several texts only once', () => {
    expect(texts().read(['a', 'b', 'a'])).toEqual(['a', 'b'])
  })

  it('has the default value if it is invalid', () => {
    expect(number(1).read(['ten'])).toBe(1)
    expect(number(1).read([''])).toBe(1)
    expect(numbers(3).read(['46.5,x,9'])).toBeUndefined()
    expect(numbers(3).read(['46.5,9'])).toBeUndefined()
    expect(choice(['table', 'map']).read(['raw'])).toBe('table')
  })
})
