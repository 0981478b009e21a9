import { defineEntity } from '../entity.ts'
import type { Naming } from '../naming.ts'
import { tourismSchema } from './base.ts'
import { themedDetail } from './members/detail.ts'
import { links } from './members/links.ts'
import { geo, regionMembers } from './members/region.ts'
import { texts } from './members/values.ts'

/** Tourism regions (interface 2.3). */
export const region = (naming: Naming) =>
  defineEntity({
    name: 'Region',
    summary: 'Tourism regions',
    idStyle: 'upper',
    titles: ['Detail.*.Title'],
    isBareList: true,
    schema: tourismSchema(naming, 'Region', {
      ...regionMembers,
      DetailThemed: themedDetail,
      Geo: geo,
      SkiareaIds: texts,
      SkiAreas: links,
    }),
  })
