import type * as Engine from 'maplibre-gl'

export type MapEngine = typeof Engine

let loaded: Promise<MapEngine> | undefined

/** Loads what draws maps, once, when the first map is needed: it is larger than all else of the page. */
export function loadEngine(): Promise<MapEngine> {
  loaded ??= load().catch((thrown: unknown) => {
    loaded = undefined
    throw thrown
  })
  return loaded
}

async function load(): Promise<MapEngine> {
  const [engine, worker] = await Promise.all([
    import('maplibre-gl'),
    // A file of its own beside the page's others: the page's policy allows no other worker.
    import('maplibre-gl/dist/maplibre-gl-worker.mjs?url'),
    import('maplibre-gl/dist/maplibre-gl.css'),
  ])
  engine.setWorkerUrl(worker.default)
  return engine
}

/** Whether this browser can draw maps at all. */
export function canDraw(): boolean {
  try {
    return document.createElement('canvas').getContext('webgl2') !== null
  } catch {
    return false
  }
}
