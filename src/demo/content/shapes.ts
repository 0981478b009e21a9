import { regionKeys, regionNames } from '../geography/places.ts'
import type { Shape } from '../geography/geography.ts'
import { at } from '../random.ts'
import { isoOf } from '../setting.ts'
import type { Setting } from '../setting.ts'
import type { Collection } from './collection.ts'
import { istatNumber } from './regions.ts'

type Outline = {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly shape: Shape
}

/** Outlines of the province, of its regions and of its municipalities, which tile it. */
export function geoShapes(setting: Setting): Collection {
  const outlines = outlinesOf(setting)
  return {
    entity: 'GeoShape',
    count: outlines.length,
    item: (index) => {
      const { id, name, type, shape } = at(outlines, index)
      return {
        Id: id,
        Name: name,
        Type: type,
        Country: 'IT',
        Source: 'cadastre',
        Shortname: name,
        LicenseInfo: {
          License: 'CC0',
          Author: '',
          LicenseHolder: 'https://cadastre.example',
          ClosedData: false,
        },
        LastChange: isoOf(setting.until),
        Mapping: { cadastre: { id } },
        Srid: 'EPSG:4326',
        Geometry: shape,
      }
    },
  }
}

function outlinesOf({ geography }: Setting): readonly Outline[] {
  const province = { id: '21_demo', name: 'Südtirol/Alto Adige', type: 'province' }
  return [
    { ...province, shape: geography.outline },
    ...regionKeys.flatMap((key) => {
      const shape = geography.regionShapes.get(key)
      const { de, it } = regionNames[key]
      return shape ? [{ id: `${key}_demo`, name: `${de}/${it}`, type: 'region', shape }] : []
    }),
    ...geography.municipalities.map(({ place: { de, it }, index, shape }) => ({
      ...{ id: `${istatNumber(index)}_demo`, type: 'municipality', shape },
      name: de === it ? de : `${de}/${it}`,
    })),
  ]
}
