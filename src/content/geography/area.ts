/** Longitude first, or first axis of the coordinate system. */
export type Position = readonly [x: number, y: number]

export type Geometry =
  | { readonly kind: 'Point'; readonly at: Position }
  | { readonly kind: 'LineString' | 'MultiPoint'; readonly positions: readonly Position[] }
  | {
      readonly kind: 'Polygon' | 'MultiLineString'
      readonly lines: readonly (readonly Position[])[]
    }
  | {
      readonly kind: 'MultiPolygon'
      readonly polygons: readonly (readonly (readonly Position[])[])[]
    }
  | { readonly kind: 'GeometryCollection'; readonly of: readonly Geometry[] }

/** How records and the area must lie to each other. */
export type Relation = 'intersects' | 'covers'

/** A `polygon` that was understood: drawn by the caller, or one of /v1/GeoShapes. */
export type Area =
  | {
      readonly kind: 'drawn'
      readonly geometry: Geometry
      readonly relation: Relation
      readonly srid: number
    }
  | { readonly kind: 'shape'; readonly id: string }
  | {
      readonly kind: 'shape of country'
      readonly id: string
      readonly country: string
      readonly type: string
      readonly name: string
    }
