import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { convertFile, once } from '../../../test/fixtures/convert-file.ts'
import { describeWithSharedData, sharedPath } from '../../../test/fixtures/shared-data.ts'
import { convert, gpx, kml } from './convert.ts'

describeWithSharedData('files with a known geometry', () => {
  it.each(['216051.kml', '216052.kml', 'Sample1.gpx', 'Sample2.gpx'])('%s', async (name) => {
    const path = sharedPath(`data/geoconverter/${name}`)
    const text = readFileSync(path.replace(/\.\w+$/, '.json'), 'utf8').replace(/^\uFEFF/, '')
    const conversion = name.endsWith('.kml') ? kml : gpx
    const pieces = await convert(
      conversion,
      { chunks: once(readFileSync(path)) },
      { isStrict: true },
    )
    expect(pieces.join('')).toBe(text.trim())
  })

  it('with placemarks become a MultiPoint of exactly their points', async () => {
    const path = sharedPath('data/timeseries/trafficlight/merano-nodes.kml')
    const text = readFileSync(path, 'utf8')
    expect(await convertFile(kml, readFileSync(path))).toMatchObject({ type: 'MultiPoint' })
    const { coordinates }: { coordinates?: unknown[] } = Object(await convertFile(kml, text))
    expect(coordinates).toHaveLength(text.split('<Point>').length - 1)
  })
})
