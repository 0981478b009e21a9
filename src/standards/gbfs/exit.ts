import type { Exit, Offer } from '../keep-exit.ts'
import { dataTypesIn } from '../source.ts'
import { discoveryPath, printFiles } from './documents.ts'
import { fixedFiles, movingFiles } from './files.ts'
import { earliest, versions } from './kinds.ts'
import type { System } from './load-systems.ts'
import { lastingIn } from './vehicles.ts'

type Deps = Parameters<typeof fixedFiles>[1] & {
  /** Nobody who reads the files knows it: identifiers of vehicles are made from it. */
  readonly secret: string
}

/** A sharing system in the form of GBFS. */
export function gbfsExit(system: System, deps: Deps): Exit {
  const { definition } = system
  const { system_id: id, stations, vehicles, vehicle_types: types } = definition
  const { publicUrl, secret } = deps
  // A file of an archive may have a time of long ago.
  const stated = system.stated > earliest ? system.stated : earliest
  const parts = [stations, vehicles].filter((part) => part !== undefined)
  const sources = [
    ...parts.flatMap(({ fields }) => Object.values(fields)),
    ...types.flatMap(({ available }) => available ?? []),
  ]
  const fixed = fixedFiles({ definition, stated }, deps)
  return {
    name: `gbfs/${id}`,
    concerned: {
      types: [...new Set(parts.map(({ type }) => type))],
      dataTypes: [...new Set(sources.flatMap(dataTypesIn))],
      lasting: vehicles === undefined ? [] : lastingIn(vehicles),
    },
    offers: parts.flatMap(({ type }) => offersOf(id, type)),
    *build(current, moment) {
      const { files, ...counts } = yield* movingFiles({ definition, stated }, current, secret)
      const whole = { definition, publicUrl, stated }
      return { ...counts, documents: yield* printFiles(whole, [...fixed, ...files], moment) }
    },
  }
}

function offersOf(system: string, type: string): readonly Offer[] {
  return versions.map((version) => ({
    dataset: `timeseries/${type}`,
    name: 'GBFS',
    version,
    path: discoveryPath(system, version),
    mediaType: 'application/json',
  }))
}
