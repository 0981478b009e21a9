import { describe, expect, it } from 'vitest'
import {
  convertFile,
  inner,
  line,
  outer,
  placemark,
  ring,
} from '../../../test/fixtures/convert-file.ts'
import { kml } from './convert.ts'

const multi = (all: string) => `<MultiGeometry>${all}</MultiGeometry>`
const model = (location: string) => `<Model><Location>${location}</Location></Model>`
const track = (...coords: readonly string[]) =>
  `<gx:Track><when>2026</when>${coords.map((one) => `<gx:coord>${one}</gx:coord>`).join('')}</gx:Track>`

describe('KML', () => {
  it.each([
    ['a point', '<Point><coordinates>11.5,46.5</coordinates></Point>', 'Point [11.5,46.5]'],
    [
      'an altitude, kept as it is',
      '<Point><coordinates>-1,-2,0</coordinates></Point>',
      'Point [-1,-2,0]',
    ],
    ['a line', line('\n 1,2\t3,4,5\r\n'), 'LineString [[1,2],[3,4,5]]'],
    ['signs', line('+1e1,-.5 -1.5E-3,2.,1e3'), 'LineString [[10,-0.5],[-0.0015,2,1000]]'],
    ['blanks around commas', line('1, 2 ,3 4 ,5'), 'LineString [[1,2,3],[4,5]]'],
    [
      'an altitude that is not a number',
      '<Point><coordinates>11,46,NaN</coordinates></Point>',
      'Point [11,46]',
    ],
    ['altitudes that are empty', line('11,46, 12,47,'), 'LineString [[11,46],[12,47]]'],
    [
      'empty altitudes before blanks',
      line('1,2, 3 ,4 ,\n5 , 6 ,'),
      'LineString [[1,2],[3,4],[5,6]]',
    ],
    ['an altitude after a blank', line('1,2, 3 4,5, 6'), 'LineString [[1,2,3],[4,5,6]]'],
    ['zero without its sign', line('-0,-0.0 1,1'), 'LineString [[0,0],[1,1]]'],
    ['a line of one position', line('1,2'), 'Point [1,2]'],
    [
      'a ring of its own',
      line('0,0 1,0 1,1 0,0').replaceAll('LineString', 'LinearRing'),
      'LineString [[0,0],[1,0],[1,1],[0,0]]',
    ],
    ['a polygon', `<Polygon>${outer}</Polygon>`, 'Polygon [[[0,0],[4,0],[4,4],[0,0]]]'],
    [
      'a ring that is open',
      `<Polygon>${ring('outerBoundaryIs', '0,0,9 4,0 4,4')}</Polygon>`,
      'Polygon [[[0,0,9],[4,0],[4,4],[0,0,9]]]',
    ],
    [
      'a hole before its ring',
      `<Polygon>${inner}${outer}</Polygon>`,
      'Polygon [[[0,0],[4,0],[4,4],[0,0]],[[2,1],[3,1],[3,2],[2,1]]]',
    ],
    ['a collection of one', multi(multi(line('1,2 3,4'))), 'LineString [[1,2],[3,4]]'],
    [
      'lines',
      multi(line('1,2 3,4') + line('5,6 7,8')),
      'MultiLineString [[[1,2],[3,4]],[[5,6],[7,8]]]',
    ],
    [
      'an empty line beside another',
      multi(line(' ') + line('1,2 3,4')),
      'LineString [[1,2],[3,4]]',
    ],
    ['a CDATA section', line('<![CDATA[1,2 3]]>,4'), 'LineString [[1,2],[3,4]]'],
    ['character references', line('1,2<!-- 9,9 -->&#x20;3,&#52;'), 'LineString [[1,2],[3,4]]'],
    ['a track of unknown altitudes', track('1 2 NaN', '4 5 nan'), 'LineString [[1,2],[4,5]]'],
    ['a track', track('1 2 3', '', ' 4  5'), 'LineString [[1,2,3],[4,5]]'],
    [
      'several tracks',
      `<gx:MultiTrack>${track('1 2 3', '4 5 6')}${track('1 1', '2 2')}</gx:MultiTrack>`,
      'MultiLineString [[[1,2,3],[4,5,6]],[[1,1],[2,2]]]',
    ],
    ['a model', model('<longitude> 1 </longitude><latitude>2</latitude>'), 'Point [1,2]'],
    [
      'a model with a height',
      model('<altitude>3</altitude><longitude>1</longitude><latitude>2</latitude>'),
      'Point [1,2,3]',
    ],
    [
      'a model of unknown height',
      model('<longitude>1</longitude><latitude>2</latitude><altitude> NaN </altitude>'),
      'Point [1,2]',
    ],
    [
      'a model nowhere beside another',
      `<Model><Scale/></Model>${model('<longitude>1</longitude><latitude>2</latitude>')}`,
      'Point [1,2]',
    ],
  ])('with %s is converted', async (_title, geometry, expected) => {
    const { type, coordinates }: { type?: string; coordinates?: unknown } = Object(
      await convertFile(kml, placemark(geometry)),
    )
    expect(`${String(type)} ${JSON.stringify(coordinates)}`).toBe(expected)
  })

  it('is read with namespaces, prefixes and folders, ignoring unrelated elements', async () => {
    const file = `<?xml version="1.0"?><k:kml xmlns:k="http://www.opengis.net/kml/2.2"><k:Document>
      <k:Style><Point><coordinates>9,9</coordinates></Point></k:Style>
      <k:Folder><k:Folder><k:Placemark><k:ExtendedData><Point><coordinates>8,8</coordinates></Point></k:ExtendedData>
      <k:LookAt><longitude>1</longitude></k:LookAt>
      <k:Point><k:coordinates>1,2</k:coordinates></k:Point></k:Placemark></k:Folder></k:Folder></k:Document></k:kml>`
    const found = await convertFile(
      kml,
      file.replace('<Point><coordinates>9,9</coordinates></Point>', ''),
    )
    expect(found).toEqual({ type: 'Point', coordinates: [1, 2] })
  })

  it('with several kinds of geometry becomes a collection, in the order of the file', async () => {
    const file = `<kml><Document><Placemark>${line('1,2 3,4')}</Placemark>
      <Placemark><Polygon>${outer}</Polygon><Point><coordinates>1,1</coordinates></Point></Placemark></Document></kml>`
    expect(await convertFile(kml, file)).toEqual({
      type: 'GeometryCollection',
      geometries: [
        {
          type: 'LineString',
          coordinates: [
            [1, 2],
            [3, 4],
          ],
        },
        {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [4, 0],
              [4, 4],
              [0, 0],
            ],
          ],
        },
        { type: 'Point', coordinates: [1, 1] },
      ],
    })
  })
})
