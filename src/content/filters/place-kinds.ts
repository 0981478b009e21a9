/** A kind of place: how it is called in `locfilter` and `/v1/Location`, and where its records are. */
export type PlaceKind = {
  readonly prefix: string
  /** Name of the entity. */
  readonly entity: string
}

/** Kinds that other records lie in, in the order of `/v1/Location` (interface 4.5, reference content.md 6.7). */
export const placeKinds = [
  { prefix: 'mta', entity: 'MetaRegion' },
  { prefix: 'reg', entity: 'Region' },
  { prefix: 'tvs', entity: 'TourismAssociation' },
  { prefix: 'mun', entity: 'Municipality' },
  { prefix: 'fra', entity: 'District' },
] as const satisfies readonly PlaceKind[]

/** Ski areas have a list of their own, and filter areas only. */
export const skiAreaKind: PlaceKind = { prefix: 'ska', entity: 'SkiArea' }
