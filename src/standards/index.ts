import type { FastifyPluginAsync } from 'fastify'
import type { Registry } from 'prom-client'
import type { StationSource } from '../timeseries/index.ts'
import { datex3Exits, datex3Routes } from './datex3/routes.ts'
import { gbfsExit, gbfsRoutes } from './gbfs/index.ts'
import type { System } from './gbfs/index.ts'
import { keepExit } from './keep-exit.ts'
import type { Offer } from './keep-exit.ts'
import { observeBuilds, standardsHealth } from './report-exits.ts'
export { loadSystems } from './gbfs/index.ts'
export type { System } from './gbfs/index.ts'
export type { Offer } from './keep-exit.ts'

type Deps = {
  readonly source: StationSource
  readonly now: () => Date
  readonly metrics: Registry
  /** Without a slash at the end. */
  readonly publicUrl: string
  /** Of sharing systems, for GBFS. */
  readonly systems: readonly System[]
  /** Of what states none itself: by origin in lower case, or `*`. */
  readonly licences: ReadonlyMap<string, string>
  /** From which identifiers are made that nobody can trace back. */
  readonly secret: string
  /** The region's country, and the main language of what it publishes. */
  readonly region: { readonly country: string; readonly language: string }
  /** Who publishes what of DATEX II v3 elsewhere, by the name of the publication. */
  readonly datex3: Readonly<Record<string, () => Promise<readonly string[]>>>
}

type Standards = {
  readonly routes: FastifyPluginAsync
  /** In which standards the datasets of the catalogue can be had. */
  readonly offers: readonly Offer[]
}

/** Stations and their latest values in the forms that standards prescribe. */
export function composeStandards(deps: Deps): Standards {
  const { source, now, metrics, publicUrl, systems, region, datex3 } = deps
  const onBuild = observeBuilds(metrics)
  const shared = new Map(
    systems.map((system) => {
      const exit = gbfsExit(system, deps)
      return [system.definition.system_id, keepExit(exit, { source, onBuild, now })] as const
    }),
  )
  const stations = datex3Exits(region).map((exit) => keepExit(exit, { source, onBuild, now }))
  const kept = [...shared.values(), ...stations]
  return {
    routes: async (app) => {
      await app.register(standardsHealth(kept))
      await app.register(gbfsRoutes({ source, systems, kept: shared, publicUrl }))
      await app.register(datex3Routes({ kept: stations, source, publicUrl, others: datex3 }))
    },
    offers: distinct(kept.flatMap(({ exit }) => exit.offers)),
  }
}

/** Publications of the same stations stand at the same address: it is offered once. */
function distinct(offers: readonly Offer[]): readonly Offer[] {
  return [...new Map(offers.map((offer) => [JSON.stringify(offer), offer])).values()]
}
