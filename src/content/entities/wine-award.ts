import { defineEntity } from '../entity.ts'
import { wineAwardColumns, wineAwardFilters } from '../filters/lists/further.ts'
import type { Naming } from '../naming.ts'
import { tourismSchema } from './base.ts'
import { detail } from './members/detail.ts'
import { link } from './members/links.ts'
import { images } from './members/media.ts'
import { integer, note, text, texts } from './members/values.ts'

/** Wines and the awards that they won. */
export const wineAward = (naming: Naming) =>
  defineEntity({
    name: 'WineAward',
    summary: 'Wines and the awards that they won',
    idStyle: 'lower',
    titles: ['Detail.*.Title'],
    columns: wineAwardColumns,
    filters: wineAwardFilters,
    isBareList: true,
    schema: tourismSchema(naming, 'WineAward', {
      Detail: detail,
      Vintage: note(integer, 'Year of the harvest'),
      Awardyear: integer,
      Awards: texts,
      CustomId: note(text, 'Identifier of the wine'),
      CompanyId: note(text, 'Point of interest of the wine company'),
      Company: link,
      ImageGallery: images,
    }),
  })
