import { counted, formatDay, formatNumber, inLanguage, naming } from '../language/index.ts'
import type { Text } from '../language/index.ts'

type MemberType =
  | 'text'
  | 'number'
  | 'boolean'
  | 'time'
  | 'object'
  | 'json'
  | 'value'
  | 'place'
  | 'any'

const operators: Readonly<Record<string, Text>> = {
  and: ['alle gelten', 'valgono tutte', 'all match'],
  or: ['eine gilt', 'ne vale una', 'any matches'],
  not: ['gilt nicht', 'non vale', 'does not match'],
  eq: ['gleich', 'uguale', 'equal'],
  ne: ['ungleich', 'diverso', 'not equal'],
  neq: ['ungleich', 'diverso', 'not equal'],
  gt: ['mehr als', 'più di', 'more than'],
  ge: ['mindestens', 'almeno', 'at least'],
  gteq: ['mindestens', 'almeno', 'at least'],
  lt: ['weniger als', 'meno di', 'less than'],
  le: ['höchstens', 'al massimo', 'at most'],
  lteq: ['höchstens', 'al massimo', 'at most'],
  like: ['enthält den Text', 'contiene il testo', 'contains the text'],
  likein: [
    'enthält einen der Texte oder Muster',
    'contiene uno dei testi o modelli',
    'contains one of the texts or patterns',
  ],
  in: ['einer der Werte', 'uno dei valori', 'one of the values'],
  nin: ['keiner der Werte', 'nessuno dei valori', 'none of the values'],
  isnull: ['fehlt', 'manca', 'is missing'],
  isnotnull: ['ist vorhanden', 'è presente', 'is present'],
  re: ['passt zum Muster', 'corrisponde al modello', 'matches the pattern'],
  ire: ['passt, groß oder klein', 'corrisponde, maiuscole o minuscole', 'matches, in any case'],
  nre: ['passt nicht', 'non corrisponde', 'does not match'],
  nire: [
    'passt nicht, groß oder klein',
    'non corrisponde, maiuscole o minuscole',
    'does not match, in any case',
  ],
  bbi: ['berührt das Rechteck', 'tocca il rettangolo', 'intersects the box'],
  bbc: ['liegt im Rechteck', 'sta nel rettangolo', 'is inside the box'],
  dlt: ['innerhalb einer Zahl von Metern', 'entro un numero di metri', 'within a number of metres'],
}

const types: Readonly<Record<MemberType, Text | string>> = {
  text: ['Text', 'testo', 'text'],
  number: ['Zahl', 'numero', 'number'],
  boolean: ['ja oder nein', 'sì o no', 'yes or no'],
  time: ['Zeit', 'data e ora', 'time'],
  object: ['Objekt', 'oggetto', 'object'],
  json: 'JSON',
  value: ['Wert', 'valore', 'value'],
  place: ['Ort', 'luogo', 'place'],
  any: ['beliebig', 'qualsiasi', 'anything'],
}

const comparisons = {
  is: ['ist', 'è', 'is'],
  isNot: ['ist nicht', 'non è', 'is not'],
  more: ['ist mehr als', 'è più di', 'is more than'],
  atLeast: ['ist mindestens', 'è almeno', 'is at least'],
  less: ['ist weniger als', 'è meno di', 'is less than'],
  atMost: ['ist höchstens', 'è al massimo', 'is at most'],
  contains: ['enthält', 'contiene', 'contains'],
  oneOf: ['ist eines von', 'è uno di', 'is one of'],
  noneOf: ['ist keines von', 'non è tra', 'is none of'],
  there: ['ist vorhanden', 'è presente', 'is present'],
  missing: ['fehlt', 'manca', 'is missing'],
} as const

type Area =
  | { readonly kind: 'box' | 'polygon' }
  | { readonly kind: 'circle'; readonly metres: number }

function distance(metres: number): string {
  return metres < 1000
    ? `${formatNumber(Math.round(metres))} m`
    : `${formatNumber(Math.round(metres / 100) / 10)} km`
}

export const words = inLanguage({
  conditions: {
    larger: [
      'In größerem Fenster bearbeiten',
      'Modifica in una finestra più grande',
      'Edit in a larger window',
    ],
    title: ['Weitere Bedingungen', 'Altre condizioni', 'More conditions'],
    way: [
      'Wie Bedingungen bearbeitet werden',
      'Come si modificano le condizioni',
      'Condition editor',
    ],
    rows: ['Auswählen', 'Scegli', 'Choose'],
    text: ['Schreiben', 'Scrivi', 'Write'],
    label: naming(['Ausdruck (#)', 'Espressione (#)', 'Expression (#)']),
  },
  builder: {
    choose: ['Feld wählen', 'Scegli un campo', 'Choose a field'],
    noMember: ['Kein Feld passt', 'Nessun campo corrisponde', 'No field matches'],
    values: ['Werte', 'Valori', 'Values'],
    addValue: ['Wert hinzufügen', 'Aggiungi un valore', 'Add a value'],
    zone: ['in Weltzeit (UTC)', 'in ora universale (UTC)', 'in universal time (UTC)'],
    yes: ['ja', 'sì', 'yes'],
    no: ['nein', 'no', 'no'],
    beyond: [
      'Zeilen können nicht den ganzen Ausdruck zeigen.',
      'Le righe non possono mostrare tutta l’espressione.',
      'Rows cannot show all of this expression.',
    ],
    write: ['Als Text bearbeiten', 'Modifica come testo', 'Edit it as text'],
    join: [
      'Wie Bedingungen verknüpft werden',
      'Come si combinano le condizioni',
      'How conditions are combined',
    ],
    all: ['Alle gelten', 'Valgono tutte', 'All match'],
    any: ['Eine gilt', 'Ne vale una', 'Any matches'],
    add: ['Bedingung hinzufügen', 'Aggiungi una condizione', 'Add a condition'],
    condition: counted(['Bedingung #', 'Condizione #', 'Condition #']),
    remove: counted(['Bedingung # entfernen', 'Rimuovi la condizione #', 'Remove condition #']),
    member: counted(['Feld der Bedingung #', 'Campo della condizione #', 'Field of condition #']),
    value: counted(['Wert der Bedingung #', 'Valore della condizione #', 'Value of condition #']),
    comparison: (count: number) => [
      `Vergleich der Bedingung ${formatNumber(count)}`,
      `Confronto della condizione ${formatNumber(count)}`,
      `Comparison of condition ${formatNumber(count)}`,
    ],
    comparisons,
    timeComparisons: {
      ...comparisons,
      is: ['ist am', 'è il', 'is at'],
      isNot: ['ist nicht am', 'non è il', 'is not at'],
      more: ['ist nach', 'è dopo il', 'is after'],
      atLeast: ['ist ab', 'è dal', 'is from … on'],
      less: ['ist vor', 'è prima del', 'is before'],
      atMost: ['ist bis', 'è fino al', 'is until'],
    },
  },
  completion: {
    operator: (name: string) => operators[name] ?? name,
    type: (type: MemberType) => types[type],
    deprecated: (since: string, removedAfter: string) => [
      `Abgekündigt seit ${formatDay(since)}, entfällt frühestens nach ${formatDay(removedAfter)}.`,
      `Deprecato dal ${formatDay(since)}, può essere rimosso dopo il ${formatDay(removedAfter)}.`,
      `Deprecated since ${formatDay(since)}, may be removed after ${formatDay(removedAfter)}.`,
    ],
    instead: (path: string) => [`Stattdessen: ${path}.`, `Usare ${path}.`, `Use ${path}.`],
  },
  expression: {
    expected: ['Hier erwartet:', 'Qui è atteso:', 'Expected here:'],
    expectedAt: (position: number) => [
      `An Stelle ${formatNumber(position)} erwartet:`,
      `Al carattere ${formatNumber(position)} è atteso:`,
      `At character ${formatNumber(position)} expected:`,
    ],
    wrong: ['Das ist nicht lesbar', 'Non si può leggere', 'This cannot be read'],
    apply: ['Anwenden', 'Applica', 'Apply'],
    discard: ['Änderungen verwerfen', 'Annulla le modifiche', 'Discard changes'],
    examples: ['Beispiele', 'Esempi', 'Examples'],
    understoodAs: ['Verstanden als', 'Inteso come', 'Understood as'],
    fine: [
      'Der Hub versteht das. Die Eingabetaste wendet es an.',
      'L’hub lo capisce. Invio lo applica.',
      'The hub understands this. Enter applies it.',
    ],
    enterApplies: [
      'Die Eingabetaste wendet es an. Strg und Leertaste zeigen, was möglich ist.',
      'Invio lo applica. Ctrl e spazio elencano ciò che è possibile.',
      'Enter applies it. Ctrl and space list the options.',
    ],
    placeholders: {
      rawfilter: [
        "like(Detail.de.Title,'see')",
        "like(Detail.it.Title,'lago')",
        "like(Detail.en.Title,'lake')",
      ],
      where: ['sname.ire."bahnhof"', 'sname.ire."stazione"', 'sname.ire."station"'],
    },
    exampleNames: {
      activeAndHigh: [
        'Aktiv und mindestens auf 1200 m',
        'Attivi e almeno a 1200 m',
        'Active, and at least 1200 m up',
      ],
      titleContains: ['„berg“ im Titel', '“berg” nel titolo', '“berg” in the title'],
      changedLately: [
        'In den letzten 30 Tagen geändert',
        'Cambiati negli ultimi 30 giorni',
        'Changed in the last 30 days',
      ],
      withPictures: ['Mit Bildern', 'Con immagini', 'With pictures'],
      withoutEnglish: ['Ohne englischen Titel', 'Senza titolo inglese', 'Without an English title'],
      withTag: ['Mit einem bestimmten Schlagwort', 'Con una certa etichetta', 'With a certain tag'],
      activeStations: ['Aktive Stationen', 'Stazioni attive', 'Active stations'],
      large: [
        'Ab einer Größe oder Höhe',
        'Da una grandezza o altitudine in su',
        'From a size or altitude on',
      ],
      named: ['Namen, die mit b beginnen', 'Nomi che iniziano con b', 'Names that begin with b'],
      near: ['Im Umkreis von 10 km um Bozen', 'Entro 10 km da Bolzano', 'Within 10 km of Bolzano'],
      ofOrigin: ['Mit einer bestimmten Herkunft', 'Di una certa origine', 'From one origin'],
    },
  },
  title: ['Filter', 'Filtri', 'Filters'],
  titleWith: counted(['Filter (#)', 'Filtri (#)', 'Filters (#)']),
  done: ['Fertig', 'Fatto', 'Done'],
  show: ['Einträge zeigen', 'Mostra le schede', 'Show records'],
  showFound: counted(
    ['# Eintrag zeigen', 'Mostra # scheda', 'Show # record'],
    ['# Einträge zeigen', 'Mostra # schede', 'Show # records'],
  ),
  found: counted(
    ['# Eintrag gefunden', '# scheda trovata', '# record found'],
    ['# Einträge gefunden', '# schede trovate', '# records found'],
  ),
  search: {
    label: ['Suche', 'Ricerca', 'Search'],
    records: ['Titel oder Kennung', 'Titolo o identificativo', 'Title or id'],
    stations: ['Name oder Code', 'Nome o codice', 'Name or code'],
  },
  facets: {
    tags: ['Schlagwörter', 'Etichette', 'Tags'],
    languages: ['Sprachen', 'Lingue', 'Languages'],
    languagesHint: ['Einträge in allen davon', 'Schede in tutte queste', 'Records in all of these'],
    sources: ['Quellen', 'Fonti', 'Sources'],
    origins: ['Herkunft', 'Origini', 'Origins'],
    licences: ['Lizenzen', 'Licenze', 'Licences'],
    dataTypes: ['Datentypen', 'Tipi di dati', 'Data types'],
    dataTypesHint: [
      'Deren letzte Werte gezeigt werden',
      'Di cui si vedono gli ultimi valori',
      'Stations whose latest values are shown',
    ],
    none: ['Kein Treffer', 'Nessun risultato', 'No match'],
    fewer: ['Weniger zeigen', 'Mostra meno', 'Show fewer'],
    searchIn: naming(['Suchen in: #', 'Cerca in: #', 'Search in #']),
    all: counted(['Alle # zeigen', 'Mostra tutti e #', 'Show all #']),
  },
  tagMode: {
    label: [
      'Wie Schlagwörter verknüpft werden',
      'Come si combinano le etichette',
      'How tags are combined',
    ],
    any: ['Eines davon', 'Una di esse', 'Any of them'],
    all: ['Alle davon', 'Tutte', 'All of them'],
  },
  active: {
    label: ['Status', 'Stato', 'Status'],
    any: ['Alle', 'Tutti', 'All'],
    yes: ['Aktiv', 'Attivi', 'Active'],
    no: ['Inaktiv', 'Non attivi', 'Inactive'],
  },
  chips: {
    none: [
      'Nichts gewählt: alle Einträge',
      'Niente scelto: tutte le schede',
      'Nothing chosen: all records',
    ],
    title: ['Gewählte Filter', 'Filtri scelti', 'Chosen filters'],
    clear: ['Alle entfernen', 'Rimuovi tutti', 'Clear all'],
    search: ['Suche', 'Ricerca', 'Search'],
    tag: ['Schlagwort', 'Etichetta', 'Tag'],
    language: ['Sprache', 'Lingua', 'Language'],
    source: ['Quelle', 'Fonte', 'Source'],
    licence: ['Lizenz', 'Licenza', 'Licence'],
    dataType: ['Datentyp', 'Tipo di dati', 'Data type'],
    areaTitle: ['Gebiet', 'Area', 'Area'],
    expression: ['Bedingung', 'Condizione', 'Condition'],
    area: (area: Area) =>
      area.kind === 'circle'
        ? [
            `Im Umkreis von ${distance(area.metres)}`,
            `Entro ${distance(area.metres)}`,
            `Within ${distance(area.metres)}`,
          ]
        : area.kind === 'box'
          ? ['Rechteck auf der Karte', 'Rettangolo sulla mappa', 'Rectangle on the map']
          : ['Form auf der Karte', 'Forma sulla mappa', 'Shape on the map'],
  },
  range: {
    from: ['Von', 'Da', 'From'],
    to: ['Bis', 'A', 'To'],
  },
})
