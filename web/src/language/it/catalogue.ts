import type { CatalogueMessages } from '../en/catalogue.ts'
import { wordsOf } from '../intl.ts'

const { plural, number } = wordsOf('it')

export const catalogue: CatalogueMessages = {
  title: 'Catalogo',
  lead: (datasets, records, stations, events) =>
    `${number(datasets)} dataset aperti della regione: ${number(records)} schede, ${number(stations)} stazioni di misura, ${number(events)} segnalazioni sul traffico. Senza account.`,
  search: 'Cerca tra dataset, schede e stazioni',
  searchExample: 'parcheggi, hotel, NO2 …',
  found: (found, all) =>
    found === all ? `${number(all)} dataset` : `${number(found)} di ${number(all)} dataset`,
  results: 'Dataset',
  sort: 'Ordine',
  sorts: {
    fitting: 'Prima i più pertinenti',
    title: 'Titolo',
    changed: 'Ultima modifica',
    count: 'Più numerosi',
  },
  filters: 'Filtri',
  showFilters: (chosen) => (chosen === 0 ? 'Filtri' : `Filtri (${number(chosen)})`),
  clear: 'Togli ricerca e filtri',
  more: (hidden) => (hidden === 1 ? 'Un altro' : `Altri ${number(hidden)}`),
  fewer: 'Meno',
  facets: {
    service: 'Servizio',
    topic: 'Tema',
    changed: 'Ultima modifica',
    access: 'Accesso',
    licence: 'Licenza',
    source: 'Fonte',
    tag: 'Etichetta',
  },
  services: { content: 'Contenuti', timeseries: 'Serie temporali', traffic: 'Traffico' },
  serviceLines: {
    content: 'Schede in più lingue: luoghi, eventi, alloggi, bollettini meteo.',
    timeseries: 'Stazioni e ciò che misurano, adesso e in passato.',
    traffic: 'Che cosa succede sulle strade, così come viene segnalato.',
  },
  topics: { tourism: 'Turismo', mobility: 'Mobilità', weather: 'Meteo', other: 'Tutto il resto' },
  accesses: { open: 'Aperto', partly: 'Aperto in parte', closed: 'Con accesso' },
  changes: {
    hour: 'Nell’ultima ora',
    day: 'Nell’ultimo giorno',
    week: 'Nell’ultima settimana',
    older: 'Meno recente',
    unknown: 'Non nota',
  },
  notStated: 'Non indicata',
  counts: {
    content: (count) => plural(count, { one: '# scheda', other: '# schede' }),
    timeseries: (count) => plural(count, { one: '# stazione', other: '# stazioni' }),
    traffic: (count) => plural(count, { one: '# segnalazione', other: '# segnalazioni' }),
  },
  countHidden: 'Dopo l’accesso',
  card: {
    size: 'Quantità',
    changed: 'Modificato',
    measured: 'Ultimo valore',
    neverMeasured: 'Ancora nessun valore',
    licence: 'Licenza',
    access: 'Accesso',
    formats: 'Formati',
    state: 'Stato',
    measures: 'Misura',
    request: 'Richiesta',
    requestOf: (title) => `Richiesta per ${title}`,
  },
  states: { fresh: 'aggiornato', late: 'in ritardo', stale: 'vecchio', silent: 'muto' },
  seriesFresh: (fresh, all) => `${number(fresh)} serie su ${number(all)} aggiornate`,
  close: 'Forse cercava',
  inData: {
    title: 'Nei dati',
    records: (total) => `Schede (${number(total)})`,
    stations: 'Stazioni',
  },
  nothing: {
    title: 'Nessun dataset corrisponde',
    body: (text) =>
      text === ''
        ? 'Nessun dataset ha tutto ciò che ha scelto. Tolga un filtro.'
        : `Nessun titolo e nessuna descrizione contiene «${text}». Provi una parola più breve o diversa, oppure tolga un filtro.`,
  },
  none: {
    title: 'L’hub è vuoto',
    body: 'Non è ancora arrivato nessun dato, oppure tutti richiedono l’accesso.',
  },
}
