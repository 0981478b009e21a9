import type { CatalogueMessages } from '../en/catalogue.ts'
import { wordsOf } from '../intl.ts'

const { plural, number } = wordsOf('de')

export const catalogue: CatalogueMessages = {
  title: 'Katalog',
  lead: (datasets, records, stations, events) =>
    `${number(datasets)} offene Datensätze der Region: ${number(records)} Einträge, ${number(stations)} Messstationen, ${number(events)} Verkehrsmeldungen. Ohne Konto.`,
  search: 'Datensätze, Einträge und Stationen durchsuchen',
  searchExample: 'Parken, Hotels, NO2 …',
  found: (found, all) =>
    found === all
      ? plural(all, { one: '# Datensatz', other: '# Datensätze' })
      : `${number(found)} von ${plural(all, { one: '# Datensatz', other: '# Datensätzen' })}`,
  results: 'Datensätze',
  sort: 'Reihenfolge',
  sorts: {
    fitting: 'Passendstes zuerst',
    title: 'Titel',
    changed: 'Neueste Änderung',
    count: 'Meiste Einträge',
  },
  filters: 'Filter',
  showFilters: (chosen) => (chosen === 0 ? 'Filter' : `Filter (${number(chosen)})`),
  clear: 'Suche und Filter entfernen',
  more: (hidden) => `${number(hidden)} weitere`,
  fewer: 'Weniger',
  facets: {
    service: 'Dienst',
    topic: 'Thema',
    changed: 'Letzte Änderung',
    access: 'Zugang',
    licence: 'Lizenz',
    source: 'Quelle',
    tag: 'Schlagwort',
  },
  services: { content: 'Inhalte', timeseries: 'Zeitreihen', traffic: 'Verkehr' },
  serviceLines: {
    content: 'Einträge in mehreren Sprachen: Orte, Veranstaltungen, Häuser, Wetterberichte.',
    timeseries: 'Stationen und was sie messen, jetzt und früher.',
    traffic: 'Was auf den Straßen geschieht, so wie es gemeldet wird.',
  },
  topics: { tourism: 'Tourismus', mobility: 'Mobilität', weather: 'Wetter', other: 'Alles andere' },
  accesses: { open: 'Offen', partly: 'Teilweise offen', closed: 'Mit Anmeldung' },
  changes: {
    hour: 'Seit einer Stunde',
    day: 'Seit einem Tag',
    week: 'Seit einer Woche',
    older: 'Länger her',
    unknown: 'Nicht bekannt',
  },
  notStated: 'Nicht angegeben',
  counts: {
    content: (count) => plural(count, { one: '# Eintrag', other: '# Einträge' }),
    timeseries: (count) => plural(count, { one: '# Station', other: '# Stationen' }),
    traffic: (count) => plural(count, { one: '# Meldung', other: '# Meldungen' }),
  },
  countHidden: 'Nach Anmeldung',
  card: {
    size: 'Umfang',
    changed: 'Geändert',
    measured: 'Letzter Wert',
    neverMeasured: 'Noch keine Werte',
    licence: 'Lizenz',
    access: 'Zugang',
    formats: 'Formate',
    state: 'Zustand',
    measures: 'Misst',
    request: 'Anfrage',
    requestOf: (title) => `Anfrage für ${title}`,
  },
  states: { fresh: 'aktuell', late: 'verspätet', stale: 'veraltet', silent: 'stumm' },
  seriesFresh: (fresh, all) => `${number(fresh)} von ${number(all)} Reihen aktuell`,
  close: 'Meinten Sie',
  inData: {
    title: 'In den Daten',
    records: (total) => `Einträge (${number(total)})`,
    stations: 'Stationen',
  },
  nothing: {
    title: 'Kein Datensatz passt',
    body: (text) =>
      text === ''
        ? 'Kein Datensatz hat alles, was Sie gewählt haben. Entfernen Sie einen Filter.'
        : `Kein Titel und keine Beschreibung enthält „${text}“. Versuchen Sie ein kürzeres oder anderes Wort, oder entfernen Sie einen Filter.`,
  },
  none: {
    title: 'Der Hub ist leer',
    body: 'Es sind noch keine Daten angekommen, oder alle brauchen eine Anmeldung.',
  },
}
