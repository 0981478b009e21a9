import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from 'typebox'
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

/** Reads the JSON document at a URL. */
type Load = (url: string) => Promise<unknown>

/**
 * What browsers need for `HUB_MAP_STYLE`: a URL, or a file in the folder `map` of the hub's data.
 * @throws Error where there is no such file, or it is not a style
 */
export async function loadMapStyle(
  setting: string,
  { dataDir, load }: { readonly dataDir: string; readonly load: Load },
): Promise<MapStyle> {
  if (isUrl(setting)) {
    const named = await load(setting).then((style) => addressesOf(style, load))
    return { address: setting, requested: [setting, ...named], folder: undefined }
  }
  const folder = join(dataDir, 'map')
  const style = readStyle(join(folder, setting))
  return { address: `/map/${setting}`, requested: await addressesOf(style, load), folder }
}

function readStyle(path: string): unknown {
  if (!existsSync(path)) throw new Error(`HUB_MAP_STYLE: ${path} does not exist.`)
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

/** The parts of a style that lead to other files (MapLibre style specification, version 8). */
const styleSchema = Type.Object({
  version: Type.Literal(8),
  sources: Type.Record(Type.String(), Type.Object({ url: Type.Optional(Type.String()) })),
  sprite: Type.Optional(Type.Unknown()),
  glyphs: Type.Optional(Type.Unknown()),
})

/** Of a source that is described elsewhere (TileJSON), the addresses of its tiles too. */
async function addressesOf(style: unknown, load: Load): Promise<readonly string[]> {
  if (!Check(styleSchema, style)) return []
  const { sources, sprite, glyphs } = style
  const described = Object.values(sources).flatMap(({ url = '' }) => (isUrl(url) ? url : []))
  return textsIn([sources, sprite, glyphs, await Promise.all(described.map(load))])
}

function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text)
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
