import type { FeatureCollection } from 'geojson'
import { isOld } from '../../api/catalogue.ts'
import { formatMeasured } from '../../language/index.ts'
import { words } from '../words.ts'
import type { Latest } from './latest.ts'
import type { Scale, Step } from './scale.ts'
import type { Mark } from '../Legend.svelte'

/** Formats a value with its unit, in the language of the page. */
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

/**
 * Converts the latest values to coloured points. The largest come last, so that they are on top.
 */
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

/**
 * Returns the entries of the legend, smallest first, with one for hollow points if there are any.
 */
export function toMarks({ steps }: Scale, { features }: FeatureCollection): readonly Mark[] {
  const stale = { label: words().live.stale, paint: 'stale', isHollow: true }
  return [
    ...steps.map((step) => ({ label: labelOfStep(step), paint: step.paint })),
    ...(features.some(({ properties }) => properties?.['isHollow'] === true) ? [stale] : []),
  ]
}

function labelOfStep(step: Step): string {
  const write = (value: number | string) => writeValue({ value, unit: '' })
  if (step.kind === 'value') return write(step.value)
  return step.from === step.to
    ? write(step.from)
    : words().live.upTo(write(step.from), write(step.to))
}
