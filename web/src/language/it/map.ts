import type { MapMessages } from '../en/map.ts'
import { wordsOf } from '../intl.ts'

const { number, plural } = wordsOf('it')

export const map: MapMessages = {
  loading: 'La mappa si sta caricando',
  ownShapes: 'Confini: questo hub',
  tilesFail: 'Non è possibile caricare la mappa di sfondo.',
  zoom: { label: 'Zoom', in: 'Più vicino', out: 'Più lontano', whole: 'Mostra tutto' },
  gestures: {
    'CooperativeGesturesHandler.WindowsHelpText':
      'Tenere premuto Ctrl e scorrere per ingrandire la mappa',
    'CooperativeGesturesHandler.MacHelpText': 'Tenere premuto ⌘ e scorrere per ingrandire la mappa',
    'CooperativeGesturesHandler.MobileHelpText': 'Spostare la mappa con due dita',
    'Map.Title': 'Mappa: le frecce la spostano, più e meno cambiano lo zoom',
    'ScaleControl.Meters': 'm',
    'ScaleControl.Kilometers': 'km',
  },
  missing: {
    webgl: {
      title: 'Nessuna mappa in questo browser',
      body: 'Non può disegnare mappe (WebGL 2 manca o è disattivato). Tutto ciò che è sulla mappa si trova anche nell’elenco.',
    },
    load: {
      title: 'La mappa non è arrivata',
      body: 'Controllare la connessione e riprovare. Tutto ciò che è sulla mappa si trova anche nell’elenco.',
    },
    again: 'Riprova',
  },
  place: (name) => `Mappa con il luogo di ${name}`,
  dataset: {
    label: (name) => `Mappa: ${name}`,
    shown: (count) => plural(count, { one: '# luogo', other: '# luoghi' }),
    loading: (count) => `${number(count)} caricati …`,
    withoutPlace: (count) =>
      plural(count, { one: '# scheda è senza luogo', other: '# schede sono senza luogo' }),
    ofView: (count) => plural(count, { one: '# luogo visibile', other: '# luoghi visibili' }),
    tooMany: (shown) =>
      `I primi ${number(shown)} di quelli visibili: avvicinarsi per vederli tutti`,
    inView: 'Visibili',
    moreInView: (count) => `e altri ${number(count)}: avvicinarsi per elencarli`,
    nothingInView: 'Qui non c’è nulla. Spostare la mappa o mostrare tutto.',
    open: 'Apri',
    closeCard: 'Chiudi',
    untitled: 'Senza nome',
  },
  area: {
    label: 'Area',
    box: 'Disegna un rettangolo',
    fields: 'Scrivi l’area',
    remove: 'Togli l’area',
    hint: 'Trascinare da angolo ad angolo. Esc annulla.',
    boxed:
      'Le stazioni si scelgono con il rettangolo attorno alla forma: per loro l’API non ne conosce altre.',
    done: 'Sono mostrate solo le schede nell’area.',
    north: 'Nord',
    south: 'Sud',
    west: 'Ovest',
    east: 'Est',
    apply: 'Applica',
    faults: {
      latitude: 'Un numero da −90 a 90',
      longitude: 'Un numero da −180 a 180',
      order: 'Il sud deve stare sotto il nord',
      sides: 'L’ovest deve stare a sinistra dell’est',
    },
    handles: {
      move: 'Sposta l’area con le frecce',
      corner: (index) => `Vertice ${number(index)}: spostarlo con le frecce`,
    },
  },
  live: {
    measure: 'Che cosa si misura',
    legend: 'Colori',
    upTo: (from, to) => `da ${from} a ${to}`,
    stale: 'Più vecchio del previsto',
    none: 'Nessun valore',
    renewed: (when) => `Richiesti ${when}, di nuovo ogni 30 secondi`,
    table: 'Valori in tabella',
    station: 'Stazione',
    value: 'Valore',
    time: 'Misurato',
    state: 'Stato',
    states: {
      fresh: 'Attuale',
      late: 'In ritardo',
      stale: 'Vecchio',
      silent: 'Muta',
      none: 'Nessun valore',
    },
    more: (count) => `e altri ${number(count)}`,
  },
  events: {
    label: 'Mappa degli eventi',
    legend: 'Colori e simboli',
    list: 'Eventi visibili',
  },
}
