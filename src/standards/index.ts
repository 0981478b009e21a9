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
  /** Without a trailing slash. */
  readonly publicUrl: string
  /** Sharing systems that are published as GBFS. */
  readonly systems: readonly System[]
  /** Licences of systems that state none: by origin in lower case, or `*`. */
  readonly licences: ReadonlyMap<string, string>
  /**
   * Secret seed of the vehicle identifiers. It is not published, so the identifiers cannot be
   * traced.
   */
  readonly secret: string
  /** Country of the region, and main language of its publications. */
  readonly region: { readonly country: string; readonly language: string }
  /** Lists the providers of other DATEX II v3 publications, by the name of the publication. */
  readonly datex3: Readonly<Record<string, () => Promise<readonly string[]>>>
}

type Standards = {
  readonly routes: FastifyPluginAsync
  /** The standards in which the datasets of the catalogue are available. */
  readonly offers: readonly Offer[]
}

/** Publishes stations and their latest values in the formats of standards. */
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

/** Removes duplicate offers: publications of the same stations have the same URL. */
function distinct(offers: readonly Offer[]): readonly Offer[] {
  return [...new Map(offers.map((offer) => [JSON.stringify(offer), offer])).values()]
}
