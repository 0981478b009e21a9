import type { StyleSpecification } from 'maplibre-gl'
import { colour } from './colours.ts'

export type Tiles = { readonly url: string; readonly light: 'light' | 'dark' }

/** Fonts of the reader’s system: without a server of glyphs the letters are drawn here. */
export const labelFont = ['system-ui, Segoe UI, Roboto, Noto Sans, Liberation Sans, sans-serif']

/** The empty sheet that everything is drawn on, with the tiles of the operator where there are any. */
export function toStyle(tiles: Tiles | undefined): StyleSpecification {
  const sheet = {
    id: 'outside',
    type: 'background',
    paint: { 'background-color': colour('outside') },
  } as const
  if (tiles === undefined) return { version: 8, sources: {}, layers: [sheet] }
  return {
    version: 8,
    sources: { tiles: { type: 'raster', tiles: [...toTemplates(tiles.url)], tileSize: 256 } },
    layers: [
      sheet,
      { id: 'tiles', type: 'raster', source: 'tiles', paint: tilePaint(tiles.light) },
    ],
  }
}

/** Tiles are drawn for paper; at night they are dimmed. */
export function tilePaint(light: 'light' | 'dark') {
  return light === 'dark'
    ? { 'raster-brightness-max': 0.62, 'raster-saturation': -0.35 }
    : { 'raster-brightness-max': 1, 'raster-saturation': -0.1 }
}

/** `{s}` stands for one of several hosts. */
function toTemplates(url: string): readonly string[] {
  return url.includes('{s}') ? ['a', 'b', 'c'].map((host) => url.replace('{s}', host)) : [url]
}
