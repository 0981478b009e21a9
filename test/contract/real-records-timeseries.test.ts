import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { usePushingHub } from '../fixtures/pushing-hub.ts'
import { describeWithSharedData, sharedPath } from '../fixtures/shared-data.ts'
import { compare } from './real-records/compare.ts'
import { ofKind } from './real-records/messages.ts'
import {
  findDataTypeDifferences,
  findEdgeDifferences,
  findEventDifferences,
} from './real-records/read-edges-events.ts'
import { findMeasurementDifferences } from './real-records/read-measurements.ts'
import { findStationDifferences } from './real-records/read-stations.ts'
import { countOf, timeseriesFiles } from './real-records/timeseries-files.ts'

describeWithDatabase('real stations, values, edges and events, through push', (database) => {
  const hub = usePushingHub(database)

  describeWithSharedData('are returned unchanged, field by field', () => {
    it.each(timeseriesFiles)('%s', async (file, convert, counts) => {
      const messages = convert(readText(file))
      expect(countOf(messages)).toEqual(counts)

      for (const message of messages) {
        const receipt = await hub.push([message])
        expect(receipt).toMatchObject({ stored: message.items.length, rejected: [] })
      }
      expect(await findStationDifferences(hub, ofKind(messages, 'stations'))).toEqual([])
      expect(await findDataTypeDifferences(hub, ofKind(messages, 'dataTypes'))).toEqual([])
      expect(await findMeasurementDifferences(hub, ofKind(messages, 'measurements'))).toEqual([])
      expect(await findEdgeDifferences(hub, ofKind(messages, 'edges'))).toEqual([])
      expect(await findEventDifferences(hub, ofKind(messages, 'events'))).toEqual([])
    })
  })
})

function readText(file: string): string {
  const bytes = readFileSync(sharedPath(`data/timeseries/${file}`))
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
}

describe('the comparison', () => {
  it('detects a missing or changed field, and a missing item', () => {
    const sent = { same: { a: [1] }, lost: null, other: 1, notSent: undefined }
    expect(compare('x', sent, { same: { a: [1] }, other: '1', more: 1 })).toEqual([
      'x, lost: nothing for null',
      'x, other: "1" for 1',
    ])
    expect(compare('x', {}, undefined)).toEqual(['x is missing'])
  })
})
