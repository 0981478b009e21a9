import type { Map as MapLibreMap, StyleSpecification } from 'maplibre-gl'
import type * as Engine from 'maplibre-gl'
import type { Camera } from '../camera.ts'
import { once } from '../../api/index.ts'
import { colour, colourNames } from './colours.ts'
import { archiveStyle, readArchive, wholeAddress } from './tile-archive.ts'

type MapSettings = {
  readonly container: HTMLElement
  /**
   * URL of the operator's background: a style, or a tile archive. Without it, `tiles` is the URL
   * template of raster tiles.
   */
  readonly style: string | undefined
  readonly tiles: string | undefined
  readonly camera: Camera | undefined
  /**
   * `page`: scrolling moves the page past the map, and moving the map requires two fingers or a
   * key.
   */
  readonly scroll: 'page' | 'map'
  readonly locale: Readonly<Record<string, string>>
}

/** Initial view of the Alps, until the extent of the data is known. */
const somewhere: Camera = { latitude: 46.6, longitude: 11.4, zoom: 7 }

/** Creates a map, ready for layers. It cannot be rotated or tilted. */
export async function openMap(settings: MapSettings): Promise<MapLibreMap> {
  const { container, style, tiles, camera = somewhere, scroll, locale } = settings
  const own = toStyle(style === undefined ? tiles : undefined, lightOf(container))
  const engine = await loadEngine()
  const whole = new URL(style ?? '', location.href).href
  const map = new engine.Map({
    container,
    // URLs in a style are relative to the style's own URL.
    transformRequest: (url) => ({ url: wholeAddress(url, whole) }),
    globalState: readColours(container),
    center: [camera.longitude, camera.latitude],
    zoom: camera.zoom,
    minZoom: 2,
    maxZoom: 19,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    boxZoom: false,
    cooperativeGestures: scroll === 'page',
    renderWorldCopies: false,
    fadeDuration: 0,
    locale: { ...locale },
  })
  map.keyboard.disableRotation()
  map.touchZoomRotate.disableRotation()
  map.addControl(new engine.ScaleControl({ maxWidth: 88 }), 'bottom-left')
  if (style === undefined) map.setStyle(own)
  else drawStyle(map, whole, own)
  await map.once('style.load')
  map.addLayer({ id: aboveBackground, type: 'background', layout: { visibility: 'none' } })
  return map
}

/** Maximum time to wait for the operator's style, in milliseconds. */
const longest = 8000

/**
 * Draws the operator's style. If it fails to load in time, the data is drawn on an empty
 * background.
 */
function drawStyle(map: MapLibreMap, style: string, own: StyleSpecification): void {
  const over = new AbortController()
  const withoutStyle = () => {
    if (over.signal.aborted) return
    over.abort()
    map.setStyle(own, { diff: false })
  }
  const end = () => {
    over.abort()
  }
  const timer = setTimeout(withoutStyle, longest)
  map.once('error', withoutStyle)
  // Later failures, such as a missing image, do not remove the style, and a late style is not drawn
  // over data.
  map.once('style.load', end)
  map.once('remove', end)
  over.signal.addEventListener('abort', () => {
    clearTimeout(timer)
    map.off('error', withoutStyle)
  })
  if (!new URL(style).pathname.endsWith('.pmtiles')) {
    map.setStyle(style, { transformStyle: (_, next) => withSprite(next, style) })
    return
  }
  archiveStyle(style).then((next) => {
    if (!over.signal.aborted) map.setStyle(next)
  }, withoutStyle)
}

/** Makes sprite URLs absolute, as the map engine requires. */
function withSprite(style: StyleSpecification, address: string): StyleSpecification {
  const { sprite } = style
  if (sprite === undefined) return style
  const whole = (url: string) => new URL(url, address).href
  const list =
    typeof sprite === 'string'
      ? whole(sprite)
      : sprite.map((one) => ({ ...one, url: whole(one.url) }))
  return { ...style, sprite: list }
}

/** Id of the layer that separates the background from the data. */
export const aboveBackground = 'above-background'

/** Reports whether the background is the empty one. */
export function isPaper(map: MapLibreMap): boolean {
  return map.getLayer('outside') !== undefined && map.getLayer('tiles') === undefined
}

type MapEngine = typeof Engine

/**
 * Loads the map engine once, when the first map is needed. It is larger than the rest of the page.
 */
const loadEngine = once(async (): Promise<MapEngine> => {
  const [engine, worker] = await Promise.all([
    import('maplibre-gl'),
    // A separate file from the page's own origin, because its content security policy allows no
    // other worker.
    import('maplibre-gl/dist/maplibre-gl-worker.mjs?url'),
    import('maplibre-gl/dist/maplibre-gl.css'),
  ])
  engine.setWorkerUrl(worker.default)
  engine.addProtocol('pmtiles', readArchive)
  return engine
})

let isAble = false

/**
 * Reports whether the browser can draw maps (WebGL 2). The test context is released, because a page
 * may have only sixteen.
 */
export function canDraw(): boolean {
  if (isAble) return true
  try {
    const context = document.createElement('canvas').getContext('webgl2')
    context?.getExtension('WEBGL_lose_context')?.loseContext()
    isAble = context !== null
  } catch {
    isAble = false
  }
  return isAble
}

/** Returns the empty background, with the operator's raster tiles if there are any. */
function toStyle(tiles: string | undefined, light: 'light' | 'dark'): StyleSpecification {
  const sheet = {
    id: 'outside',
    type: 'background',
    paint: { 'background-color': colour('outside') },
  } as const
  if (tiles === undefined) return { version: 8, sources: {}, layers: [sheet] }
  return {
    version: 8,
    sources: { tiles: { type: 'raster', tiles: [...toTemplates(tiles)], tileSize: 256 } },
    layers: [sheet, { id: 'tiles', type: 'raster', source: 'tiles', paint: tilePaint(light) }],
  }
}

/** Tiles are made for a light background; in dark mode they are dimmed. */
function tilePaint(light: 'light' | 'dark') {
  return light === 'dark'
    ? { 'raster-brightness-max': 0.62, 'raster-saturation': -0.35 }
    : { 'raster-brightness-max': 1, 'raster-saturation': -0.1 }
}

/** Expands `{s}` to several hosts. */
function toTemplates(url: string): readonly string[] {
  return url.includes('{s}') ? ['a', 'b', 'c'].map((host) => url.replace('{s}', host)) : [url]
}

/**
 * Resolves when an element scrolls into view, or when `signal` is aborted. The map engine is larger
 * than the rest of the page, so it is loaded only then.
 */
export function untilSeen(element: HTMLElement, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        resolve()
      },
      { rootMargin: '300px' },
    )
    observer.observe(element)
    signal.addEventListener('abort', () => {
      observer.disconnect()
      resolve()
    })
  })
}

/** Reads the colours as computed now. Custom properties alone would return `light-dark(…)`. */
function readColours(within: HTMLElement): Readonly<Record<string, string>> {
  const probe = document.createElement('span')
  within.append(probe)
  const found = colourNames.map((name) => {
    probe.style.color = `var(--map-${name})`
    return [name, getComputedStyle(probe).color] as const
  })
  probe.remove()
  return Object.fromEntries(found)
}

/** Updates the colours of a map when the page becomes dark or light. */
export function followColours(map: MapLibreMap, signal: AbortSignal): void {
  const follow = () => {
    for (const [name, value] of Object.entries(readColours(map.getContainer()))) {
      map.setGlobalStateProperty(name, value)
    }
    if (map.getLayer('tiles') === undefined) return
    const paint = tilePaint(lightOf(map.getContainer()))
    map.setPaintProperty('tiles', 'raster-brightness-max', paint['raster-brightness-max'])
    map.setPaintProperty('tiles', 'raster-saturation', paint['raster-saturation'])
  }
  const system = matchMedia('(prefers-color-scheme: dark)')
  const observer = new MutationObserver(follow)
  system.addEventListener('change', follow)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  signal.addEventListener('abort', () => {
    system.removeEventListener('change', follow)
    observer.disconnect()
  })
}

/**
 * Returns whether an element is dark or light, judged by its background, whether the user or the
 * system chose it.
 */
function lightOf(element: HTMLElement): 'light' | 'dark' {
  const [red = '255'] = /\d+/.exec(getComputedStyle(element).backgroundColor) ?? []
  return Number(red) < 128 ? 'dark' : 'light'
}
