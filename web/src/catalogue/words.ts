import { counted, formatNumber, inLanguage, naming, plural } from '../language/index.ts'

export const words = inLanguage({
  title: ['Katalog', 'Catalogo', 'Catalogue'],
  lead: (datasets: number, records: number, stations: number, events: number) => [
    `${plural(datasets, { one: '# offener Datensatz', other: '# offene Datensätze' })} der Region: ${plural(records, { one: '# Eintrag', other: '# Einträge' })}, ${plural(stations, { one: '# Messstation', other: '# Messstationen' })}, ${plural(events, { one: '# Verkehrsereignis', other: '# Verkehrsereignisse' })}. Ohne Konto.`,
    `${plural(datasets, { one: '# dataset aperto', other: '# dataset aperti' })} della regione: ${plural(records, { one: '# scheda', other: '# schede' })}, ${plural(stations, { one: '# stazione', other: '# stazioni' })} di misura, ${plural(events, { one: '# evento', other: '# eventi' })} sul traffico. Senza account.`,
    `${plural(datasets, { one: '# open dataset', other: '# open datasets' })} of the region: ${plural(records, { one: '# record', other: '# records' })}, ${plural(stations, { one: '# measuring station', other: '# measuring stations' })}, ${plural(events, { one: '# traffic event', other: '# traffic events' })}. No account needed.`,
  ],
  search: [
    'Datensätze, Einträge und Stationen durchsuchen',
    'Cerca tra dataset, schede e stazioni',
    'Search datasets, records and stations',
  ],
  searchExample: ['Parken, Hotels, NO2 …', 'parcheggi, hotel, NO2 …', 'parking, hotels, NO2 …'],
  found: (found: number, all: number) =>
    found === all
      ? [
          plural(all, { one: '# Datensatz', other: '# Datensätze' }),
          `${formatNumber(all)} dataset`,
          plural(all, { one: '# dataset', other: '# datasets' }),
        ]
      : [
          `${formatNumber(found)} von ${plural(all, { one: '# Datensatz', other: '# Datensätzen' })}`,
          `${formatNumber(found)} di ${formatNumber(all)} dataset`,
          `${formatNumber(found)} of ${plural(all, { one: '# dataset', other: '# datasets' })}`,
        ],
  results: ['Datensätze', 'Dataset', 'Datasets'],
  sort: ['Reihenfolge', 'Ordine', 'Order'],
  sorts: {
    fitting: ['Passendstes zuerst', 'Prima i più pertinenti', 'Best match first'],
    title: ['Titel', 'Titolo', 'Title'],
    changed: ['Neueste Änderung', 'Ultima modifica', 'Newest change'],
    count: ['Meiste Einträge', 'Più numerosi', 'Most records'],
  },
  filters: ['Filter', 'Filtri', 'Filters'],
  showFilters: (chosen: number) =>
    chosen === 0
      ? ['Filter', 'Filtri', 'Filters']
      : [
          `Filter (${formatNumber(chosen)})`,
          `Filtri (${formatNumber(chosen)})`,
          `Filters (${formatNumber(chosen)})`,
        ],
  clear: ['Suche und Filter entfernen', 'Rimuovi ricerca e filtri', 'Clear search and filters'],
  more: (hidden: number) => [
    `${formatNumber(hidden)} weitere`,
    hidden === 1 ? 'Un altro' : `Altri ${formatNumber(hidden)}`,
    `${formatNumber(hidden)} more`,
  ],
  fewer: ['Weniger', 'Meno', 'Fewer'],
  facets: {
    service: ['Dienst', 'Servizio', 'Service'],
    topic: ['Thema', 'Tema', 'Topic'],
    changed: ['Letzte Änderung', 'Ultima modifica', 'Last change'],
    access: ['Zugang', 'Accesso', 'Access'],
    licence: ['Lizenz', 'Licenza', 'Licence'],
    source: ['Quelle', 'Fonte', 'Source'],
    tag: ['Schlagwort', 'Etichetta', 'Tag'],
  },
  services: {
    content: ['Inhalte', 'Contenuti', 'Content'],
    timeseries: ['Zeitreihen', 'Serie temporali', 'Time series'],
    traffic: ['Verkehr', 'Traffico', 'Traffic'],
  },
  serviceLines: {
    content: [
      'Einträge in mehreren Sprachen: Orte, Veranstaltungen, Häuser, Wetterberichte.',
      'Schede in più lingue: luoghi, eventi, alloggi, bollettini meteo.',
      'Records in several languages: places, events, lodging, weather reports.',
    ],
    timeseries: [
      'Stationen und was sie messen, jetzt und früher.',
      'Stazioni e ciò che misurano, adesso e in passato.',
      'Stations and their measurements, current and past.',
    ],
    traffic: [
      'Was auf den Straßen geschieht, so wie es gemeldet wird.',
      'Che cosa succede sulle strade, così come viene segnalato.',
      'Reported events on the roads.',
    ],
  },
  topics: {
    tourism: ['Tourismus', 'Turismo', 'Tourism'],
    mobility: ['Mobilität', 'Mobilità', 'Mobility'],
    weather: ['Wetter', 'Meteo', 'Weather'],
    other: ['Alles andere', 'Tutto il resto', 'Everything else'],
  },
  accesses: {
    open: ['Offen', 'Aperto', 'Open'],
    partly: ['Teilweise offen', 'Aperto in parte', 'Partly open'],
    closed: ['Mit Anmeldung', 'Con accesso', 'Login required'],
  },
  changes: {
    hour: ['In der letzten Stunde', 'Nell’ultima ora', 'Within an hour'],
    day: ['Am letzten Tag', 'Nell’ultimo giorno', 'Within a day'],
    week: ['In der letzten Woche', 'Nell’ultima settimana', 'Within a week'],
    older: ['Länger her', 'Meno recente', 'Longer ago'],
    unknown: ['Nicht bekannt', 'Non nota', 'Unknown'],
  },
  notStated: ['Nicht angegeben', 'Non indicata', 'Not stated'],
  counts: {
    content: counted(
      ['# Eintrag', '# scheda', '# record'],
      ['# Einträge', '# schede', '# records'],
    ),
    timeseries: counted(
      ['# Station', '# stazione', '# station'],
      ['# Stationen', '# stazioni', '# stations'],
    ),
    traffic: counted(
      ['# Ereignis', '# evento', '# event'],
      ['# Ereignisse', '# eventi', '# events'],
    ),
  },
  countHidden: ['Nach Anmeldung', 'Dopo l’accesso', 'Shown after login'],
  card: {
    size: ['Umfang', 'Quantità', 'Size'],
    changed: ['Geändert', 'Modificato', 'Changed'],
    measured: ['Letzter Wert', 'Ultimo valore', 'Last value'],
    neverMeasured: ['Noch keine Werte', 'Ancora nessun valore', 'No values yet'],
    licence: ['Lizenz', 'Licenza', 'Licence'],
    access: ['Zugang', 'Accesso', 'Access'],
    formats: ['Formate', 'Formati', 'Formats'],
    state: ['Zustand', 'Stato', 'State'],
    measures: ['Misst', 'Misura', 'Measures'],
    request: ['Anfrage', 'Richiesta', 'Request'],
    requestOf: naming(['Anfrage für #', 'Richiesta per #', 'Request for #']),
  },
  states: {
    fresh: ['aktuell', 'aggiornato', 'fresh'],
    late: ['verspätet', 'in ritardo', 'late'],
    stale: ['veraltet', 'vecchio', 'stale'],
    silent: ['verstummt', 'muto', 'silent'],
  },
  seriesFresh: (fresh: number, all: number) => [
    `${formatNumber(fresh)} von ${formatNumber(all)} Reihen aktuell`,
    `${formatNumber(fresh)} serie su ${formatNumber(all)} aggiornate`,
    `${formatNumber(fresh)} of ${formatNumber(all)} series fresh`,
  ],
  close: ['Meinten Sie', 'Forse cercava', 'Did you mean'],
  inData: {
    title: ['In den Daten', 'Nei dati', 'In the data'],
    records: counted(['Einträge (#)', 'Schede (#)', 'Records (#)']),
    stations: ['Stationen', 'Stazioni', 'Stations'],
  },
  nothing: {
    title: ['Kein Datensatz passt', 'Nessun dataset corrisponde', 'No dataset matches'],
    body: (text: string) =>
      text === ''
        ? [
            'Kein Datensatz hat alles, was Sie gewählt haben. Entfernen Sie einen Filter.',
            'Nessun dataset ha tutto ciò che ha scelto. Rimuova un filtro.',
            'No dataset matches all filters. Remove a filter.',
          ]
        : [
            `Kein Titel und keine Beschreibung enthält „${text}“. Versuchen Sie ein kürzeres oder anderes Wort, oder entfernen Sie einen Filter.`,
            `Nessun titolo e nessuna descrizione contiene «${text}». Provi una parola più breve o diversa, oppure rimuova un filtro.`,
            `No title or description contains “${text}”. Try a shorter or different word, or remove a filter.`,
          ],
  },
  none: {
    title: ['Der Hub ist leer', 'L’hub è vuoto', 'The hub is empty'],
    body: [
      'Es sind noch keine Daten angekommen, oder alle brauchen eine Anmeldung.',
      'Non è ancora arrivato nessun dato, oppure tutti richiedono l’accesso.',
      'No data has arrived yet, or all of it needs a login.',
    ],
  },
})
