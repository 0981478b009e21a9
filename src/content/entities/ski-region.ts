import { defineEntity } from '../entity.ts'
import type { Naming } from '../naming.ts'
import { tourismSchema } from './base.ts'
import { positionsByType } from './members/gps.ts'
import { regionMembers } from './members/region.ts'

/** Groups of ski areas (interface 2.3); `skr` in area filters. */
export const skiRegion = (naming: Naming) =>
  defineEntity({
    name: 'SkiRegion',
    summary: 'Groups of ski areas',
    idStyle: 'upper',
    titles: ['Detail.*.Title'],
    isBareList: true,
    schema: tourismSchema(naming, 'SkiRegion', { ...regionMembers, GpsPoints: positionsByType }),
  })
