import { describe, expect, it } from 'vitest'
import { checkSteps } from './check-steps.ts'
import type { DecodeStep } from './steps.ts'

const reasons = (...steps: DecodeStep[]) =>
  checkSteps(steps).map(({ index, reason }) => `${String(index)} ${reason}`)

describe('steps that no payload can go through', () => {
  it.each<[DecodeStep[]]>([
    [['json']],
    [['gzip', { csv: { charset: 'latin1', delimiter: ';' } }]],
    [['json', 'base64', 'gzip', 'xml']],
    [['json', { at: 'rawdata', steps: ['base64', 'json'] }, { 'json-text': 'a.b' }]],
    [[{ zip: { 'a.csv': ['csv'] } }, { at: 'x', steps: ['base64', 'text'] }]],
    [[{ 'fixed-width': { columns: { a: [1, 1] } } }]],
  ])('are none of %j', (steps) => {
    expect(checkSteps(steps)).toEqual([])
  })

  it.each<[DecodeStep[], RegExp]>([
    [[], /^0 The last step must give a value/],
    [['gzip'], /^0 The last step must give a value/],
    [['csv', 'json'], /^1 json needs bytes or a text/],
    [['xml', { zip: {} }], /^1 zip needs bytes or a text/],
    [[{ 'json-text': 'a' }], /^0 A member can be decoded only after/],
    [['text', { at: 'a', steps: ['json'] }], /^1 A member can be decoded only after/],
    [['json', { at: 'a', steps: ['base64'] }], /^1 Inside, step 1: The last step/],
    [[{ zip: { a: [{ csv: { charset: 'x-none' } }] } }], /^0 Inside, step 1: There is no charset/],
    [[{ xml: { charset: 'klingon' } }], /^0 There is no charset klingon/],
    [[{ csv: { quote: ';', delimiter: ';' } }], /^0 quote and delimiter/],
    [[{ 'fixed-width': { columns: { a: [3, 2] } } }], /^0 The column a ends before/],
  ])('are found in %j', (steps, reason) => {
    expect(reasons(...steps)).toEqual([expect.stringMatching(reason)])
  })
})
