import type { FastifyPluginAsync } from 'fastify'
import type { Registry } from 'prom-client'
import type { StationSource } from '../timeseries/index.ts'
import { keepExit } from './keep-exit.ts'
import type { Exit, Offer } from './keep-exit.ts'
import { observeBuilds, standardsHealth } from './report-exits.ts'
export type { Offer } from './keep-exit.ts'

type Deps = {
  readonly source: StationSource
  readonly metrics: Registry
}

type Standards = {
  readonly routes: FastifyPluginAsync
  /** In which standards the datasets of the catalogue can be had. */
  readonly offers: readonly Offer[]
}

/** Stations and their latest values in the forms that standards prescribe. */
export function composeStandards({ source, metrics }: Deps): Standards {
  const exits: readonly Exit[] = []
  const onBuild = observeBuilds(metrics)
  const kept = exits.map((exit) => keepExit(exit, { source, onBuild }))
  return {
    routes: async (app) => {
      await app.register(standardsHealth(kept))
    },
    offers: exits.flatMap(({ offers }) => offers),
  }
}
