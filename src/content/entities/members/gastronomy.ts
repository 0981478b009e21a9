import { integer, list, number, text } from './values.ts'

const code = { Id: text, Shortname: text, Self: text }

/** Kitchen and seats of a restaurant, a bar or an inn. */
export const gastronomy = {
  MaxSeatingCapacity: integer,
  CategoryCodes: list(code),
  DishRates: list({ ...code, MinAmount: number, MaxAmount: number, CurrencyCode: text }),
  CapacityCeremony: list({ ...code, MaxSeatingCapacity: integer }),
  Facilities: list(code),
}
