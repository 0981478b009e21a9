import type { FastifyPluginAsync } from 'fastify'
import { catalogueRoutes } from '../catalogue/index.ts'
import type { RuleTable } from '../access/index.ts'
import type { Config } from '../config/index.ts'
import type { Entity } from '../content/index.ts'
import type { Database } from '../storage/index.ts'
import { publicUrlOf } from './surroundings.ts'
import type { Surroundings } from './surroundings.ts'

type Parts = {
  readonly config: Config
  readonly surroundings: Pick<Surroundings, 'every' | 'log' | 'now'>
  readonly database: Database
  /** Every entity that the hub serves, views too. */
  readonly entities: readonly Entity[]
  readonly rules: RuleTable
}

/** The catalogue of everything that this hub serves. */
export function composeCatalogue(parts: Parts): FastifyPluginAsync {
  const { config, surroundings, database, entities, rules } = parts
  const { every, log, now } = surroundings
  return catalogueRoutes({
    database: database.read,
    entities,
    publicUrl: publicUrlOf(config),
    title: config.HUB_TITLE,
    profile: config.HUB_PROFILE,
    visibilityOf: rules.visibility,
    now,
    every,
    onError: (err) => {
      log.warn({ err }, 'The catalogue could not be renewed; the last one stays.')
    },
  })
}
