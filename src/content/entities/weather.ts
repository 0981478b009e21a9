import { defineEntity } from '../entity.ts'
import { weatherColumns, weatherFilters } from '../filters/lists/further.ts'
import { recordSchema } from './base.ts'
import { numberIdentifier } from './members/meta.ts'
import { daysAhead, mountain, stationReports, today } from './members/weather-report.ts'
import { moment, note, text } from './members/values.ts'

/** The weather bulletin: one record for each issue (reference content.md 7.12). */
export const weather = () =>
  defineEntity({
    name: 'Weather',
    summary: 'Weather bulletins',
    idStyle: 'exact',
    titles: ['EvolutionTitle', 'evolutiontitle'],
    columns: weatherColumns,
    filters: weatherFilters,
    isBareList: true,
    order: [],
    schema: recordSchema('Weather', {
      Id: numberIdentifier,
      Date: note(moment, 'When the bulletin was issued'),
      Language: text,
      EvolutionTitle: text,
      Evolution: note(text, 'How the weather goes on'),
      Conditions: today,
      Forecast: daysAhead,
      Mountain: mountain,
      Stationdata: stationReports,
      date: moment,
      language: text,
      evolutiontitle: text,
      evolution: text,
    }),
  })
