import type { TimeseriesMessages } from '../en/timeseries.ts'
import { wordsOf } from '../intl.ts'

const { plural, number } = wordsOf('de')

export const timeseries: TimeseriesMessages = {
  title: 'Zeitreihen',
  lead: 'Was Stationen messen, im Lauf der Zeit: mehrere Reihen in einem Diagramm, vom Hub zusammengefasst.',
  chooser: {
    title: 'Reihen wählen',
    type: 'Art der Station',
    everyType: 'Alle Arten von Stationen',
    series: 'Stationen und Messgrößen',
    placeholder: 'Name, Code oder Messgröße …',
    full: (most) =>
      `In ein Diagramm passen höchstens ${number(most)} Reihen. Entfernen Sie zuerst eine.`,
  },
  none: {
    title: 'Keine Reihe gewählt',
    body: 'Suchen Sie nach einer Station oder danach, was gemessen wird, und wählen Sie eine oder mehrere Reihen. Sie stehen in der Adresse: So können Sie das Diagramm weitergeben.',
  },
  missing: {
    title: 'Nicht alles ist da',
    body: 'Diese Reihen gibt es nicht, oder sie sind nicht öffentlich. Wenn es Ihre sind, melden Sie sich an.',
    remove: 'Aus dem Diagramm entfernen',
  },
  spans: {
    label: 'Gezeigter Zeitraum',
    short: {
      '1h': '1 Std.',
      '1d': '1 T.',
      '1w': '1 W.',
      '1mo': '1 M.',
      '1y': '1 J.',
      all: 'Alles',
    },
  },
  move: {
    label: 'Verschieben und vergrößern',
    earlier: 'Früher',
    later: 'Später',
    closer: 'Näher',
    farther: 'Mehr zeigen',
    follow: 'Mitlaufen',
    following: 'Das Diagramm läuft mit der Gegenwart mit.',
  },
  exact: {
    title: 'Genaue Zeiten',
    from: 'Von',
    to: 'Bis',
    show: 'Zeigen',
    wrong: 'Das Ende muss nach dem Anfang liegen.',
  },
  shown: {
    raw: 'Werte wie gemessen',
    bucket: (length) => `Mittelwerte über ${length}`,
    last: (length) => `jeweils der letzte Wert über ${length}`,
    everies: {
      m: (count) => plural(count, { one: 'jede Minute', other: 'alle # Minuten' }),
      h: (count) => plural(count, { one: 'jede Stunde', other: 'alle # Stunden' }),
      d: (count) => plural(count, { one: 'jeden Tag', other: 'alle # Tage' }),
      w: (count) => plural(count, { one: 'jede Woche', other: 'alle # Wochen' }),
      mo: (count) => plural(count, { one: 'jeden Monat', other: 'alle # Monate' }),
      y: (count) => plural(count, { one: 'jedes Jahr', other: 'alle # Jahre' }),
    },
    lengths: {
      m: (count) => plural(count, { one: '1 Minute', other: '# Minuten' }),
      h: (count) => plural(count, { one: '1 Stunde', other: '# Stunden' }),
      d: (count) => plural(count, { one: '1 Tag', other: '# Tage' }),
      w: (count) => plural(count, { one: '1 Woche', other: '# Wochen' }),
      mo: (count) => plural(count, { one: '1 Monat', other: '# Monate' }),
      y: (count) => plural(count, { one: '1 Jahr', other: '# Jahre' }),
    },
    band: 'Das blasse Band reicht vom kleinsten bis zum größten Wert.',
    loading: 'Werte werden geladen',
    ready: (count) =>
      plural(count, { one: '# Wert wird gezeigt', other: '# Werte werden gezeigt' }),
  },
  chart: {
    label: 'Diagramm. Mit den Pfeiltasten gehen Sie durch die Werte.',
    noValue: 'hier kein Wert',
    unitless: 'Anzahl',
    now: 'jetzt',
    limit: (days) => plural(days, { one: '# Tag', other: '# Tage' }),
    range: (low, high) => `${low} bis ${high}`,
    hint: 'Ziehen zeigt es näher, ein Doppelklick zeigt mehr. Umschalt und Ziehen verschiebt, Strg und Rad vergrößert.',
    touchHint: 'Mit einem Finger verschieben, mit zweien vergrößern.',
    keys: 'Tasten',
    keyList: [
      { key: '← →', meaning: 'voriger oder nächster Wert' },
      { key: 'Bild ↑ ↓', meaning: 'zehn Werte zurück oder vor' },
      { key: 'Pos1 Ende', meaning: 'erster oder letzter gezeigter Wert' },
      { key: '+ −', meaning: 'näher, mehr zeigen' },
      { key: 'Umschalt ← →', meaning: 'früher oder später' },
      { key: 'Esc', meaning: 'Zeiger ausblenden' },
    ],
  },
  legend: {
    title: 'Reihen',
    latest: 'Letzter Wert',
    none: 'noch kein Wert',
    show: (name) => `${name} zeigen`,
    hide: (name) => `${name} ausblenden`,
    remove: (name) => `${name} entfernen`,
    states: { fresh: 'aktuell', late: 'verspätet', stale: 'veraltet', silent: 'verstummt' },
    noAxis:
      'Nicht gezeichnet: Ein Diagramm hat zwei Skalen, diese Einheit wäre die dritte. Blenden Sie eine Reihe mit anderer Einheit aus.',
    details: 'Datenqualität',
  },
  health: {
    every: (often) => `Vereinbart ist ${often} ein Wert.`,
    usually: (often) => `Meist kommt ${often} ein Wert.`,
    unknown: 'Niemand weiß, wie oft Werte kommen; jeder steht für sich.',
    coverage: (share) => `${share} der erwarteten Werte der letzten 7 Tage sind da.`,
    noGaps: 'In den letzten 7 Tagen gab es keine Lücke.',
    gaps: (gaps, missing, longest) =>
      `${plural(gaps, { one: '# Lücke', other: '# Lücken' })} in den letzten 7 Tagen, ${plural(missing, { one: '# Wert fehlt', other: '# Werte fehlen' })}; die längste dauerte ${longest}.`,
    stuck: (count, since) =>
      `Die letzten ${number(count)} Werte sind gleich, seit ${since}. Vielleicht hängt der Sensor.`,
    future: (until) => `Werte reichen in die Zukunft, bis ${until}.`,
  },
  limit: {
    title: (days) =>
      `Feine Schritte für ${plural(days, { one: '# Tag', other: '# Tage' })} auf einmal`,
    body: 'Längere Zeiten werden tageweise gezeigt. Es fehlt nichts: Sehen Sie sich einen Teil näher an, auch links der Grenze, so erscheint er in feinen Schritten.',
    logIn: 'Für mehr anmelden',
    closer: 'Den neuesten Teil zeigen',
  },
  empty: {
    title: 'Keine Werte in dieser Zeit',
    body: 'Die Reihen gibt es, aber zwischen diesen beiden Zeitpunkten wurde nichts gemessen.',
    newest: (when) => `Der neueste Wert ist vom ${when}.`,
    show: 'Die neuesten Werte zeigen',
    all: 'Alles zeigen',
  },
  view: { label: 'Ansicht', chart: 'Diagramm', table: 'Tabelle', map: 'Karte' },
  table: {
    caption: 'Werte des Diagramms',
    time: 'Zeit',
    page: (from, to, all) => `Zeilen ${number(from)} bis ${number(to)} von ${number(all)}`,
    previous: 'Vorige Zeilen',
    next: 'Nächste Zeilen',
    copy: 'Als CSV kopieren',
    average: 'Mittel',
    least: 'kleinster',
    greatest: 'größter',
  },
  texts: { title: 'Zustände', nothing: 'Keine Werte in dieser Zeit.' },
  json: {
    title: 'Strukturierte Werte',
    more: (count) => `Gezeigt werden die letzten ${number(count)}.`,
  },
  export: {
    label: 'Gezeigtes exportieren',
    title: 'Exportieren',
    working: 'Die Datei wird erstellt',
    failed:
      'Die Datei konnte nicht erstellt werden. Versuchen Sie es noch einmal, oder wählen Sie weniger Zeit.',
  },
  requests: { label: 'Anfrage', nth: (index) => `Anfrage ${number(index)}` },
}
