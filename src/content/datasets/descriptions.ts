import type { Naming } from '../naming.ts'
import type { Description } from './description.ts'
import { furtherDescriptions } from './descriptions-further.ts'
import { tourismDescriptions } from './descriptions-tourism.ts'
import type { MobilityDataset } from './mobility.ts'

/** The description of a content entity; the activities bear the name of the deployment. */
export function describeEntity(naming: Naming, name: string): Description | undefined {
  const key = name === naming.activityPoi ? 'ActivityPoi' : name
  return tourismDescriptions[key] ?? furtherDescriptions[key]
}

/** The description of a dataset of the time series service: nothing more is known than its name. */
export function describeMobility({ kind, name }: MobilityDataset): Description {
  const dataspace = 'mobility'
  switch (kind) {
    case 'node':
      return {
        dataspace,
        title: name,
        en: `Stations of the type ${name}, their latest values and history.`,
        de: `Stationen vom Typ ${name}, ihre letzten Werte und deren Verlauf.`,
        it: `Stazioni di tipo ${name}, gli ultimi valori e lo storico.`,
      }
    case 'edge':
      return {
        dataspace,
        title: `${name}: connections`,
        en: `Connections between stations, of the type ${name}.`,
        de: `Verbindungen zwischen Stationen, vom Typ ${name}.`,
        it: `Collegamenti tra stazioni, di tipo ${name}.`,
      }
    case 'event':
      return {
        dataspace,
        title: `${name}: events`,
        en: `Events in the mobility network, from ${name}; also as a DATEX II feed.`,
        de: `Ereignisse im Verkehrsnetz, von ${name}; auch als DATEX-II-Dienst.`,
        it: `Eventi nella rete di mobilità, da ${name}; anche come feed DATEX II.`,
      }
  }
}
