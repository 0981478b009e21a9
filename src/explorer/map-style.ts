import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/value'

/** The background that an operator has chosen for maps. */
export type MapStyle = {
  /** What the page requests: a URL, or a path of the hub. */
  readonly address: string
  /** Every address that a browser requests for it; only their origins count. */
  readonly requested: readonly string[]
  /** Whose files the hub serves at `/map/`; undefined for the style of another server. */
  readonly folder: string | undefined
}

type Deps = {
  readonly dataDir: string
  readonly load: (url: string) => Promise<unknown>
  /** Reports an address that maps cannot use. */
  readonly warn: (err: unknown, url: string) => void
}

/** With the address of the style, to which those in it are relative. */
type Reading = Deps & { readonly base: string }

/**
 * What browsers need for `HUB_MAP_STYLE`: a URL, or a file in the folder `map` of the hub's data; a style, or an
 * archive of tiles.
 * @throws Error where there is no such file, or it is neither
 */
export async function loadMapStyle(setting: string, deps: Deps): Promise<MapStyle> {
  if (/^https?:/.test(setting)) {
    if (isArchive(new URL(setting).pathname))
      return { address: setting, requested: [setting], folder: undefined }
    const reading = { ...deps, base: setting }
    const style = await readPart(styleSchema, setting, reading)
    const named = style === undefined ? [] : await addressesOf(style, reading)
    return { address: setting, requested: [setting, ...named], folder: undefined }
  }
  const folder = resolve(deps.dataDir, 'map')
  if (isArchive(setting)) {
    assertArchive(join(folder, setting))
    return { address: `/map/${setting}`, requested: [], folder }
  }
  const style = readStyle(join(folder, setting))
  const load = async (url: string): Promise<unknown> => {
    const [, name] = /^file:\/\/\/map\/(.+)$/.exec(url) ?? []
    return name === undefined ? deps.load(url) : parseText(readFileSync(join(folder, name), 'utf8'))
  }
  const requested = await addressesOf(style, { ...deps, load, base: `file:///map/${setting}` })
  return { address: `/map/${setting}`, requested, folder }
}

const isArchive = (path: string) => path.endsWith('.pmtiles')

function assertExists(path: string): void {
  if (!existsSync(path)) throw new Error(`HUB_MAP_STYLE: ${path} does not exist.`)
}

/** An archive of tiles begins with its name and version (PMTiles specification, version 3). */
function assertArchive(path: string): void {
  assertExists(path)
  const start = Buffer.alloc(8)
  const file = openSync(path, 'r')
  readSync(file, start)
  closeSync(file)
  if (start.equals(Buffer.from('PMTiles\u0003'))) return
  throw new Error(`HUB_MAP_STYLE: ${path} is not a PMTiles file of version 3.`)
}

function readStyle(path: string): Style {
  assertExists(path)
  const style = parseText(readFileSync(path, 'utf8'))
  if (Check(styleSchema, style)) return style
  throw new Error(`HUB_MAP_STYLE: ${path} is not a MapLibre style (JSON with version 8, sources).`)
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const texts = Type.Array(Type.String())

/** The parts of a style that lead to other files (MapLibre style specification, version 8). */
const styleSchema = Type.Object({
  version: Type.Literal(8),
  sources: Type.Record(
    Type.String(),
    Type.Object({
      type: Type.Optional(Type.Unknown()),
      url: Type.Optional(Type.String()),
      tiles: Type.Optional(texts),
      data: Type.Optional(Type.Unknown()),
    }),
  ),
  sprite: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.Object({ url: Type.String() }))]),
  ),
  glyphs: Type.Optional(Type.String()),
})

type Style = Static<typeof styleSchema>

const tileJson = Type.Object({ tiles: texts })

/** Of a source that is described elsewhere (TileJSON), the addresses of its tiles too. */
async function addressesOf(
  { sources, sprite = [], glyphs }: Style,
  deps: Reading,
): Promise<readonly string[]> {
  const ofSources = Object.values(sources).map(async ({ type, url, tiles = [], data }) => {
    if (url?.startsWith('pmtiles://') === true) return [url.slice('pmtiles://'.length)]
    const isDescribed = url !== undefined && type !== 'image'
    const described = isDescribed ? await readPart(tileJson, url, deps) : undefined
    return [url, data, ...tiles, ...(described?.tiles ?? [])]
  })
  const sprites = [sprite].flat().map((one) => (typeof one === 'string' ? one : one.url))
  const all = [...(await Promise.all(ofSources)).flat(), ...sprites, glyphs]
  return all.filter((address) => typeof address === 'string')
}

/** A document at an address relative to that of the style; undefined, and reported, if it is not one. */
async function readPart<Schema extends TSchema>(
  schema: Schema,
  address: string,
  { load, warn, base }: Reading,
): Promise<Static<Schema> | undefined> {
  try {
    const document = await load(new URL(address, base).href)
    if (Check(schema, document)) return document
    throw new Error('The document is neither a MapLibre style (version 8) nor TileJSON.')
  } catch (err) {
    warn(err, address)
    return undefined
  }
}
