import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { stepFaults } from './step-faults.ts'

const told = (written: string) =>
  stepFaults(parse(written)).map(({ path, reason }) => `${path.join('.')}: ${reason}`)

describe('what is wrong with a step', () => {
  it.each([
    'json',
    'csv: { delimiter: ";" }',
    '{ at: a, steps: [base64, json] }',
    'zip: { a: [csv] }',
  ])('is nothing with %s', (written) => {
    expect(told(written)).toEqual([])
  })

  it.each<[string, RegExp]>([
    ['jsn', /^: is "jsn", which is no step; did you mean json\?$/],
    ['spreadsheet', /^: is "spreadsheet", which is no step; steps are json, ndjson, /],
    ['packet', /^: is packet, which needs options$/],
    ['gzip: {}', /^: is gzip, which takes none$/],
    ['{ jsn: {} }', /^: is "jsn", which is no step; did you mean json\?$/],
    ['{ csv: {}, json: {} }', /^: must be one step, but names csv, json; write each by itself$/],
    ['5', /^: is no step; steps are /],
    ['{}', /^: is no step; steps are /],
    ['csv: { delimeter: ";" }', /^csv.delimeter: is not a known member. Did you mean delimiter\?$/],
    ['csv: { skip: -1 }', /^csv.skip: must be >= 0$/],
    ['csv: [";"]', /^csv: must be object/],
    ['xml: { arrays: a.b }', /^xml.arrays: must be array/],
    [
      'packet: { a: [uint9, 0] }',
      /^packet.a.0: is not one of the allowed values \(allowed: uint8, /,
    ],
    ['json-text: 5', /^json-text: /],
    ['at: a', /^: needs steps, which decode the member$/],
    ['{ at: a, steps: [jsn] }', /^steps.0: is "jsn", which is no step; did you mean json\?$/],
    [
      '{ at: a, steps: [{ at: b, steps: [json] }] }',
      /^steps.0: must be a step without steps inside$/,
    ],
    ['{ at: a, step: [json], steps: [json] }', /^step: is not a known member of at$/],
    [
      'zip: { stops.txt: [csvv] }',
      /^zip.stops.txt.0: is "csvv", which is no step; did you mean csv\?$/,
    ],
    ['zip: { stops.txt: csv }', /^zip.stops.txt: must be array/],
  ])('is said once, in its place: %s', (written, fault) => {
    expect(told(written)).toEqual([expect.stringMatching(fault)])
  })

  it('is something for whatever is no step', () => {
    fc.assert(
      fc.property(fc.anything(), (written) => {
        expect(stepFaults(written).length).toBeGreaterThan(0)
      }),
    )
  })
})
