import { counted, formatNumber, inLanguage, withArticle } from '../language/index.ts'

export const words = inLanguage({
  catalogue: ['Katalog', 'Catalogo', 'Catalogue'],
  parts: {
    overview: ['Überblick', 'Panoramica', 'Overview'],
    members: ['Alle Felder', 'Tutti i campi', 'All fields'],
    versions: ['Versionen', 'Versioni', 'Versions'],
    raw: 'JSON',
  },
  partsLabel: [
    'Was vom Eintrag gezeigt wird',
    'Che cosa si mostra della scheda',
    'What is shown of the record',
  ],
  changedAgo: ['geändert', 'modificata', 'changed'],
  inactive: ['Nicht aktiv', 'Non attiva', 'Not active'],
  closed: [
    'Geschlossene Daten: nur wegen Ihrer Rechte zu sehen',
    'Dati chiusi: visibili grazie ai suoi diritti',
    'Closed data: shown because of your rights',
  ],
  texts: {
    title: ['Texte', 'Testi', 'Texts'],
    language: ['Sprache der Texte', 'Lingua dei testi', 'Language of the texts'],
    all: ['Nebeneinander', 'Affiancati', 'Side by side'],
    missing: (language: string, names: string) => [
      `Auf ${language} fehlt: ${names}.`,
      `In ${language} manca: ${names}.`,
      `Missing in ${language}: ${names}.`,
    ],
    missingIn: ['fehlt', 'manca', 'missing'],
    noLanguages: (language: string) => [
      `Gar keine Texte auf ${language}.`,
      `Nessun testo in ${language}.`,
      `No texts at all in ${language}.`,
    ],
  },
  pictures: {
    title: ['Bilder', 'Immagini', 'Pictures'],
    alt: (count: number, name: string) => [
      `Bild ${formatNumber(count)} von ${name}`,
      `Immagine ${formatNumber(count)} di ${name}`,
      `Picture ${formatNumber(count)} of ${name}`,
    ],
    failed: [
      'Dieses Bild lässt sich nicht laden',
      'Non si riesce a caricare questa immagine',
      'This picture cannot be loaded',
    ],
    open: ['Bild allein öffnen', 'Apri l’immagine da sola', 'Open the picture by itself'],
    by: (who: string) => [`Foto: ${who}`, `Foto: ${who}`, `Photo: ${who}`],
    licence: (name: string) => [`Lizenz: ${name}`, `Licenza: ${name}`, `Licence: ${name}`],
    noLicence: ['Lizenz nicht angegeben', 'Licenza non indicata', 'Licence not stated'],
    all: (count: number) => [
      `Alle ${formatNumber(count)} Bilder`,
      `Tutte le ${formatNumber(count)} immagini`,
      `All ${formatNumber(count)} pictures`,
    ],
  },
  opening: {
    title: ['Öffnungszeiten', 'Orari di apertura', 'Opening times'],
    day: ['Tag', 'Giorno', 'Day'],
    today: ['heute', 'oggi', 'today'],
    now: ['jetzt', 'adesso', 'now'],
    kinds: {
      general: ['Geöffnet', 'Aperto', 'Open'],
      meals: ['Warme Küche', 'Cucina calda', 'Warm meals'],
      pizza: 'Pizza',
      snacks: ['Kleine Speisen', 'Spuntini', 'Snacks'],
    },
    closed: ['geschlossen', 'chiuso', 'closed'],
    openUntil: (time: string) => [
      `Jetzt geöffnet, bis ${time} Uhr.`,
      `Aperto adesso, fino alle ${time}.`,
      `Open now, until ${time}.`,
    ],
    closedNow: ['Jetzt geschlossen.', 'Chiuso adesso.', 'Closed now.'],
    span: (from: string, to: string) => [
      `${from} bis ${to}`,
      `${withArticle('dal', from)} ${withArticle('al', to)}`,
      `${from} to ${to}`,
    ],
    from: (from: string) => [`ab ${from}`, withArticle('dal', from), `from ${from}`],
    until: (to: string) => [`bis ${to}`, `fino ${withArticle('al', to)}`, `until ${to}`],
    yearly: ['jedes Jahr', 'ogni anno', 'every year'],
    season: ['Saison', 'Stagione', 'Season'],
    noHours: [
      'Für diese Saison sind keine Zeiten angegeben.',
      'Per questa stagione non sono indicati orari.',
      'No hours are given for this season.',
    ],
  },
  when: {
    title: ['Wann', 'Quando', 'When'],
    more: (count: number) => [
      `Alle ${formatNumber(count)} Termine`,
      `Tutte le ${formatNumber(count)} date`,
      `All ${formatNumber(count)} dates`,
    ],
  },
  place: {
    title: ['Ort', 'Luogo', 'Place'],
    coordinates: ['Koordinaten', 'Coordinate', 'Coordinates'],
    altitude: ['Höhe', 'Altitudine', 'Altitude'],
    metres: (metres: number) => `${formatNumber(metres)} m`,
  },
  contact: ['Kontakt', 'Contatto', 'Contact'],
  tags: {
    title: ['Schlagwörter', 'Etichette', 'Tags'],
    others: (name: string) => [
      `Alle Einträge mit dem Schlagwort ${name}`,
      `Tutte le schede con l’etichetta ${name}`,
      `All records with the tag ${name}`,
    ],
  },
  relations: {
    title: ['Verwandte Einträge', 'Schede collegate', 'Related records'],
    all: (count: number) => [
      `Alle ${formatNumber(count)}`,
      `Tutte (${formatNumber(count)})`,
      `All ${formatNumber(count)}`,
    ],
  },
  facts: {
    title: ['Über diesen Eintrag', 'Su questa scheda', 'About this record'],
    id: 'Id',
    source: ['Quelle', 'Fonte', 'Source'],
    licence: ['Lizenz', 'Licenza', 'Licence'],
    holder: ['Inhaber', 'Titolare', 'Holder'],
    changed: ['Geändert', 'Modificata', 'Changed'],
    imported: ['Erster Import', 'Prima importazione', 'First import'],
    languages: ['Sprachen', 'Lingue', 'Languages'],
    published: ['Veröffentlicht auf', 'Pubblicata su', 'Published on'],
    notStated: ['Nicht angegeben', 'Non indicata', 'Not stated'],
  },
  members: {
    others: ['Weitere Felder', 'Altri campi', 'More fields'],
    search: ['Feld suchen', 'Cerca un campo', 'Find a field'],
    deprecated: (since: string) => [
      `Abgekündigt seit ${since}`,
      `Deprecato ${withArticle('dal', since)}`,
      `Deprecated since ${since}`,
    ],
    removedAfter: (day: string) => [
      `mindestens bis ${day} vorhanden`,
      `disponibile almeno fino ${withArticle('al', day)}`,
      `served until ${day} at least`,
    ],
    instead: (path: string) => [`stattdessen ${path}`, `usare ${path}`, `use ${path}`],
    entries: counted(
      ['# Element', '# elemento', '# element'],
      ['# Elemente', '# elementi', '# elements'],
    ),
    count: counted(['# Feld', '# campo', '# field'], ['# Felder', '# campi', '# fields']),
    found: counted(
      ['# Wert gefunden', '# valore trovato', '# value found'],
      ['# Werte gefunden', '# valori trovati', '# values found'],
    ),
    empty: ['leer', 'vuoto', 'empty'],
    yes: ['ja', 'sì', 'yes'],
    no: ['nein', 'no', 'no'],
    lead: [
      'Jedes Feld des Eintrags, so wie der Hub ihn liefert. Leere stehen am Ende.',
      'Ogni campo della scheda, così come l’hub la restituisce. Quelli vuoti stanno in fondo.',
      'Every field of the record as the hub sends it. Empty fields are listed at the end.',
    ],
    oldOnes: counted(
      ['# abgekündigtes Feld', '# campo deprecato', '# deprecated field'],
      ['# abgekündigte Felder', '# campi deprecati', '# deprecated fields'],
    ),
    emptyOnes: ['Ohne Wert', 'Senza valore', 'Without a value'],
  },
  versions: {
    lead: [
      'Was sich bei jedem Schreiben geändert hat, das Neueste zuerst. Versionen von Einträgen, die teilweise geschlossen sind, brauchen eine Anmeldung.',
      'Che cosa è cambiato a ogni scrittura, a partire dalla più recente. Le versioni delle schede chiuse in parte richiedono l’accesso.',
      'What changed with each write, newest first. Versions of records that are partly closed need a login.',
    ],
    one: (revision: number) => [
      `Version ${formatNumber(revision)}`,
      `Versione ${formatNumber(revision)}`,
      `Version ${formatNumber(revision)}`,
    ],
    current: ['aktuell', 'attuale', 'current'],
    by: (who: string) => [`von ${who}`, `di ${who}`, `by ${who}`],
    from: (source: string) => [`aus ${source}`, `da ${source}`, `from ${source}`],
    restore: (revision: number) => [
      `Version ${formatNumber(revision)} wiederherstellen`,
      `Ripristina la versione ${formatNumber(revision)}`,
      `Restore version ${formatNumber(revision)}`,
    ],
    restoreTitle: (revision: number) => [
      `Was sich mit Version ${formatNumber(revision)} ändert`,
      `Che cosa cambia con la versione ${formatNumber(revision)}`,
      `What version ${formatNumber(revision)} changes`,
    ],
    save: ['Wiederherstellen', 'Ripristina', 'Restore'],
    first: [
      'Die erste Version, die der Hub aufbewahrt hat.',
      'La prima versione che l’hub ha conservato.',
      'The first version that the hub has kept.',
    ],
    nothing: [
      'Nur die Zeiten des Schreibens haben sich geändert.',
      'Sono cambiati soltanto gli orari di scrittura.',
      'Only the times of writing changed.',
    ],
    show: (revision: number) => [
      `Was sich in Version ${formatNumber(revision)} geändert hat`,
      `Che cosa è cambiato nella versione ${formatNumber(revision)}`,
      `What changed in version ${formatNumber(revision)}`,
    ],
    kinds: {
      added: ['Neu', 'Aggiunto', 'Added'],
      removed: ['Entfernt', 'Rimosso', 'Removed'],
      changed: ['Geändert', 'Cambiato', 'Changed'],
    },
    before: ['Vorher', 'Prima', 'Before'],
    after: ['Nachher', 'Dopo', 'After'],
    more: counted(
      [
        '# weitere Änderung; siehe das JSON beider Versionen.',
        'Un’altra modifica; si veda il JSON delle due versioni.',
        '# more change; see the JSON of both versions.',
      ],
      [
        '# weitere Änderungen; siehe das JSON beider Versionen.',
        'Altre # modifiche; si veda il JSON delle due versioni.',
        '# more changes; see the JSON of both versions.',
      ],
    ),
    none: [
      'Von diesem Eintrag hat der Hub keine Version aufbewahrt.',
      'Di questa scheda l’hub non ha conservato versioni.',
      'The hub has kept no version of this record.',
    ],
    older: [
      'Ältere Versionen liefert die Anfrage unten.',
      'Le versioni più vecchie si leggono con la richiesta qui sotto.',
      'The request below reads older versions.',
    ],
  },
})
