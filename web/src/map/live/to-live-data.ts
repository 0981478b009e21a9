import type { FeatureCollection } from 'geojson'
import { isOld } from '../../api/catalogue.ts'
import { formatMeasured } from '../../language/index.ts'
import { words } from '../words.ts'
import type { Latest } from './latest.ts'
import type { Scale } from './scale.ts'

/** A value with its unit, as the language writes it. */
export function writeValue({ value, unit }: Pick<Latest, 'value' | 'unit'>): string {
  if (value === undefined) return words().live.none
  if (typeof value === 'string') return value
  const number = formatMeasured(value)
  return unit === '' ? number : `${number}\u202f${unit}`
}

type Shown<Value> = {
  readonly values: readonly Value[]
  readonly scale: Scale
  readonly labelOf: (latest: Value) => string
}

/** The latest values as points in their colours; the largest come last, on top. */
export function toLiveData<Value extends Latest>({
  values,
  scale,
  labelOf,
}: Shown<Value>): FeatureCollection {
  const order = (value: Latest['value']) => (typeof value === 'number' ? value : 0)
  return {
    type: 'FeatureCollection',
    features: values
      .toSorted((a, b) => order(a.value) - order(b.value))
      .flatMap((latest) => {
        if (latest.geometry === undefined) return []
        const properties = {
          id: latest.id,
          paint: scale.paintOf(latest.value),
          isHollow: latest.value !== undefined && (latest.state === 'none' || isOld(latest.state)),
          label: labelOf(latest),
        }
        return [{ type: 'Feature' as const, geometry: latest.geometry, properties }]
      }),
  }
}
