import type * as Engine from 'maplibre-gl'
import { once } from '../../api/index.ts'

export type MapEngine = typeof Engine

/** Loads what draws maps, once, when the first map is needed: it is larger than all else of the page. */
export const loadEngine = once(async (): Promise<MapEngine> => {
  const [engine, worker] = await Promise.all([
    import('maplibre-gl'),
    // A file of its own beside the page's others: the page's policy allows no other worker.
    import('maplibre-gl/dist/maplibre-gl-worker.mjs?url'),
    import('maplibre-gl/dist/maplibre-gl.css'),
  ])
  engine.setWorkerUrl(worker.default)
  return engine
})

let isAble = false

/** Whether this browser can draw maps at all. What it is tried on is given back: a page may have sixteen at a time. */
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
