import { counted, formatNumber, inLanguage, plural } from '../language/index.ts'

type Changes = { readonly added: number; readonly changed: number; readonly ended: number }

export const words = inLanguage({
  title: ['Verkehr', 'Traffico', 'Traffic'],
  lead: [
    'Was auf den Straßen der Region los ist: jetzt, bald und davor.',
    'Che cosa succede sulle strade della regione: adesso, tra poco e prima.',
    'Events on the roads of the region: current, upcoming and past.',
  ],
  filters: ['Filter', 'Filtri', 'Filters'],
  search: ['Text', 'Testo', 'Text'],
  searchHint: [
    'Ort, Straße oder ein Wort der Meldung',
    'Luogo, strada o una parola del messaggio',
    'Place, road or a word of the message',
  ],
  kind: ['Art', 'Tipo', 'Kind'],
  kindHint: ['Sperre, Unfall …', 'Chiusura, incidente …', 'Closure, accident …'],
  severity: ['Schwere', 'Gravità', 'Severity'],
  road: ['Straße', 'Strada', 'Road'],
  provider: ['Anbieter', 'Fornitore', 'Provider'],
  any: ['Alle', 'Tutti', 'All'],
  state: ['Zustand', 'Stato', 'State'],
  states: {
    '': ['Alle', 'Tutti', 'All'],
    active: ['Jetzt', 'Adesso', 'Now'],
    coming: ['Kommend', 'In arrivo', 'Coming'],
    past: ['Vorbei', 'Passati', 'Past'],
  },
  stateTags: {
    active: ['Jetzt', 'Adesso', 'Now'],
    coming: ['Kommend', 'In arrivo', 'Coming'],
    past: ['Vorbei', 'Finito', 'Over'],
    cancelled: ['Abgesagt', 'Annullato', 'Cancelled'],
  },
  severities: {
    highest: ['Sehr hoch', 'Molto alta', 'Very high'],
    high: ['Hoch', 'Alta', 'High'],
    medium: ['Mittel', 'Media', 'Medium'],
    low: ['Gering', 'Bassa', 'Low'],
    lowest: ['Sehr gering', 'Molto bassa', 'Very low'],
    none: ['Keine', 'Nessuna', 'None'],
    unknown: ['Nicht angegeben', 'Non indicata', 'Not stated'],
  },
  clear: ['Filter zurücksetzen', 'Togli i filtri', 'Clear the filters'],
  zoom: ['Zeitraum', 'Periodo', 'Span of time'],
  zooms: {
    day: ['Tag', 'Giorno', 'Day'],
    week: ['Woche', 'Settimana', 'Week'],
    month: ['Monat', 'Mese', 'Month'],
  },
  before: ['Früher', 'Prima', 'Earlier'],
  after: ['Später', 'Dopo', 'Later'],
  today: ['Heute', 'Oggi', 'Today'],
  from: ['Ab', 'Dal', 'From'],
  span: (from: string, to: string) => `${from} – ${to}`,
  timeline: ['Zeitleiste', 'Linea del tempo', 'Timeline'],
  timelineHelp: [
    'Pfeiltasten gehen von Ereignis zu Ereignis, Enter öffnet eines, + und − ändern den Zeitraum, Bild auf und Bild ab die Zeit.',
    'Le frecce passano da un evento all’altro, Invio ne apre uno, + e − cambiano il periodo, Pag su e Pag giù il tempo.',
    'Arrow keys go from event to event, Enter opens one, + and − change the span, Page up and Page down the time.',
  ],
  now: ['jetzt', 'adesso', 'now'],
  map: ['Karte', 'Mappa', 'Map'],
  list: ['Liste', 'Elenco', 'List'],
  shown: (shown: number, all: number) =>
    shown === all
      ? counted(
          ['# Ereignis in diesem Zeitraum', '# evento in questo periodo', '# event in this span'],
          [
            '# Ereignisse in diesem Zeitraum',
            '# eventi in questo periodo',
            '# events in this span',
          ],
        )(all)
      : [
          `${formatNumber(shown)} von ${plural(all, { one: '# Ereignis', other: '# Ereignissen' })} in diesem Zeitraum`,
          `${formatNumber(shown)} di ${plural(all, { one: '# evento', other: '# eventi' })} in questo periodo`,
          `${formatNumber(shown)} of ${plural(all, { one: '# event', other: '# events' })} in this span`,
        ],
  event: ['Ereignis', 'Evento', 'Event'],
  when: ['Wann', 'Quando', 'When'],
  openEnd: ['kein Ende angegeben', 'fine non indicata', 'no end stated'],
  marks: {
    new: ['Neu', 'Nuovo', 'New'],
    changed: ['Geändert', 'Cambiato', 'Changed'],
    ended: ['Beendet', 'Finito', 'Ended'],
  },
  follow: ['Änderungen verfolgen', 'Segui i cambiamenti', 'Follow changes'],
  checked: ['Zuletzt nachgesehen', 'Ultimo controllo', 'Last checked'],
  checkNow: ['Jetzt nachsehen', 'Controlla adesso', 'Check now'],
  following: [
    'Alle 20 Sekunden wird bei den Anbietern nachgesehen.',
    'I feed vengono controllati ogni 20 secondi.',
    'The feeds are checked every 20 seconds.',
  ],
  pauses: {
    off: [
      'Änderungen werden nicht verfolgt.',
      'I cambiamenti non vengono seguiti.',
      'Changes are not followed.',
    ],
    hidden: [
      'Pause, solange niemand die Seite sieht.',
      'In pausa finché nessuno vede la pagina.',
      'Paused while the page is in the background.',
    ],
    offline: [
      'Pause: Es gibt keine Verbindung.',
      'In pausa: manca la connessione.',
      'Paused: no connection.',
    ],
  },
  followFailed: [
    'Gerade lässt sich nicht nachsehen; was zu sehen ist, kann alt sein.',
    'Al momento i feed non si leggono; ciò che si vede può essere vecchio.',
    'The feeds cannot be read at the moment; what is shown may be outdated.',
  ],
  waits: [
    'Der Hub bittet uns zu warten; es geht von selbst weiter.',
    'Lo Hub chiede di aspettare; poi si riprende da soli.',
    'The hub is busy; checking continues automatically.',
  ],
  changes: ({ added, changed, ended }: Changes) => [
    [
      ...(added > 0
        ? [plural(added, { one: '# neues Ereignis', other: '# neue Ereignisse' })]
        : []),
      ...(changed > 0 ? [`${formatNumber(changed)} geändert`] : []),
      ...(ended > 0 ? [`${formatNumber(ended)} beendet`] : []),
    ].join(', '),
    [
      ...(added > 0 ? [plural(added, { one: '# evento nuovo', other: '# eventi nuovi' })] : []),
      ...(changed > 0 ? [plural(changed, { one: '# cambiato', other: '# cambiati' })] : []),
      ...(ended > 0 ? [plural(ended, { one: '# finito', other: '# finiti' })] : []),
    ].join(', '),
    [
      ...(added > 0 ? [plural(added, { one: '# new event', other: '# new events' })] : []),
      ...(changed > 0 ? [`${formatNumber(changed)} changed`] : []),
      ...(ended > 0 ? [`${formatNumber(ended)} ended`] : []),
    ].join(', '),
  ],
  none: {
    title: ['Keine Ereignisse', 'Nessun evento', 'No events'],
    body: [
      'In diesem Zeitraum passt nichts zu Ihrer Auswahl. Setzen Sie die Filter zurück, oder sehen Sie sich eine andere Zeit an.',
      'In questo periodo nulla corrisponde alla scelta. Tolga i filtri o scelga un altro periodo.',
      'No event in this period matches. Clear the filters, or choose another period.',
    ],
  },
  noProviders: {
    title: [
      'Noch niemand meldet Verkehr',
      'Nessuno segnala ancora il traffico',
      'No traffic data yet',
    ],
    body: [
      'Sobald ein Anbieter Ereignisse an diesen Hub schickt, sind sie hier zu sehen.',
      'Appena un fornitore invia eventi a questo Hub, si vedranno qui.',
      'Events appear here as soon as a provider pushes them to this hub.',
    ],
    docs: [
      'Wie Ereignisse geschickt werden',
      'Come si inviano gli eventi',
      'How events are pushed',
    ],
  },
  details: {
    close: ['Schließen', 'Chiudi', 'Close'],
    otherLanguages: ['In anderen Sprachen', 'In altre lingue', 'In other languages'],
    kind: ['Art', 'Tipo', 'Kind'],
    type: ['DATEX-II-Eintrag', 'Record DATEX II', 'DATEX II record'],
    place: ['Ort', 'Luogo', 'Place'],
    position: ['Lage', 'Posizione', 'Position'],
    noPosition: [
      'Ohne Lage; nicht im Feed',
      'Senza posizione; non è nel feed',
      'No position; not in the feed',
    ],
    validity: ['Gültig', 'Valido', 'Valid'],
    recorded: ['Gemeldet', 'Segnalato', 'Reported'],
    version: (version: number) => [
      `Version ${formatNumber(version)}`,
      `Versione ${formatNumber(version)}`,
      `Version ${formatNumber(version)}`,
    ],
    origin: ['Herkunft', 'Origine', 'Origin'],
    id: ['Kennung', 'Identificativo', 'Identifier'],
    gone: [
      'Dieses Ereignis liegt nicht im gezeigten Zeitraum.',
      'Questo evento non è nel periodo mostrato.',
      'This event is outside the period that is shown.',
    ],
    record: ['Ganzer Eintrag', 'Scheda completa', 'Whole record'],
    versions: ['Versionen', 'Versioni', 'Versions'],
    versionsNone: [
      'Andere Stände sind nicht aufbewahrt.',
      'Non sono conservati altri stati.',
      'No other states are kept.',
    ],
    versionHead: ['Version', 'Versione', 'Version'],
    told: ['Gemeldet', 'Segnalato', 'Reported'],
    whatChanged: ['Was sich geändert hat', 'Che cosa è cambiato', 'What changed'],
    first: ['Erste Meldung', 'Prima segnalazione', 'First report'],
    nothingVisible: ['Text oder Einzelheiten', 'Testo o dettagli', 'Text or details'],
    raw: ['Roh', 'Dati grezzi', 'Raw'],
    rawForm: ['Form der Rohdaten', 'Forma dei dati grezzi', 'Form of the raw data'],
    notInFeed: [
      'Dieses Ereignis hat den Feed verlassen oder ist nicht darin.',
      'Questo evento ha lasciato il feed o non ne fa parte.',
      'This event has left the feed, or is not in it.',
    ],
    fields: {
      start: ['Beginn', 'inizio', 'start'],
      end: ['Ende', 'fine', 'end'],
      category: ['Art', 'tipo', 'kind'],
      place: ['Ort', 'luogo', 'place'],
      geometry: ['Form', 'forma', 'shape'],
      metadata: ['Einzelheiten', 'dettagli', 'details'],
    },
  },
  request: {
    feed: 'Feed (DATEX II)',
    geojson: 'Feed (GeoJSON)',
    span: ['Ereignisse dieses Zeitraums', 'Eventi di questo periodo', 'Events of this span'],
  },
  requestOf: ['Welche Anfrage', 'Quale richiesta', 'Which request'],
})
