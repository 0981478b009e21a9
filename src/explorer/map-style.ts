import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/value'

/** The background that the operator has chosen for maps. */
export type MapStyle = {
  /** What the page requests for it: a URL, or a path of the hub. */
  readonly address: string
  /** All URLs that a browser requests for it. Only their origins matter. */
  readonly requested: readonly string[]
  /** Folder whose files the hub serves at `/map/`; undefined if the style is on another server. */
  readonly folder: string | undefined
}

type Deps = {
  readonly dataDir: string
  readonly load: (url: string) => Promise<unknown>
  /** Reports a URL that maps cannot use. */
  readonly warn: (err: unknown, url: string) => void
}

/** Includes the URL of the style, to which the URLs inside it are relative. */
type Reading = Deps & { readonly base: string }

/**
 * Returns what browsers need for `HUB_MAP_STYLE`, which is a URL, or a file in the folder `map` of
 * the hub's data. It leads to a style, or to an archive of tiles.
 * @throws Error if the file does not exist, or is neither a style nor an archive
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

/** Checks that an archive starts with its name and version (PMTiles specification, version 3). */
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

/** The parts of a style that refer to other files (MapLibre style specification, version 8). */
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

/**
 * Returns the URLs in a style, including those of the tiles of sources that are described elsewhere
 * (TileJSON).
 */
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

/**
 * Loads a document from a URL that is relative to that of the style. If it is not valid, reports it
 * and returns undefined.
 */
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
