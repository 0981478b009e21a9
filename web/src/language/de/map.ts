import type { MapMessages } from '../en/map.ts'
import { wordsOf } from '../intl.ts'

const { number, plural } = wordsOf('de')

export const map: MapMessages = {
  loading: 'Die Karte wird geladen',
  ownShapes: 'Umrisse: dieser Hub',
  tilesFail: 'Die Hintergrundkarte lässt sich nicht laden.',
  zoom: { label: 'Ausschnitt', in: 'Näher', out: 'Weiter weg', whole: 'Alles zeigen' },
  gestures: {
    'CooperativeGesturesHandler.WindowsHelpText': 'Strg halten und rollen, um die Karte zu zoomen',
    'CooperativeGesturesHandler.MacHelpText': '⌘ halten und rollen, um die Karte zu zoomen',
    'CooperativeGesturesHandler.MobileHelpText': 'Die Karte mit zwei Fingern bewegen',
    'Map.Title': 'Karte: Pfeiltasten bewegen sie, Plus und Minus zoomen',
    'ScaleControl.Meters': 'm',
    'ScaleControl.Kilometers': 'km',
  },
  missing: {
    webgl: {
      title: 'Keine Karte in diesem Browser',
      body: 'Er kann keine Karten zeichnen (WebGL 2 fehlt oder ist abgeschaltet). Alles auf der Karte steht auch in der Liste.',
    },
    load: {
      title: 'Die Karte kam nicht an',
      body: 'Prüfen Sie die Verbindung und versuchen Sie es noch einmal. Alles auf der Karte steht auch in der Liste.',
    },
    again: 'Noch einmal versuchen',
  },
  place: (name) => `Karte mit dem Ort von ${name}`,
  dataset: {
    label: (name) => `Karte: ${name}`,
    shown: (count) => plural(count, { one: '# Ort', other: '# Orte' }),
    loading: (count) => `${number(count)} geladen …`,
    withoutPlace: (count) =>
      plural(count, { one: '# Eintrag hat keinen Ort', other: '# Einträge haben keinen Ort' }),
    ofView: (count) => plural(count, { one: '# Ort im Ausschnitt', other: '# Orte im Ausschnitt' }),
    tooMany: (shown) => `Die ersten ${number(shown)} im Ausschnitt: näher heran, um alle zu sehen`,
    inView: 'Im Ausschnitt',
    moreInView: (count) => `und ${number(count)} weitere: näher heran, um sie aufzulisten`,
    nothingInView: 'Im Ausschnitt ist nichts. Bewegen Sie die Karte, oder lassen Sie alles zeigen.',
    open: 'Öffnen',
    closeCard: 'Schließen',
    untitled: 'Ohne Namen',
  },
  area: {
    label: 'Gebiet',
    box: 'Rechteck zeichnen',
    fields: 'Gebiet eintippen',
    remove: 'Gebiet entfernen',
    hint: 'Von Ecke zu Ecke ziehen. Escape bricht ab.',
    boxed:
      'Stationen werden nach dem Rechteck um die Form gewählt: Für sie kennt die API keine andere.',
    done: 'Gezeigt wird nur, was im Gebiet liegt.',
    north: 'Norden',
    south: 'Süden',
    west: 'Westen',
    east: 'Osten',
    apply: 'Anwenden',
    faults: {
      latitude: 'Eine Zahl von −90 bis 90',
      longitude: 'Eine Zahl von −180 bis 180',
      order: 'Süden muss unter Norden liegen',
      sides: 'Westen muss links von Osten liegen',
    },
    handles: {
      move: 'Gebiet mit den Pfeiltasten verschieben',
      corner: (index) => `Ecke ${number(index)}: mit den Pfeiltasten verschieben`,
    },
  },
  live: {
    measure: 'Was gemessen wird',
    legend: 'Farben',
    upTo: (from, to) => `${from} bis ${to}`,
    stale: 'Älter als vorgesehen',
    none: 'Kein Wert',
    renewed: (when) => `Abgefragt ${when}, wieder alle 30 Sekunden`,
    table: 'Werte als Tabelle',
    station: 'Station',
    value: 'Wert',
    time: 'Gemessen',
    state: 'Zustand',
    states: {
      fresh: 'Aktuell',
      late: 'Verspätet',
      stale: 'Veraltet',
      silent: 'Verstummt',
      none: 'Kein Wert',
    },
    more: (count) => `und ${number(count)} weitere`,
  },
  events: {
    label: 'Karte der Ereignisse',
    legend: 'Farben und Zeichen',
    list: 'Ereignisse im Ausschnitt',
  },
}
