import type { FastifyPluginAsync } from 'fastify'
import type { Registry } from 'prom-client'
import type { StationSource } from '../timeseries/index.ts'
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
  readonly metrics: Registry
  /** Without a slash at the end. */
  readonly publicUrl: string
  /** Of sharing systems, for GBFS. */
  readonly systems: readonly System[]
  /** Of what states none itself: by origin in lower case, or `*`. */
  readonly licences: ReadonlyMap<string, string>
  /** From which identifiers are made that nobody can trace back. */
  readonly secret: string
}

type Standards = {
  readonly routes: FastifyPluginAsync
  /** In which standards the datasets of the catalogue can be had. */
  readonly offers: readonly Offer[]
}

/** Stations and their latest values in the forms that standards prescribe. */
export function composeStandards(deps: Deps): Standards {
  const { source, metrics, publicUrl, systems } = deps
  const onBuild = observeBuilds(metrics)
  const shared = new Map(
    systems.map((system) => {
      const exit = gbfsExit(system, deps)
      return [system.definition.system_id, keepExit(exit, { source, onBuild })] as const
    }),
  )
  const kept = [...shared.values()]
  return {
    routes: async (app) => {
      await app.register(standardsHealth(kept))
      await app.register(gbfsRoutes({ source, systems, kept: shared, publicUrl }))
    },
    offers: kept.flatMap(({ exit }) => exit.offers),
  }
}
