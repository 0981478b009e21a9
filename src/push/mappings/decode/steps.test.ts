import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { checkSteps, stepFaults } from './steps.ts'
import type { DecodeStep } from './steps.ts'

const told = (written: string) =>
  stepFaults(parse(written)).map(({ path, reason }) => `${path.join('.')}: ${reason}`)

describe('faults in a step', () => {
  it.each([
    'json',
    'csv: { delimiter: ";" }',
    '{ at: a, steps: [base64, json] }',
    'zip: { a: [csv] }',
  ])('do not exist for %s', (written) => {
    expect(told(written)).toEqual([])
  })

  it.each<[string, RegExp]>([
    ['jsn', /^: is "jsn", which is not a step; did you mean json\?$/],
    ['spreadsheet', /^: is "spreadsheet", which is not a step; steps are json, ndjson, /],
    ['packet', /^: is packet, which needs options$/],
    ['gzip: {}', /^: is gzip, which has no options$/],
    ['{ jsn: {} }', /^: is "jsn", which is not a step; did you mean json\?$/],
    ['{ csv: {}, json: {} }', /^: must be one step, but names csv, json; write each by itself$/],
    ['5', /^: is not a step; steps are /],
    ['{}', /^: is not a step; steps are /],
    ['csv: { delimeter: ";" }', /^csv.delimeter: is not a known field. Did you mean delimiter\?$/],
    ['csv: { skip: -1 }', /^csv.skip: must be >= 0$/],
    ['csv: [";"]', /^csv: must be object/],
    ['xml: { arrays: a.b }', /^xml.arrays: must be array/],
    [
      'packet: { a: [uint9, 0] }',
      /^packet.a.0: is not one of the allowed values \(allowed: uint8, /,
    ],
    ['json-text: 5', /^json-text: /],
    ['at: a', /^: needs steps, which decode the field$/],
    ['{ at: a, steps: [jsn] }', /^steps.0: is "jsn", which is not a step; did you mean json\?$/],
    [
      '{ at: a, steps: [{ at: b, steps: [json] }] }',
      /^steps.0: must be a step without steps inside$/,
    ],
    ['{ at: a, step: [json], steps: [json] }', /^step: is not a known field of at$/],
    [
      'zip: { stops.txt: [csvv] }',
      /^zip.stops.txt.0: is "csvv", which is not a step; did you mean csv\?$/,
    ],
    ['zip: { stops.txt: csv }', /^zip.stops.txt: must be array/],
  ])('are reported once, with their location: %s', (written, fault) => {
    expect(told(written)).toEqual([expect.stringMatching(fault)])
  })

  it('are reported for any value that is not a step', () => {
    fc.assert(
      fc.property(fc.anything(), (written) => {
        expect(stepFaults(written).length).toBeGreaterThan(0)
      }),
    )
  })
})

const reasons = (...steps: DecodeStep[]) =>
  checkSteps(steps).map(({ index, reason }) => `${String(index)} ${reason}`)

describe('steps that no payload can pass', () => {
  it.each<[DecodeStep[]]>([
    [['json']],
    [['gzip', { csv: { charset: 'latin1', delimiter: ';' } }]],
    [['json', 'base64', 'gzip', 'xml']],
    [['json', { at: 'rawdata', steps: ['base64', 'json'] }, { 'json-text': 'a.b' }]],
    [[{ zip: { 'a.csv': ['csv'] } }, { at: 'x', steps: ['base64', 'text'] }]],
    [[{ 'fixed-width': { columns: { a: [1, 1] } } }]],
  ])('do not include %j', (steps) => {
    expect(checkSteps(steps)).toEqual([])
  })

  it.each<[DecodeStep[], RegExp]>([
    [[], /^0 The last step must give a value/],
    [['gzip'], /^0 The last step must give a value/],
    [['csv', 'json'], /^1 json needs bytes or a text/],
    [['xml', { zip: {} }], /^1 zip needs bytes or a text/],
    [[{ 'json-text': 'a' }], /^0 A field can be decoded only after/],
    [['text', { at: 'a', steps: ['json'] }], /^1 A field can be decoded only after/],
    [['json', { at: 'a', steps: ['base64'] }], /^1 Inside, step 1: The last step/],
    [[{ zip: { a: [{ csv: { charset: 'x-none' } }] } }], /^0 Inside, step 1: There is no charset/],
    [[{ xml: { charset: 'klingon' } }], /^0 There is no charset klingon/],
    [[{ csv: { quote: ';', delimiter: ';' } }], /^0 quote and delimiter/],
    [[{ 'fixed-width': { columns: { a: [3, 2] } } }], /^0 The end of the column a is before/],
  ])('are reported in %j', (steps, reason) => {
    expect(reasons(...steps)).toEqual([expect.stringMatching(reason)])
  })
})
