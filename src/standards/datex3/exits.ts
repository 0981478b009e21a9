import type { Exit, Offer } from '../keep-exit.ts'
import { energyExits } from './energy.ts'
import { parkingExits } from './parking.ts'
import { root } from './publish.ts'
import type { Region } from './publish.ts'

/** Stations as publications of DATEX II v3. */
export function datex3Exits(region: Region): readonly Exit[] {
  const exits = [...energyExits(region), ...parkingExits(region)]
  return exits.map((exit) => ({ ...exit, offers: offersOf(exit) }))
}

/** Every provider has an address of its own; the list of them stands below the root. */
function offersOf({ concerned }: Exit): readonly Offer[] {
  return concerned.types.flatMap((type) =>
    ['application/xml', 'application/json'].map((mediaType) => ({
      dataset: `timeseries/${type}`,
      name: 'DATEX II',
      version: '3.7',
      path: `${root}/`,
      mediaType,
    })),
  )
}
