import type { FeatureCollection } from 'geojson'
import { stateOf } from './latest.ts'
import type { Latest } from './latest.ts'
import type { Scale } from './scale.ts'

type Shown = {
  readonly values: readonly Latest[]
  readonly scale: Scale
  readonly now: Date
  readonly labelOf: (latest: Latest) => string
}

/** The latest values as points in their colours; the largest come last, on top. */
export function toLiveData({ values, scale, now, labelOf }: Shown): FeatureCollection {
  const order = (value: Latest['value']) => (typeof value === 'number' ? value : 0)
  return {
    type: 'FeatureCollection',
    features: values
      .toSorted((a, b) => order(a.value) - order(b.value))
      .flatMap((latest) => {
        if (latest.geometry === undefined) return []
        const state = stateOf(latest, now)
        const properties = {
          id: latest.id,
          paint: scale.paintOf(latest.value),
          isHollow: state === 'stale' || state === 'none',
          label: labelOf(latest),
        }
        return [{ type: 'Feature' as const, geometry: latest.geometry, properties }]
      }),
  }
}
