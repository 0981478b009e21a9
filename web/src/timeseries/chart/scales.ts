/** A series of numbers, as far as its axis matters. */
export type Measured = { readonly key: string; readonly unit: string }

/** The units that have an axis, at most two, and the series that there is no axis for. */
export type Scales = {
  readonly units: readonly string[]
  readonly without: ReadonlySet<string>
}

/** The first two units get the axes, in the order of the list. */
export function toScales(series: readonly Measured[]): Scales {
  const units = [...new Set(series.map(({ unit }) => unit))].slice(0, 2)
  return {
    units,
    without: new Set(series.filter(({ unit }) => !units.includes(unit)).map(({ key }) => key)),
  }
}
