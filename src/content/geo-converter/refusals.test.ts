import { describe, expect, it } from 'vitest'
import {
  convertFile,
  gpxOf,
  gpxPoint,
  inner,
  line,
  outer,
  placemark,
  ring,
} from '../../../test/fixtures/convert-file.ts'
import { gpx, kml } from './convert.ts'

describe('the converter', () => {
  const lol = `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from({ length: 9 }, (_, depth) => `<!ENTITY lol${String(depth)} "${'&lol;'.repeat(10)}">`).join('')}]>`
  it.each([
    ['nothing', '', 'The file is empty.'],
    ['no XML', 'hello', 'Line 1, column 6: This is not well-formed XML'],
    [
      'an element that is not closed',
      '<kml>\n<Placemark>\n',
      'Line 3, column 1: This is not well-formed XML: unclosed tag',
    ],
    [
      'elements that cross',
      '<kml><a><b></a></b></kml>',
      'This is not well-formed XML: unexpected close tag',
    ],
    ['a document type', '<!DOCTYPE kml SYSTEM "http://127.0.0.1/x.dtd"><kml/>', 'document type'],
    ['a billion laughs', `${lol}<kml><a>&lol8;</a></kml>`, 'document type'],
    ['an entity', '<kml><a>&nbsp;</a></kml>', 'undefined entity'],
    ['what every object has', '<kml><a>&constructor;</a></kml>', 'undefined entity'],
    ['what every object has in common', '<kml><a>&__proto__;</a></kml>', 'undefined entity'],
    [
      'another root',
      '<gpx></gpx>',
      'Line 1, column 6: The file begins with the element "gpx", not with "kml".',
    ],
    ['no geometry', '<kml><Document/></kml>', 'The KML file holds no geometry.'],
    [
      'a word in place of a position',
      placemark(line('1,2\n3,4\n  here')),
      'Line 3, column 3: "here" is not a valid longitude',
    ],
    [
      'a number that is none',
      placemark(line('1,2 3,0x4')),
      'Line 1, column 46: "0x4" is not a valid number.',
    ],
    [
      'a model on no latitude',
      placemark('<Model><Location><longitude>1</longitude></Location></Model>'),
      'The Location of a Model has no longitude or latitude.',
    ],
    ['infinity', placemark(line('1,2 3,4,1e999')), '"1e999" is not a valid number.'],
    [
      'a position without latitude',
      placemark(line('1,2 3')),
      '"3" is not a valid longitude,latitude[,altitude].',
    ],
    [
      'four numbers',
      placemark(line('1,2,3,4')),
      '"1,2,3,4" is not a valid longitude,latitude[,altitude].',
    ],
    [
      'an empty latitude',
      placemark(line('1,,3')),
      '"1,,3" is not a valid longitude,latitude[,altitude].',
    ],
    [
      'two commas after a latitude',
      placemark(line('1,2,,')),
      '"1,2,," is not a valid longitude,latitude[,altitude].',
    ],
    ['a latitude that is not a number', placemark(line('1,NaN')), '"NaN" is not a valid number.'],
    [
      'a latitude that is none',
      placemark(line('1,2 46,111')),
      '"46 111" is not a valid longitude and latitude.',
    ],
    [
      'a longitude that is none',
      placemark(line('181,2')),
      '"181 2" is not a valid longitude and latitude.',
    ],
    [
      'a point of two positions',
      placemark('<Point><coordinates>1,2 3,4</coordinates></Point>'),
      'A Point has one position',
    ],
    [
      'a ring of two corners',
      placemark(`<Polygon>${ring('outerBoundaryIs', '0,0 1,1 0,0')}</Polygon>`),
      'three corners',
    ],
    ['two outer rings', placemark(`<Polygon>${outer}${outer}</Polygon>`), 'one outer ring'],
    ['holes without a ring', placemark(`<Polygon>${inner}</Polygon>`), 'no outer ring'],
    ['an element inside of coordinates', placemark(line('1,2 <b/>3,4')), '"b" is inside a text.'],
    [
      'a track of four numbers',
      placemark('<Track><coord>1 2 3 4</coord></Track>'),
      'is not a valid longitude, latitude and altitude',
    ],
    ['elements without end', `<kml>${'<a>'.repeat(200)}`, 'nested too deep'],
    [
      'attributes without end',
      `<kml ${Array.from({ length: 200 }, (_, index) => `a${String(index)}=""`).join(' ')}/>`,
      'too many attributes',
    ],
  ])('refuses a file with %s', async (_title, file, message) => {
    const converted = convertFile(kml, file)
    await expect(converted).rejects.toMatchObject({ code: 'HUB-GEO-001' })
    await expect(converted).rejects.toThrow(message)
  })

  it.each([
    [gpxPoint('wpt', [1, 2], '<ele>high</ele>'), '"high" is not a valid number.'],
    ['<wpt lat="1"/>', 'A point has no attribute lon or lat.'],
    ['<wpt lat="" lon="2"/>', '"" is not a valid number.'],
    ['<wpt lat="91" lon="2"/>', 'is not a valid longitude and latitude'],
  ])('refuses a GPX file with %s', async (inner, message) => {
    await expect(convertFile(gpx, gpxOf(inner))).rejects.toThrow(message)
    await expect(convertFile(gpx, '<kml/>')).rejects.toMatchObject({
      hint: expect.stringContaining('KmlTo'),
    })
  })

  it('refuses compressed files, and lists the accepted media types', async () => {
    for (const bytes of [
      [0x50, 0x4b, 3, 4],
      [0x1f, 0x8b, 8],
    ]) {
      const converted = convertFile(kml, new Uint8Array(bytes))
      await expect(converted).rejects.toMatchObject({
        code: 'HUB-BDY-003',
        hint: expect.stringContaining('application/vnd.google-earth.kml+xml'),
      })
    }
  })

  it('refuses more positions than the limit', async () => {
    const many = placemark(line('1,2 '.repeat(1_000_001)))
    await expect(convertFile(kml, many)).rejects.toMatchObject({ code: 'HUB-GEO-004', status: 413 })
  })
})
