import { counted, formatNumber, inLanguage, naming, plural } from '../language/index.ts'

const records = counted(
  ['# Eintrag', '# scheda', '# record'],
  ['# Einträge', '# schede', '# records'],
)

const stations = counted(
  ['# Station', '# stazione', '# station'],
  ['# Stationen', '# stazioni', '# stations'],
)

const groups = counted(['# Gruppe', '# gruppo', '# group'], ['# Gruppen', '# gruppi', '# groups'])

export const words = inLanguage({
  catalogue: ['Katalog', 'Catalogo', 'Catalogue'],
  services: {
    stations: ['Stationen', 'Stazioni', 'Stations'],
    latest: ['Letzte Werte', 'Ultimi valori', 'Latest values'],
  },
  count: (count: number, isContent: boolean) => (isContent ? records : stations)(count),
  changed: ['geändert', 'aggiornato', 'changed'],
  filters: ['Filter', 'Filtri', 'Filters'],
  batch: ['Mehrere ändern', 'Modifica multipla', 'Edit several'],
  newRecord: ['Neuer Eintrag', 'Nuova scheda', 'New record'],
  panes: {
    label: ['Was gezeigt wird', 'Che cosa si vede', 'What is shown'],
    table: ['Tabelle', 'Tabella', 'Table'],
    map: ['Karte', 'Mappa', 'Map'],
    groups: ['Gruppen', 'Gruppi', 'Groups'],
    raw: ['Roh', 'Grezzo', 'Raw'],
  },
  groups: {
    title: ['Nach welchem Feld?', 'Secondo quale campo?', 'By which field?'],
    body: (isContent: boolean) =>
      isContent
        ? [
            'Wählen Sie ein Feld: Der Hub zählt die Einträge zu jedem seiner Werte.',
            'Scelga un campo: l’hub conta le schede per ogni suo valore.',
            'Choose a field to count the records for each of its values.',
          ]
        : [
            'Wählen Sie ein Feld: Der Hub zählt die Stationen zu jedem seiner Werte.',
            'Scelga un campo: l’hub conta le stazioni per ogni suo valore.',
            'Choose a field to count the stations for each of its values.',
          ],
    by: ['Gruppieren nach', 'Raggruppa per', 'Group by'],
    andBy: ['und nach', 'e per', 'and by'],
    of: ['Zahl berechnen', 'Calcola un numero', 'Compute a number'],
    none: '–',
    countOnly: ['nur zählen', 'solo contare', 'count only'],
    count: ['Anzahl', 'Numero', 'Count'],
    functions: {
      min: ['Kleinster Wert', 'Minimo', 'Minimum'],
      avg: ['Mittelwert', 'Media', 'Mean'],
      max: ['Größter Wert', 'Massimo', 'Maximum'],
      sum: ['Summe', 'Somma', 'Sum'],
    },
    yes: ['ja', 'sì', 'yes'],
    no: ['nein', 'no', 'no'],
    missing: ['ohne Wert', 'senza valore', 'no value'],
    found: (count: number) => groups(count),
    all: (format: string) => [
      `Alle Gruppen als ${format}`,
      `Tutti i gruppi in ${format}`,
      `All groups as ${format}`,
    ],
    more: (most: number) => [
      `Die ersten ${formatNumber(most)} stehen hier; alle stehen in den Dateien.`,
      `Qui sono elencati i primi ${formatNumber(most)}; nei file ci sono tutti.`,
      `The first ${formatNumber(most)} are listed here; the files contain all of them.`,
    ],
  },
  resize: (left: string, right: string) => [
    `Breite von ${left} und ${right}`,
    `Larghezza di ${left} e ${right}`,
    `Width of ${left} and ${right}`,
  ],
  texts: ['Sprache der Texte', 'Lingua dei testi', 'Language of the texts'],
  textsHere: naming(['wie die Seite: #', 'come la pagina: #', 'as the page: #']),
  withheld: {
    body: [
      'Manche Einträge oder Felder sind nicht öffentlich. Melden Sie sich an, um zu sehen, was Ihr Konto sehen darf.',
      'Alcune schede o campi non sono pubblici. Acceda per vedere ciò che il suo account può vedere.',
      'Some records or fields are not public. Log in to see what your account may see.',
    ],
    short: ['Teils nicht öffentlich', 'In parte non pubblico', 'Partly not public'],
  },
  table: {
    label: (name: string) => [`${name}, Tabelle`, `${name}, tabella`, `${name}, table`],
    help: [
      'Die Pfeiltasten führen von Zelle zu Zelle, Strg mit Pos1 und Ende zur ersten und letzten Zeile. Die Eingabetaste folgt dem Link einer Zeile, die Leertaste wählt sie aus. Im Kopf sortiert die Eingabetaste, und Umschalt mit den Pfeilen ändert die Breite.',
      'Le frecce portano di cella in cella, Ctrl con Home e Fine alla prima e all’ultima riga. Invio segue il link di una riga, la barra spaziatrice la sceglie. Nell’intestazione Invio ordina, e Maiusc con le frecce cambia la larghezza.',
      'Arrow keys move between cells, Control with Home and End to the first and last row. Enter follows the link of a row, the space bar selects the row. In the header, Enter sorts and Shift with the arrow keys changes the width.',
    ],
    loadingRow: ['Wird geladen', 'Caricamento', 'Loading'],
    yes: ['ja', 'sì', 'yes'],
    no: ['nein', 'no', 'no'],
    old: ['alter Wert', 'valore vecchio', 'old value'],
    more: (count: number) => [
      `und ${formatNumber(count)} weitere`,
      count === 1 ? 'e un altro' : `e altri ${formatNumber(count)}`,
      `and ${formatNumber(count)} more`,
    ],
    position: (first: number, last: number, total: number) => [
      `${formatNumber(first)}–${formatNumber(last)} von ${formatNumber(total)}`,
      `${formatNumber(first)}–${formatNumber(last)} di ${formatNumber(total)}`,
      `${formatNumber(first)}–${formatNumber(last)} of ${formatNumber(total)}`,
    ],
    deprecatedUntil: (date: string) => [
      `Abgekündigt; wird mindestens bis ${date} geliefert`,
      `Deprecato; fornito almeno fino al ${date}`,
      `Deprecated; served at least until ${date}`,
    ],
    seriesOf: (name: string) => [
      `Werte von ${name} im Lauf der Zeit`,
      `Valori di ${name} nel tempo`,
      `Values of ${name} over time`,
    ],
  },
  empty: {
    title: ['Nichts passt', 'Nessun risultato', 'Nothing matches'],
    body: [
      'Kein Eintrag passt zu allen Filtern zugleich. Entfernen Sie einen, oder beginnen Sie neu.',
      'Nessuna scheda soddisfa tutti i filtri insieme. Ne rimuova uno o ricominci.',
      'No record matches all filters. Remove one, or start again.',
    ],
    clear: ['Alle Filter entfernen', 'Rimuovi tutti i filtri', 'Remove all filters'],
  },
  columns: {
    button: ['Spalten', 'Colonne', 'Columns'],
    title: ['Spalten', 'Colonne', 'Columns'],
    chosen: ['Gezeigt, in dieser Reihenfolge', 'Mostrate, in quest’ordine', 'Shown, in this order'],
    all: ['Alle Felder', 'Tutti i campi', 'All fields'],
    search: ['Ein Feld suchen', 'Cerca un campo', 'Search for a field'],
    found: counted(['# Feld', '# campo', '# field'], ['# Felder', '# campi', '# fields']),
    up: naming(['# nach vorn verschieben', 'Sposta # avanti', 'Move # forward']),
    down: naming(['# nach hinten verschieben', 'Sposta # indietro', 'Move # back']),
    remove: (name: string) => [`${name} ausblenden`, `Nascondi ${name}`, `Hide ${name}`],
    usual: ['Standardspalten', 'Colonne predefinite', 'Default columns'],
    done: ['Fertig', 'Fatto', 'Done'],
    more: (count: number) => [
      `${formatNumber(count)} weitere: über die Suche zu finden`,
      count === 1
        ? 'un altro: si trova con la ricerca'
        : `altri ${formatNumber(count)}: si trovano con la ricerca`,
      `${formatNumber(count)} more: search to find them`,
    ],
    takesToken: ['nur mit Anmeldung', 'solo con accesso', 'only with a login'],
    deprecated: (since: string, until: string) => [
      `Abgekündigt seit ${since}, wird mindestens bis ${until} geliefert.`,
      `Deprecato dal ${since}, fornito almeno fino al ${until}.`,
      `Deprecated since ${since}, served at least until ${until}.`,
    ],
    replacement: ['Stattdessen:', 'Al suo posto:', 'Use instead:'],
    latest: ['letzter Wert', 'ultimo valore', 'latest value'],
    tooMany: (most: number) => [
      `Höchstens ${formatNumber(most)} Spalten auf einmal.`,
      `Al massimo ${formatNumber(most)} colonne alla volta.`,
      `At most ${formatNumber(most)} columns at a time.`,
    ],
  },
  raw: {
    label: ['JSON, wie der Hub es sendet', 'JSON come lo invia l’hub', 'JSON as the hub sends it'],
    page: ['Seite', 'Pagina', 'Page'],
    record: ['Eintrag', 'Scheda', 'Record'],
    what: ['Was gezeigt wird', 'Che cosa si vede', 'What is shown'],
    pageOf: (first: number, last: number) => [
      `Einträge ${formatNumber(first)}–${formatNumber(last)}`,
      `Schede ${formatNumber(first)}–${formatNumber(last)}`,
      `Records ${formatNumber(first)}–${formatNumber(last)}`,
    ],
    members: counted(['# Feld', '# campo', '# field'], ['# Felder', '# campi', '# fields']),
    items: counted(['# Element', '# elemento', '# item'], ['# Elemente', '# elementi', '# items']),
  },
  map: {
    loading: ['Die Karte wird geladen', 'La mappa si sta caricando', 'The map is loading'],
    area: ['Gebiet auf der Karte', 'Area sulla mappa', 'Area on the map'],
  },
  export: {
    button: ['Export', 'Esporta', 'Export'],
    title: ['Export', 'Esporta', 'Export'],
    format: ['Format', 'Formato', 'Format'],
    records: ['Einträge', 'Schede', 'Records'],
    these: naming(['# mit diesen Filtern', '# che corrispondono', '# that match']),
    all: ['Der ganze Datensatz', 'Tutto il dataset', 'All of the dataset'],
    members: ['Felder', 'Campi', 'Fields'],
    shown: counted(
      ['die gezeigte Spalte', 'la colonna mostrata', 'the shown column'],
      ['die # gezeigten Spalten', 'le # colonne mostrate', 'the # shown columns'],
    ),
    allMembers: ['alle Felder', 'tutti i campi', 'all fields'],
    request: ['Anfrage', 'Richiesta', 'Request'],
    standards: [
      'Der ganze Datensatz nach einem Standard',
      'Tutto il dataset secondo uno standard',
      'The whole dataset in a standard format',
    ],
    begin: ['Herunterladen', 'Scarica', 'Download'],
    cancel: ['Abbrechen', 'Annulla', 'Cancel'],
    again: ['Erneut versuchen', 'Riprova', 'Try again'],
    close: ['Schließen', 'Chiudi', 'Close'],
    running: ['Wird heruntergeladen', 'Download in corso', 'Downloading'],
    progress: (bytes: string, count: string | undefined) =>
      count === undefined ? bytes : `${bytes}, ${count}`,
    of: (done: number, total: number) => [
      `${formatNumber(done)} von ${plural(total, { one: '# Eintrag', other: '# Einträgen' })}`,
      `${formatNumber(done)} di ${plural(total, { one: '# scheda', other: '# schede' })}`,
      `${formatNumber(done)} of ${plural(total, { one: '# record', other: '# records' })}`,
    ],
    done: (name: string, bytes: string) => [
      `${name} wurde heruntergeladen: ${bytes}.`,
      `${name} è stato scaricato: ${bytes}.`,
      `${name} was downloaded: ${bytes}.`,
    ],
    cancelled: [
      'Abgebrochen. Der schon geladene Teil wurde verworfen.',
      'Interrotto. La parte già arrivata è stata scartata.',
      'Stopped. The partial file was discarded.',
    ],
    broken: {
      title: [
        'Der Download brach ab',
        'Il download si è interrotto',
        'The download was interrupted',
      ],
      body: [
        'Die Datei war nicht vollständig und wurde verworfen. Versuchen Sie es noch einmal.',
        'Il file era incompleto ed è stato scartato. Riprovi.',
        'The file was incomplete, so it was discarded. Try again.',
      ],
    },
    disk: {
      title: [
        'Die Datei konnte nicht geschrieben werden',
        'Non è stato possibile scrivere il file',
        'The file could not be written',
      ],
      body: [
        'Prüfen Sie, ob genug Platz frei ist und ob Sie dort schreiben dürfen.',
        'Controlli se c’è spazio libero e se può scrivere in quella cartella.',
        'Check that there is enough free space, and that you may write there.',
      ],
    },
    noFields: [
      'Dieses Format hat immer alle Felder.',
      'Questo formato contiene sempre tutti i campi.',
      'This format always contains all fields.',
    ],
    latestToo: [
      'Die Stationen mit ihren Metadaten. Für Werte im Lauf der Zeit öffnen Sie die Zeitreihen.',
      'Le stazioni con i loro metadati. Per i valori nel tempo apra le serie temporali.',
      'Stations and their metadata. For values over time, open the time series.',
    ],
    formats: {
      json: 'JSON',
      csv: ['CSV, für Tabellenprogramme', 'CSV, per fogli di calcolo', 'CSV, for spreadsheets'],
      excel: ['CSV für Excel', 'CSV per Excel', 'CSV for Excel'],
      ndjson: [
        'NDJSON, ein Eintrag je Zeile',
        'NDJSON, una scheda per riga',
        'NDJSON, one record per line',
      ],
      geojson: ['GeoJSON, für Karten', 'GeoJSON, per mappe', 'GeoJSON, for maps'],
      'json-ld': 'JSON-LD (schema.org)',
      rawdata: [
        'Roh, wie die Quelle es sandte',
        'Grezzo, come inviato dalla fonte',
        'Raw, as the source sent it',
      ],
      arrow: [
        'Arrow, für rechnende Programme',
        'Arrow, per programmi di calcolo',
        'Arrow, for programs that compute',
      ],
      parquet: [
        'Parquet, für Archiv und Auswertung',
        'Parquet, per archivio e analisi',
        'Parquet, for archives and analysis',
      ],
    },
  },
})
