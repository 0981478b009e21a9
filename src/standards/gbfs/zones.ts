import { fieldsOf } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import { count, listOf, localized, multiPolygon, text, time, truth } from './kinds.ts'
import type { Form, Kind } from './kinds.ts'
import { objectOf, printFields } from './table.ts'
import type { Table, Values } from './table.ts'

/** What holds in a zone, or everywhere else. */
export const zoneRules: Table = {
  vehicle_type_ids: { kind: listOf(text), in23: 'vehicle_type_id' },
  ride_start_allowed: { kind: truth, required: true, in23: null },
  ride_end_allowed: { kind: truth, required: true, in23: null },
  ride_through_allowed: { kind: truth, required: true },
  maximum_speed_kph: { kind: count },
  station_parking: { kind: truth },
}

/** Version 2.3 has one field for the start and the end of a ride. */
function withRideAllowed(kind: Kind): Kind {
  return {
    ...kind,
    read: (given, languages) => {
      const read = kind.read(given, languages)
      if (read === undefined) return undefined
      return (form) => {
        if (form.version === '3.0') return read(form)
        const { ride_start_allowed: start, ride_end_allowed: end } = fieldsOf(
          read({ ...form, version: '3.0' }),
        )
        return { ...fieldsOf(read(form)), ride_allowed: start === true && end === true }
      }
    },
  }
}

const properties: Table = {
  name: { kind: localized },
  start: { kind: time },
  end: { kind: time },
  rules: { kind: listOf(withRideAllowed(objectOf(zoneRules))) },
}

export const zones: Table = { ...properties, geometry: { kind: multiPolygon, required: true } }

export function printZone(zone: Values, form: Form): Members {
  return {
    type: 'Feature',
    geometry: zone['geometry']?.(form),
    properties: printFields(properties, zone, form),
  }
}
