import { defineEntity } from '../entity.ts'
import { searchableColumns, searchableFilters } from '../filters/lists/further.ts'
import type { Naming } from '../naming.ts'
import { tourismSchema } from './base.ts'
import { link } from './members/links.ts'
import { geo, regionMembers } from './members/region.ts'
import { integer, note, text } from './members/values.ts'

/** Municipalities (interface 2.3); `mun` in location filters. */
export const municipality = (naming: Naming) =>
  defineEntity({
    name: 'Municipality',
    summary: 'Municipalities',
    idStyle: 'upper',
    titles: ['Detail.*.Title'],
    columns: searchableColumns,
    filters: searchableFilters,
    isBareList: true,
    schema: tourismSchema(naming, 'Municipality', {
      ...regionMembers,
      Geo: geo,
      Plz: note(text, 'Postal code'),
      IstatNumber: note(text, 'Number at the statistical office'),
      SiagId: note(text, 'Number at the weather service'),
      Inhabitants: integer,
      RegionId: text,
      TourismvereinId: note(text, 'Tourism association'),
      Region: link,
      Tourismassociation: link,
    }),
  })
