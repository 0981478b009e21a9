import { counted, formatNumber, inLanguage, naming } from '../language/index.ts'

export const words = inLanguage({
  loading: ['Die Karte wird geladen', 'La mappa si sta caricando', 'The map is being loaded'],
  ownShapes: ['Umrisse: dieser Hub', 'Confini: questo hub', 'Outlines: this hub'],
  tilesFail: [
    'Die Hintergrundkarte lässt sich nicht laden.',
    'Non è possibile caricare la mappa di sfondo.',
    'The background map cannot be loaded.',
  ],
  zoom: {
    label: 'Zoom',
    in: ['Vergrößern', 'Ingrandisci', 'Zoom in'],
    out: ['Verkleinern', 'Riduci', 'Zoom out'],
    whole: ['Alles zeigen', 'Mostra tutto', 'Show everything'],
  },
  gestures: {
    'CooperativeGesturesHandler.WindowsHelpText': [
      'Strg halten und rollen, um die Karte zu zoomen',
      'Tenere premuto Ctrl e scorrere per ingrandire la mappa',
      'Hold Ctrl and scroll to zoom the map',
    ],
    'CooperativeGesturesHandler.MacHelpText': [
      '⌘ halten und rollen, um die Karte zu zoomen',
      'Tenere premuto ⌘ e scorrere per ingrandire la mappa',
      'Hold ⌘ and scroll to zoom the map',
    ],
    'CooperativeGesturesHandler.MobileHelpText': [
      'Die Karte mit zwei Fingern bewegen',
      'Spostare la mappa con due dita',
      'Move the map with two fingers',
    ],
    'Map.Title': [
      'Karte: Pfeiltasten bewegen sie, Plus und Minus zoomen',
      'Mappa: le frecce la spostano, più e meno cambiano lo zoom',
      'Map: arrow keys move it, plus and minus zoom',
    ],
    'ScaleControl.Meters': 'm',
    'ScaleControl.Kilometers': 'km',
  },
  missing: {
    webgl: {
      title: [
        'Keine Karte in diesem Browser',
        'Nessuna mappa in questo browser',
        'No map in this browser',
      ],
      body: [
        'Er kann keine Karten zeichnen (WebGL 2 fehlt oder ist abgeschaltet). Alles auf der Karte steht auch in der Liste.',
        'Non può disegnare mappe (WebGL 2 manca o è disattivato). Tutto ciò che è sulla mappa si trova anche nell’elenco.',
        'It cannot draw maps (WebGL 2 is missing or switched off). Everything on the map is also in the list.',
      ],
    },
    load: {
      title: [
        'Die Karte konnte nicht geladen werden',
        'Non è stato possibile caricare la mappa',
        'The map could not be loaded',
      ],
      body: [
        'Prüfen Sie die Verbindung und versuchen Sie es noch einmal. Alles auf der Karte steht auch in der Liste.',
        'Controlli la connessione e riprovi. Tutto ciò che è sulla mappa si trova anche nell’elenco.',
        'Check your connection and try again. Everything on the map is also in the list.',
      ],
    },
    again: ['Noch einmal versuchen', 'Riprova', 'Try again'],
  },
  place: naming([
    'Karte mit dem Ort von #',
    'Mappa con il luogo di #',
    'Map with the location of #',
  ]),
  dataset: {
    label: (name: string) => [`Karte: ${name}`, `Mappa: ${name}`, `Map: ${name}`],
    shown: counted(['# Ort', '# luogo', '# place'], ['# Orte', '# luoghi', '# places']),
    loading: counted(['# geladen …', '# caricati …', '# loaded …']),
    withoutPlace: counted(
      ['# Eintrag hat keinen Ort', '# scheda è senza luogo', '# record has no location'],
      ['# Einträge haben keinen Ort', '# schede sono senza luogo', '# records have no location'],
    ),
    ofView: counted(
      ['# Ort im Ausschnitt', '# luogo visibile', '# place in view'],
      ['# Orte im Ausschnitt', '# luoghi visibili', '# places in view'],
    ),
    tooMany: (shown: number) => [
      `Die ersten ${formatNumber(shown)} im Ausschnitt: vergrößern, um alle zu sehen`,
      `I primi ${formatNumber(shown)} di quelli visibili: ingrandire per vederli tutti`,
      `Showing the first ${formatNumber(shown)} in view: zoom in to see all`,
    ],
    inView: ['Im Ausschnitt', 'Visibili', 'In view'],
    moreInView: (count: number) => [
      `und ${formatNumber(count)} weitere: zum Auflisten vergrößern`,
      count === 1
        ? 'e un altro: ingrandire per elencarlo'
        : `e altri ${formatNumber(count)}: ingrandire per elencarli`,
      `and ${formatNumber(count)} more: zoom in to list them`,
    ],
    nothingInView: [
      'Im Ausschnitt ist nichts. Bewegen Sie die Karte, oder zeigen Sie alles.',
      'Qui non c’è nulla. Sposti la mappa o mostri tutto.',
      'Nothing is in view. Move the map or show everything.',
    ],
    open: ['Öffnen', 'Apri', 'Open'],
    closeCard: ['Schließen', 'Chiudi', 'Close'],
    untitled: ['Ohne Namen', 'Senza nome', 'Unnamed'],
  },
  area: {
    label: ['Gebiet', 'Area', 'Area'],
    box: ['Rechteck zeichnen', 'Disegna un rettangolo', 'Draw a rectangle'],
    fields: ['Gebiet eintippen', 'Scrivi l’area', 'Type in the area'],
    remove: ['Gebiet entfernen', 'Rimuovi l’area', 'Remove the area'],
    hint: [
      'Von Ecke zu Ecke ziehen. Escape bricht ab.',
      'Trascinare da angolo ad angolo. Esc annulla.',
      'Drag from corner to corner. Escape ends it.',
    ],
    boxed: [
      'Stationen werden nach dem Rechteck um die Form gewählt: Nur danach kann die API sie suchen.',
      'Le stazioni si scelgono con il rettangolo attorno alla forma: l’API le cerca solo così.',
      'Stations are selected by the rectangle around the shape: the API supports no other shape for them.',
    ],
    done: [
      'Gezeigt wird nur, was im Gebiet liegt.',
      'Sono mostrate solo le schede nell’area.',
      'Only records in the area are shown.',
    ],
    north: ['Norden', 'Nord', 'North'],
    south: ['Süden', 'Sud', 'South'],
    west: ['Westen', 'Ovest', 'West'],
    east: ['Osten', 'Est', 'East'],
    apply: ['Anwenden', 'Applica', 'Apply'],
    faults: {
      latitude: ['Eine Zahl von −90 bis 90', 'Un numero da −90 a 90', 'A number from −90 to 90'],
      longitude: [
        'Eine Zahl von −180 bis 180',
        'Un numero da −180 a 180',
        'A number from −180 to 180',
      ],
      order: [
        'Süden muss unter Norden liegen',
        'Il sud deve stare sotto il nord',
        'South must be below north',
      ],
      sides: [
        'Westen muss links von Osten liegen',
        'L’ovest deve stare a sinistra dell’est',
        'West must be left of east',
      ],
    },
    handles: {
      move: [
        'Gebiet mit den Pfeiltasten verschieben',
        'Sposta l’area con le frecce',
        'Move the area with the arrow keys',
      ],
      corner: (index: number) => [
        `Ecke ${formatNumber(index)}: mit den Pfeiltasten verschieben`,
        `Vertice ${formatNumber(index)}: spostarlo con le frecce`,
        `Corner ${formatNumber(index)}: move it with the arrow keys`,
      ],
    },
  },
  live: {
    measure: ['Was gemessen wird', 'Che cosa si misura', 'What is measured'],
    legend: ['Farben', 'Colori', 'Colours'],
    upTo: (from: string, to: string) => [
      `${from} bis ${to}`,
      `da ${from} a ${to}`,
      `${from} to ${to}`,
    ],
    stale: ['Älter als vorgesehen', 'Più vecchio del previsto', 'Older than it should be'],
    none: ['Kein Wert', 'Nessun valore', 'No value'],
    renewed: (when: string) => [
      `Aktualisiert ${when}; neue Werte erscheinen von selbst`,
      `Aggiornati ${when}; i nuovi valori appaiono da soli`,
      `Updated ${when}; new values appear automatically`,
    ],
    table: ['Werte als Tabelle', 'Valori in tabella', 'Values as a table'],
    station: ['Station', 'Stazione', 'Station'],
    value: ['Wert', 'Valore', 'Value'],
    time: ['Gemessen', 'Misurato', 'Measured'],
    state: ['Zustand', 'Stato', 'State'],
    states: {
      fresh: ['Aktuell', 'Aggiornata', 'Fresh'],
      late: ['Verspätet', 'In ritardo', 'Late'],
      stale: ['Veraltet', 'Vecchia', 'Stale'],
      silent: ['Verstummt', 'Muta', 'Silent'],
      none: ['Kein Wert', 'Nessun valore', 'No value'],
    },
    more: (count: number) => [
      `und ${formatNumber(count)} weitere`,
      count === 1 ? 'e un altro' : `e altri ${formatNumber(count)}`,
      `and ${formatNumber(count)} more`,
    ],
  },
  events: {
    label: ['Karte der Ereignisse', 'Mappa degli eventi', 'Map of the events'],
    legend: ['Farben und Zeichen', 'Colori e simboli', 'Colours and symbols'],
    list: ['Ereignisse im Ausschnitt', 'Eventi visibili', 'Events in view'],
  },
})
