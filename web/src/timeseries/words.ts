import {
  counted,
  formatLength,
  formatMeasured,
  formatNumber,
  inLanguage,
  naming,
  plural,
  withArticle,
} from '../language/index.ts'
import type { LengthUnit } from '../language/index.ts'
import type { Value } from './series/series.ts'

export const words = inLanguage({
  title: ['Zeitreihen', 'Serie temporali', 'Time series'],
  lead: [
    'Was Stationen messen, im Lauf der Zeit: mehrere Reihen in einem Diagramm, vom Hub zusammengefasst.',
    'Che cosa misurano le stazioni nel tempo: più serie in un grafico, riassunte dall’hub.',
    'Measurements of stations over time: several series in one chart, aggregated by the hub.',
  ],
  chooser: {
    title: ['Reihen wählen', 'Scegli le serie', 'Choose series'],
    type: ['Art der Station', 'Tipo di stazione', 'Station type'],
    everyType: ['Alle Arten von Stationen', 'Tutti i tipi di stazione', 'All station types'],
    series: ['Stationen und Datentypen', 'Stazioni e tipi di dati', 'Stations and data types'],
    placeholder: [
      'Name, Code oder Datentyp …',
      'Nome, codice o tipo di dati …',
      'Name, code or data type …',
    ],
    full: (most: number) => [
      `In ein Diagramm passen höchstens ${formatNumber(most)} Reihen. Entfernen Sie zuerst eine.`,
      `In un grafico stanno al massimo ${formatNumber(most)} serie. Prima ne rimuova una.`,
      `A chart can have at most ${formatNumber(most)} series. Remove one first.`,
    ],
  },
  none: {
    title: ['Keine Reihe gewählt', 'Nessuna serie scelta', 'No series chosen'],
    body: [
      'Suchen Sie nach einer Station oder danach, was gemessen wird, und wählen Sie eine oder mehrere Reihen. Sie stehen in der Adresse: So können Sie das Diagramm weitergeben.',
      'Cerchi una stazione o ciò che viene misurato e scelga una o più serie. Restano nell’indirizzo: può inviare il grafico a qualcuno.',
      'Search for a station or a data type, and choose one or several series. They are part of the address, so you can share the chart as a link.',
    ],
  },
  missing: {
    title: ['Einige Reihen fehlen', 'Mancano alcune serie', 'Some series are missing'],
    body: [
      'Diese Reihen gibt es nicht, oder sie sind nicht öffentlich. Wenn es Ihre sind, melden Sie sich an.',
      'Queste serie non esistono o non sono pubbliche. Se sono sue, acceda.',
      'These series do not exist, or are not public. If they are yours, log in.',
    ],
    remove: ['Aus dem Diagramm entfernen', 'Rimuovi dal grafico', 'Remove from the chart'],
  },
  spans: {
    label: ['Gezeigter Zeitraum', 'Periodo mostrato', 'Time shown'],
    short: {
      '1h': ['1 Std.', '1 h', '1 h'],
      '1d': ['1 T.', '1 g', '1 d'],
      '1w': ['1 W.', '1 sett.', '1 w'],
      '1mo': ['1 M.', '1 mese', '1 mo'],
      '1y': ['1 J.', '1 anno', '1 y'],
      all: ['Alles', 'Tutto', 'All'],
    },
  },
  move: {
    label: ['Verschieben und vergrößern', 'Spostare e ingrandire', 'Move and zoom'],
    earlier: ['Früher', 'Prima', 'Earlier'],
    later: ['Später', 'Dopo', 'Later'],
    closer: ['Vergrößern', 'Ingrandisci', 'Zoom in'],
    farther: ['Verkleinern', 'Riduci', 'Zoom out'],
    follow: ['Mitlaufen', 'Segui', 'Follow'],
    following: [
      'Das Diagramm läuft mit der Gegenwart mit.',
      'Il grafico si sposta con il presente.',
      'The chart follows the present.',
    ],
  },
  exact: {
    title: ['Genaue Zeiten', 'Orari esatti', 'Exact times'],
    from: ['Von', 'Da', 'From'],
    to: ['Bis', 'A', 'To'],
    show: ['Zeigen', 'Mostra', 'Show'],
    wrong: [
      'Das Ende muss nach dem Anfang liegen.',
      'La fine deve venire dopo l’inizio.',
      'The end must be after the start.',
    ],
  },
  shown: {
    raw: ['Werte wie gemessen', 'valori come misurati', 'values as measured'],
    bucket: naming(['Mittelwerte über #', 'medie per #', 'averages over #']),
    last: (length: string) => [
      `jeweils der letzte Wert über ${length}`,
      `l’ultimo valore per ${length}`,
      `the last value in ${length}`,
    ],
    everies: {
      minute: counted(
        ['jede Minute', 'ogni minuto', 'every minute'],
        ['alle # Minuten', 'ogni # minuti', 'every # minutes'],
      ),
      hour: counted(
        ['jede Stunde', 'ogni ora', 'every hour'],
        ['alle # Stunden', 'ogni # ore', 'every # hours'],
      ),
      day: counted(
        ['jeden Tag', 'ogni giorno', 'every day'],
        ['alle # Tage', 'ogni # giorni', 'every # days'],
      ),
    },
    band: [
      'Das blasse Band reicht vom kleinsten bis zum größten Wert.',
      'La fascia chiara va dal valore minimo al massimo.',
      'The pale band extends from the lowest to the highest value.',
    ],
    loading: ['Werte werden geladen', 'Caricamento dei valori', 'Values are loading'],
    ready: counted(
      ['# Wert wird gezeigt', '# valore mostrato', '# value is shown'],
      ['# Werte werden gezeigt', '# valori mostrati', '# values are shown'],
    ),
  },
  chart: {
    label: [
      'Diagramm. Mit den Pfeiltasten gehen Sie durch die Werte.',
      'Grafico. Con le frecce si scorrono i valori.',
      'Chart. Arrow keys step through the values.',
    ],
    noValue: ['hier kein Wert', 'qui nessun valore', 'no value here'],
    unitless: ['Anzahl', 'numero', 'number'],
    now: ['jetzt', 'adesso', 'now'],
    limit: (days: number) => formatLength(days, 'day'),
    range: (low: string, high: string) => [
      `${low} bis ${high}`,
      `da ${low} a ${high}`,
      `${low} to ${high}`,
    ],
    hint: [
      'Ziehen vergrößert, ein Doppelklick verkleinert. Umschalt und Ziehen verschiebt, Strg und Rad zoomt.',
      'Trascinare per ingrandire, doppio clic per ridurre. Maiusc e trascinare per spostare, Ctrl e rotella per lo zoom.',
      'Drag to zoom in, double-click to zoom out. Shift and drag moves, Ctrl and wheel zooms.',
    ],
    touchHint: [
      'Mit einem Finger verschieben, mit zweien vergrößern.',
      'Con un dito si sposta, con due si ingrandisce.',
      'Swipe with one finger to move, pinch with two to zoom.',
    ],
    keys: ['Tastenkürzel', 'Scorciatoie da tastiera', 'Keyboard shortcuts'],
    keyList: [
      {
        key: '← →',
        meaning: [
          'voriger oder nächster Wert',
          'valore precedente o successivo',
          'previous or next value',
        ],
      },
      {
        key: ['Bild ↑ ↓', 'Pag ↑ ↓', 'Page ↑ ↓'],
        meaning: [
          'zehn Werte zurück oder vor',
          'dieci valori indietro o avanti',
          'ten values back or on',
        ],
      },
      {
        key: ['Pos1 Ende', 'Inizio Fine', 'Home End'],
        meaning: [
          'erster oder letzter gezeigter Wert',
          'primo o ultimo valore mostrato',
          'first or last value shown',
        ],
      },
      {
        key: '+ −',
        meaning: ['vergrößern, verkleinern', 'ingrandire, ridurre', 'zoom in, zoom out'],
      },
      {
        key: ['Umschalt ← →', 'Maiusc ← →', 'Shift ← →'],
        meaning: ['früher oder später', 'prima o dopo', 'move earlier or later'],
      },
      {
        key: 'Esc',
        meaning: ['Zeiger ausblenden', 'nascondere il cursore', 'hide the cursor'],
      },
    ],
  },
  legend: {
    title: ['Reihen', 'Serie', 'Series'],
    latest: ['Letzter Wert', 'Ultimo valore', 'Latest value'],
    none: ['noch kein Wert', 'ancora nessun valore', 'no value yet'],
    show: (name: string) => [`${name} zeigen`, `Mostra ${name}`, `Show ${name}`],
    hide: (name: string) => [`${name} ausblenden`, `Nascondi ${name}`, `Hide ${name}`],
    remove: (name: string) => [`${name} entfernen`, `Rimuovi ${name}`, `Remove ${name}`],
    states: {
      fresh: ['aktuell', 'aggiornata', 'fresh'],
      late: ['verspätet', 'in ritardo', 'late'],
      stale: ['veraltet', 'vecchia', 'stale'],
      silent: ['verstummt', 'muta', 'silent'],
    },
    noAxis: [
      'Nicht gezeichnet: Ein Diagramm hat zwei Skalen, diese Einheit wäre die dritte. Blenden Sie eine Reihe mit anderer Einheit aus.',
      'Non disegnata: un grafico ha due scale e questa unità sarebbe la terza. Nasconda una serie con un’altra unità.',
      'Not drawn: a chart has two scales, and this unit would need a third. Hide a series with another unit.',
    ],
    details: ['Datenqualität', 'Qualità dei dati', 'Data quality'],
  },
  health: {
    every: (often: string) => [
      `Laut Angabe kommt ${often} ein Wert.`,
      `È previsto un valore ${often}.`,
      `A value is due ${often}, as declared.`,
    ],
    usually: (often: string) => [
      `Meist kommt ${often} ein Wert.`,
      `Di solito arriva un valore ${often}.`,
      `A value usually comes ${often}.`,
    ],
    unknown: [
      'Wie oft Werte kommen, ist nicht bekannt; darum sind sie nicht verbunden.',
      'Non si sa ogni quanto arrivano i valori, perciò non sono collegati.',
      'The interval between values is not known, so they are not connected.',
    ],
    coverage: (share: string) => [
      `${share} der erwarteten Werte der letzten 7 Tage sind da.`,
      `C’è ${withArticle('il', share)} dei valori attesi negli ultimi 7 giorni.`,
      `${share} of the expected values of the last 7 days are available.`,
    ],
    noGaps: [
      'In den letzten 7 Tagen gab es keine Lücke.',
      'Negli ultimi 7 giorni non ci sono state interruzioni.',
      'No gaps in the last 7 days.',
    ],
    gaps: (gaps: number, missing: number, longest: string) => [
      `${plural(gaps, { one: '# Lücke', other: '# Lücken' })} in den letzten 7 Tagen, ${plural(missing, { one: '# Wert fehlt', other: '# Werte fehlen' })}; die längste dauerte ${longest}.`,
      `${plural(gaps, { one: '# interruzione', other: '# interruzioni' })} negli ultimi 7 giorni, ${plural(missing, { one: 'manca # valore', other: 'mancano # valori' })}; la più lunga è durata ${longest}.`,
      `${plural(gaps, { one: '# gap', other: '# gaps' })} in the last 7 days, ${plural(missing, { one: '# value is missing', other: '# values are missing' })}; the longest gap lasted ${longest}.`,
    ],
    stuck: (count: number, since: string) => [
      `Die letzten ${formatNumber(count)} Werte sind gleich, seit ${since}. Vielleicht hängt der Sensor.`,
      `Gli ultimi ${formatNumber(count)} valori sono uguali, da ${since}. Forse il sensore è bloccato.`,
      `The last ${formatNumber(count)} values have been the same since ${since}. The sensor may be stuck.`,
    ],
    future: (until: string) => [
      `Werte reichen in die Zukunft, bis ${until}.`,
      `I valori arrivano nel futuro, fino a ${until}.`,
      `Values extend into the future, until ${until}.`,
    ],
  },
  limit: {
    title: (days: number) => [
      `Feine Schritte für ${formatLength(days, 'day')} auf einmal`,
      `Passi fini per ${formatLength(days, 'day')} alla volta`,
      `Fine steps for ${formatLength(days, 'day')} at once`,
    ],
    body: [
      'Längere Zeiten werden tageweise gezeigt. Es fehlt nichts: Sehen Sie sich einen Teil näher an, auch links der Grenze, so erscheint er in feinen Schritten.',
      'I periodi più lunghi sono mostrati per giorno. Non manca nulla: ingrandisca una parte qualsiasi, anche a sinistra del confine, per vederla a passi fini.',
      'Longer periods are shown by day. Nothing is missing: zoom in on any part, also left of the line, to see it in fine steps.',
    ],
    logIn: ['Für mehr anmelden', 'Accedi per vedere di più', 'Log in for more'],
    closer: ['Den neuesten Teil zeigen', 'Mostra la parte più recente', 'Show the newest part'],
  },
  empty: {
    title: [
      'Keine Werte in dieser Zeit',
      'Nessun valore in questo periodo',
      'No values in this period',
    ],
    body: [
      'Die Reihen gibt es, aber zwischen diesen beiden Zeitpunkten wurde nichts gemessen.',
      'Le serie esistono, ma tra questi due momenti non è stato misurato nulla.',
      'The series exist, but nothing was measured between these two moments.',
    ],
    newest: (when: string) => [
      `Der neueste Wert ist vom ${when}.`,
      `Il valore più recente è del ${when}.`,
      `The latest value is from ${when}.`,
    ],
    show: ['Die neuesten Werte zeigen', 'Mostra i valori più recenti', 'Show the newest values'],
    all: ['Alles zeigen', 'Mostra tutto', 'Show everything'],
  },
  view: {
    label: ['Ansicht', 'Vista', 'View'],
    chart: ['Diagramm', 'Grafico', 'Chart'],
    table: ['Tabelle', 'Tabella', 'Table'],
    map: ['Karte', 'Mappa', 'Map'],
  },
  table: {
    caption: ['Werte des Diagramms', 'Valori del grafico', 'Values of the chart'],
    time: ['Zeit', 'Ora', 'Time'],
    page: (from: number, to: number, all: number) => [
      `Zeilen ${formatNumber(from)} bis ${formatNumber(to)} von ${formatNumber(all)}`,
      `Righe da ${formatNumber(from)} a ${formatNumber(to)} di ${formatNumber(all)}`,
      `Rows ${formatNumber(from)} to ${formatNumber(to)} of ${formatNumber(all)}`,
    ],
    previous: ['Vorige Zeilen', 'Righe precedenti', 'Previous rows'],
    next: ['Nächste Zeilen', 'Righe successive', 'Next rows'],
    copy: ['Als CSV kopieren', 'Copia come CSV', 'Copy as CSV'],
    average: ['Mittel', 'media', 'average'],
    least: ['kleinster', 'minimo', 'least'],
    greatest: ['größter', 'massimo', 'greatest'],
  },
  texts: {
    title: ['Zustände', 'Stati', 'States'],
    nothing: [
      'Keine Werte in dieser Zeit.',
      'Nessun valore in questo periodo.',
      'No values in this period.',
    ],
  },
  json: {
    more: (count: number) => [
      `Gezeigt werden die letzten ${formatNumber(count)}.`,
      `Sono mostrati gli ultimi ${formatNumber(count)}.`,
      `The last ${formatNumber(count)} are shown.`,
    ],
  },
  export: {
    label: ['Gezeigtes exportieren', 'Esporta ciò che si vede', 'Export what is shown'],
    title: ['Exportieren', 'Esporta', 'Export'],
    picture: (format: string) => [
      `Bild des Diagramms (${format})`,
      `Immagine del grafico (${format})`,
      `Picture of the chart (${format})`,
    ],
    working: ['Die Datei wird erstellt', 'Il file è in preparazione', 'The file is being created'],
    failed: [
      'Die Datei konnte nicht erstellt werden. Versuchen Sie es noch einmal, oder wählen Sie einen kürzeren Zeitraum.',
      'Il file non è stato creato. Riprovi o scelga un periodo più breve.',
      'The file could not be created. Try again, or choose a shorter period.',
    ],
  },
  requests: {
    nth: counted(['Anfrage #', 'Richiesta #', 'Request #']),
  },
})

/** Formats a value with its unit; JSON is not formatted. */
export function writeValue(value: Value, unit = ''): string {
  if (typeof value === 'object') return JSON.stringify(value)
  if (typeof value === 'string') return value
  const number = formatMeasured(value)
  return unit === '' ? number : `${number}\u202F${unit}`
}

const lengths = { minute: 60, hour: 3600, day: 86_400 } as const

/** Formats a number of seconds in the largest suitable unit. */
export function writeSeconds(seconds: number): string {
  const { unit, count } = inUnits(seconds)
  return formatLength(count, unit)
}

/** Formats an interval in seconds as a frequency, such as “every 10 minutes”. */
export function writeEvery(seconds: number): string {
  const { unit, count } = inUnits(seconds)
  return words().shown.everies[unit](count)
}

function inUnits(seconds: number): { readonly unit: keyof typeof lengths; readonly count: number } {
  const isDays = seconds >= 2 * lengths.day || (seconds > 0 && seconds % lengths.day === 0)
  const isHours = seconds >= 2 * lengths.hour || seconds === lengths.hour
  const unit = isDays ? 'day' : isHours ? 'hour' : 'minute'
  return { unit, count: Math.max(1, Math.round(seconds / lengths[unit])) }
}

const units: Readonly<Record<string, LengthUnit>> = {
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  mo: 'month',
  y: 'year',
}

/** Formats the length of a bucket such as `15m`. */
export function writeBucket(bucket: string): string {
  const [, count = '1', unit = 'd'] = /^(\d+)(mo|m|h|d|w|y)$/.exec(bucket) ?? []
  return formatLength(Number(count), units[unit] ?? 'day')
}
