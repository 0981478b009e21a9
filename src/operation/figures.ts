import type { Registry } from 'prom-client'

type Labels = Readonly<Partial<Record<string, string | number>>>

/** The metrics of the hub, so that other responses show the same figures as `/metrics`. */
export type Figures = {
  /** Returns the value of a metric, or 0 if it was never measured. */
  readonly valueOf: (name: string, labels?: Labels) => number
  /** Returns the values of a metric by one of its labels. */
  readonly by: (name: string, label: string) => ReadonlyMap<string, number>
}

export async function readFigures(registry: Registry): Promise<Figures> {
  const metrics = await registry.getMetricsAsJSON()
  const valuesOf = (name: string) => metrics.find((metric) => metric.name === name)?.values ?? []
  return {
    valueOf: (name, labels = {}) => {
      const wanted = Object.entries(labels)
      const isMeant = (found: Labels) => wanted.every(([label, value]) => found[label] === value)
      return valuesOf(name).find((one) => isMeant(one.labels))?.value ?? 0
    },
    by: (name, label) =>
      new Map(valuesOf(name).map((one) => [String(one.labels[label]), one.value])),
  }
}
