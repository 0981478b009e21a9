import { fieldsOf } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import {
  amount,
  count,
  currency,
  date,
  email,
  listOf,
  localized,
  localizedUri,
  multiPolygon,
  oneOf,
  phone,
  rate,
  rentalUris,
  share,
  text,
  time,
  timezone,
  truth,
  uri,
} from './kinds.ts'
import type { Form, Kind } from './kinds.ts'
import { objectOf, printFields } from './table.ts'
import type { Table, Values } from './table.ts'

/**
 * Fields of GBFS 3.0 that a system's file can feed, with their names in 2.3. Identifiers, positions
 * and references are set by the mapping of stations and vehicles.
 */

export const systemInformation: Table = {
  name: { kind: localized, required: true },
  short_name: { kind: localized },
  operator: { kind: localized },
  opening_hours: { kind: text, required: true, in23: null },
  url: { kind: uri },
  purchase_url: { kind: uri },
  start_date: { kind: date },
  termination_date: { kind: date, in23: null },
  phone_number: { kind: phone },
  email: { kind: email },
  feed_contact_email: { kind: email, required: true },
  timezone: { kind: timezone, required: true },
  attribution_organization_name: { kind: localized, in23: null },
  attribution_url: { kind: uri, in23: null },
  brand_assets: {
    kind: objectOf({
      brand_last_modified: { kind: date, required: true },
      brand_terms_url: { kind: uri },
      brand_image_url: { kind: uri, required: true },
      brand_image_url_dark: { kind: uri },
    }),
  },
  terms_url: { kind: localizedUri },
  terms_last_updated: { kind: date },
  privacy_url: { kind: localizedUri },
  privacy_last_updated: { kind: date },
}

export const vehicleTypes: Table = {
  vehicle_type_id: { kind: text, required: true },
  form_factor: {
    kind: oneOf(
      ...[
        'bicycle',
        'cargo_bicycle',
        'car',
        'moped',
        'scooter_standing',
        'scooter_seated',
        'other',
      ],
    ),
    required: true,
  },
  rider_capacity: { kind: count },
  cargo_volume_capacity: { kind: count },
  cargo_load_capacity: { kind: count },
  propulsion_type: {
    kind: oneOf(
      ...['human', 'electric_assist', 'electric', 'combustion', 'combustion_diesel'],
      ...['hybrid', 'plug_in_hybrid', 'hydrogen_fuel_cell'],
    ),
    required: true,
  },
  max_range_meters: { kind: amount },
  name: { kind: localized },
  g_CO2_km: { kind: count },
  vehicle_image: { kind: uri },
  make: { kind: localized },
  model: { kind: localized },
  color: { kind: text },
  description: { kind: localized, in23: null },
  wheel_count: { kind: count },
  max_permitted_speed: { kind: count },
  rated_power: { kind: count },
  default_reserve_time: { kind: count },
  return_constraint: {
    kind: oneOf('free_floating', 'roundtrip_station', 'any_station', 'hybrid'),
  },
  default_pricing_plan_id: { kind: text },
  pricing_plan_ids: { kind: listOf(text) },
}

export const stationInformation: Table = {
  name: { kind: localized },
  short_name: { kind: localized },
  address: { kind: text },
  cross_street: { kind: text },
  post_code: { kind: text },
  station_opening_hours: { kind: text, in23: null },
  rental_methods: {
    kind: listOf(
      oneOf(
        ...['key', 'creditcard', 'paypass', 'applepay', 'androidpay', 'transitcard'],
        ...['accountnumber', 'phone'],
      ),
    ),
  },
  is_virtual_station: { kind: truth },
  parking_type: {
    kind: oneOf(
      ...['parking_lot', 'street_parking', 'underground_parking', 'sidewalk_parking', 'other'],
    ),
  },
  parking_hoop: { kind: truth },
  contact_phone: { kind: phone },
  capacity: { kind: count },
  is_valet_station: { kind: truth },
  is_charging_station: { kind: truth },
  rental_uris: { kind: rentalUris },
}

export const stationStatus: Table = {
  num_vehicles_available: { kind: count, required: true, in23: 'num_bikes_available' },
  num_vehicles_disabled: { kind: count, in23: 'num_bikes_disabled' },
  num_docks_available: { kind: count },
  num_docks_disabled: { kind: count },
  is_installed: { kind: truth, fallback: true },
  is_renting: { kind: truth, fallback: true },
  is_returning: { kind: truth, fallback: true },
  last_reported: { kind: time },
}

export const vehicleStatus: Table = {
  is_reserved: { kind: truth, fallback: false },
  is_disabled: { kind: truth, fallback: false },
  rental_uris: { kind: rentalUris },
  last_reported: { kind: time },
  current_range_meters: { kind: amount },
  current_fuel_percent: { kind: share },
}

const segment = objectOf({
  start: { kind: count, required: true },
  rate: { kind: rate, required: true },
  interval: { kind: count, required: true },
  end: { kind: count },
})

export const pricingPlans: Table = {
  plan_id: { kind: text, required: true },
  url: { kind: uri },
  name: { kind: localized, required: true },
  currency: { kind: currency, required: true },
  price: { kind: amount, required: true },
  is_taxable: { kind: truth, required: true },
  description: { kind: localized, required: true },
  per_km_pricing: { kind: listOf(segment) },
  per_min_pricing: { kind: listOf(segment) },
  surge_pricing: { kind: truth },
}

/** Rules that apply in a zone, or everywhere else. */
export const zoneRules: Table = {
  vehicle_type_ids: { kind: listOf(text), in23: 'vehicle_type_id' },
  ride_start_allowed: { kind: truth, required: true, in23: null },
  ride_end_allowed: { kind: truth, required: true, in23: null },
  ride_through_allowed: { kind: truth, required: true },
  maximum_speed_kph: { kind: count },
  station_parking: { kind: truth },
}

/** Adds `ride_allowed`, the field of version 2.3 for both the start and the end of a ride. */
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
