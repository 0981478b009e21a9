import { deprecated, integer, list, number, text } from './values.ts'

const code = { Id: text, Shortname: text, Self: text }

/** Kitchen and seats of a restaurant, a bar or an inn. */
export const gastronomy = {
  MaxSeatingCapacity: integer,
  CategoryCodes: list(code),
  DishRates: list({ ...code, MinAmount: number, MaxAmount: number, CurrencyCode: text }),
  CapacityCeremony: list({ ...code, MaxSeatingCapacity: integer }),
  Facilities: list(code),
}

const instead = 'Use AdditionalProperties.GastronomyLtsDataProperties'

/** The same members where they stood before (interface 9.4). */
export const gastronomyOfOld = {
  MaxSeatingCapacity: deprecated(gastronomy.MaxSeatingCapacity, instead),
  CategoryCodes: deprecated(gastronomy.CategoryCodes, instead),
  DishRates: deprecated(gastronomy.DishRates, instead),
  CapacityCeremony: deprecated(gastronomy.CapacityCeremony, instead),
  Facilities: deprecated(gastronomy.Facilities, instead),
}
