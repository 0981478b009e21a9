import { defineEntity } from '../entity.ts'
import { searchableColumns, searchableFilters } from '../filters/lists/further.ts'
import type { Naming } from '../naming.ts'
import { tourismSchema } from './base.ts'
import { link } from './members/links.ts'
import { regionMembers } from './members/region.ts'
import { flag, note, text } from './members/values.ts'

/** Parts of municipalities (interface 2.3); `fra` in location filters. */
export const district = (naming: Naming) =>
  defineEntity({
    name: 'District',
    summary: 'Parts of municipalities',
    idStyle: 'upper',
    titles: ['Detail.*.Title'],
    columns: searchableColumns,
    filters: searchableFilters,
    isBareList: true,
    schema: tourismSchema(naming, 'District', {
      ...regionMembers,
      IsComune: note(flag, 'Whether it is the seat of the municipality'),
      SiagId: note(text, 'Number at the weather service'),
      MunicipalityId: text,
      TourismvereinId: note(text, 'Tourism association'),
      RegionId: text,
      Municipality: link,
      Tourismassociation: link,
      Region: link,
    }),
  })
