import { Type } from 'typebox'
import type { Static } from 'typebox'
import { readYaml } from '../../lang/read-yaml.ts'
import type { Dataset } from '../schemas.ts'
import type { Statements, Value } from './graph.ts'
import { concept } from './vocabularies.ts'

const profile = Type.Object({
  themes: Type.Array(Type.String()),
  modes: Type.Array(Type.String()),
  service: Type.Optional(Type.String()),
  onRoads: Type.Optional(Type.Boolean()),
})

type MobilityProfile = Static<typeof profile>

const stationTypes: ReadonlyMap<string, MobilityProfile | string> = new Map(
  Object.entries(
    readYaml(
      new URL('mobility.yaml', import.meta.url),
      Type.Record(Type.String(), Type.Union([profile, Type.String()])),
    ),
  ),
)

const unknown: MobilityProfile = { themes: ['other'], modes: [] }

const events: MobilityProfile = {
  themes: ['road-events-and-conditions', 'accidents-and-incidents', 'road-work-information'],
  modes: ['car', 'truck'],
  service: 'dynamic-information-service',
  onRoads: true,
}

type Described = Pick<Dataset, 'service' | 'type' | 'dataspace'>

/**
 * Returns the subject of a dataset: its dataspace, unless the table assigns its station type to
 * another domain.
 */
export function domainOf({ service, type, dataspace }: Described): string {
  const known = service === 'timeseries' ? stationTypes.get(type) : undefined
  return typeof known === 'string' ? known : dataspace
}

/** Classifies a dataset for mobilityDCAT-AP. Returns undefined if it is not about mobility. */
function profileOf(dataset: Described): MobilityProfile | undefined {
  if (domainOf(dataset) !== 'mobility') return undefined
  if (dataset.service !== 'timeseries') return events
  const known = stationTypes.get(dataset.type)
  return typeof known === 'object' ? known : unknown
}

/** Returns the statements that mobilityDCAT-AP adds to a dataset. */
export function stateMobility(
  dataset: Described & Pick<Dataset, 'extent'>,
  roadNetwork: readonly string[],
): Statements {
  const found = profileOf(dataset)
  if (found === undefined) return {}
  const { themes, modes, service, onRoads = false } = found
  const all = (vocabulary: string, names: readonly string[]) =>
    names.map((name) => concept(vocabulary, name))
  return inBothNamespaces({
    mobilityTheme: all('mobility-theme', themes),
    transportMode: all('transport-mode', modes),
    networkCoverage: onRoads ? all('network-coverage', roadNetwork) : [],
    georeferencingMethod:
      dataset.extent === null ? [] : all('georeferencing-method', ['geocoordinates']),
    intendedInformationService:
      service === undefined ? [] : all('intended-information-service', [service]),
  })
}

/** Returns the statements that mobilityDCAT-AP adds to a distribution. */
export function stateMobilityAccess(dataset: Described, standard = 'other'): Statements {
  if (profileOf(dataset) === undefined) return {}
  return inBothNamespaces({
    mobilityDataStandard: [concept('mobility-data-standard', standard)],
    applicationLayerProtocol: [concept('application-layer-protocol', 'http-https')],
    communicationMethod: [concept('communication-method', 'pull')],
  })
}

export const isMobility = (dataset: Described): boolean => profileOf(dataset) !== undefined

function inBothNamespaces(stated: Readonly<Record<string, readonly Value[]>>): Statements {
  return Object.fromEntries(
    Object.entries(stated).flatMap(([name, values]) => [
      [`mobilitydcatap:${name}`, values],
      [`mobilitydcataps:${name}`, values],
    ]),
  )
}
