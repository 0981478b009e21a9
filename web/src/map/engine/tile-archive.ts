import type { AddProtocolAction, LayerSpecification, StyleSpecification } from 'maplibre-gl'
import type { Protocol } from 'pmtiles'
import { once } from '../../api/index.ts'
import { colour, labelFont } from './colours.ts'
import type { ColourName } from './colours.ts'

/** Prefix for the URL of a tile archive (PMTiles) in a style. */
const scheme = 'pmtiles://'

/** Makes a URL of a style absolute. Relative URLs are resolved against that of the style. */
export function wholeAddress(url: string, base: string): string {
  const own = url.startsWith(scheme) ? scheme : ''
  return own + new URL(url.slice(own.length), base).href
}

/** Loads the archive reader when a style first needs it. */
const loadReader = once(() => import('pmtiles'))
let protocol: Protocol | undefined

async function loadProtocol() {
  const { Protocol } = await loadReader()
  return (protocol ??= new Protocol({ metadata: true }))
}

/** Reads tiles from archives by range requests. */
export const readArchive: AddProtocolAction = async (parameters, abort) => {
  const { tilev4 } = await loadProtocol()
  const { data, cacheControl = null, expires = null } = await tilev4(parameters, abort)
  if (typeof data === 'object' && data !== null) return { data, cacheControl, expires }
  throw new Error(`${parameters.url} is no tile.`)
}

/**
 * Drawing of layers by the names that common schemas share (Protomaps, OpenMapTiles, Shortbread).
 */
const looks: readonly {
  readonly names: RegExp
  readonly kind: 'fill' | 'line'
  readonly colour: ColourName
}[] = [
  { names: /^(earth|land|ocean)$/, kind: 'fill', colour: 'land' },
  { names: /land_?(use|cover)|park|green|sites/, kind: 'fill', colour: 'tint1' },
  { names: /^water(?!way|_name|.*(labels|lines))/, kind: 'fill', colour: 'river' },
  { names: /waterway|water_lines(?!.*labels)|^water$/, kind: 'line', colour: 'river' },
  { names: /building/, kind: 'fill', colour: 'tint2' },
  {
    names: /^(roads?|streets?|transportation|transit|aerialways|ferries)$/,
    kind: 'line',
    colour: 'road',
  },
  { names: /bound/, kind: 'line', colour: 'border' },
]

/**
 * Builds a style for an archive that has none: its raster images, or its shapes in the colours of
 * the page with place names.
 * @param address absolute URL of the archive
 * @throws Error if the archive cannot be read
 */
export async function archiveStyle(address: string): Promise<StyleSpecification> {
  const { PMTiles, TileType } = await loadReader()
  const archive = new PMTiles(address)
  const [{ tileType }, metadata] = await Promise.all([archive.getHeader(), archive.getMetadata()])
  const isVector = tileType === TileType.Mvt
  const background: LayerSpecification = {
    ...{ id: 'sheet', type: 'background' },
    paint: { 'background-color': colour('outside') },
  }
  return {
    version: 8,
    sources: { tiles: { type: isVector ? 'vector' : 'raster', url: `${scheme}${address}` } },
    layers: [background, ...(isVector ? vectorLayers(layerNames(metadata)) : [pictures])],
  }
}

const pictures: LayerSpecification = { id: 'pictures', type: 'raster', source: 'tiles' }

/** Returns the names of the layers in the metadata (TileJSON). */
function layerNames(metadata: unknown): readonly string[] {
  const isObject = typeof metadata === 'object' && metadata !== null
  const list: unknown = isObject && 'vector_layers' in metadata ? metadata.vector_layers : []
  return (Array.isArray(list) ? list : []).flatMap((one: unknown) =>
    typeof one === 'object' && one !== null && 'id' in one && typeof one.id === 'string'
      ? [one.id]
      : [],
  )
}

function vectorLayers(names: readonly string[]): readonly LayerSpecification[] {
  const shapes = looks.flatMap(({ names: pattern, kind, colour: name }, index) =>
    names
      .filter((one) => pattern.test(one))
      .map((one) => shapeLayer(`${one}-${String(index)}`, { kind, name, 'source-layer': one })),
  )
  const places = names.filter((one) => /^places?(_labels)?$/.test(one)).map(placeLayer)
  return [...shapes, ...places]
}

type Shape = {
  readonly kind: 'fill' | 'line'
  readonly name: ColourName
  readonly 'source-layer': string
}

function shapeLayer(id: string, { kind, name, ...from }: Shape): LayerSpecification {
  const source = { source: 'tiles', ...from }
  return kind === 'fill'
    ? {
        ...{ id, type: 'fill', ...source },
        filter: ['==', ['geometry-type'], 'Polygon'],
        paint: { 'fill-color': colour(name) },
      }
    : {
        ...{ id, type: 'line', ...source },
        filter: ['==', ['geometry-type'], 'LineString'],
        paint: { 'line-color': colour(name) },
      }
}

function placeLayer(name: string): LayerSpecification {
  return {
    ...{ id: `names-${name}`, type: 'symbol', source: 'tiles', 'source-layer': name },
    layout: { 'text-field': ['get', 'name'], 'text-font': labelFont, 'text-size': 12 },
    paint: {
      'text-color': colour('label'),
      'text-halo-color': colour('halo'),
      'text-halo-width': 1,
    },
  }
}
