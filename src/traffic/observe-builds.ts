import { Gauge, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Build } from './feed.ts'

/** Counts what each build published and left out (decision D55). */
export function observeBuilds(registry: Registry): (build: Build) => void {
  const registers = [registry]
  const situations = new Gauge({
    name: 'hub_traffic_situations',
    help: 'Situations in the traffic feed of a provider',
    labelNames: ['provider'],
    registers,
  })
  const leftOut = new Gauge({
    name: 'hub_traffic_left_out',
    help: 'Events that the traffic feed of a provider leaves out, by what they lack',
    labelNames: ['provider', 'lacks'],
    registers,
  })
  const durations = new Histogram({
    name: 'hub_traffic_build_seconds',
    help: 'Time to build the traffic feed of a provider',
    labelNames: ['provider'],
    registers,
  })
  return ({ provider, document, milliseconds }) => {
    situations.set({ provider }, document.situations)
    for (const [lacks, count] of Object.entries(document.leftOut)) {
      leftOut.set({ provider, lacks }, count)
    }
    durations.observe({ provider }, milliseconds / 1000)
  }
}
