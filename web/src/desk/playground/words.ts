import { counted, inLanguage, naming } from '../../language/index.ts'

export const words = inLanguage({
  title: ['Testumgebung', 'Area di prova', 'Playground'],
  lead: [
    'Was das Mapping aus Ihren Daten macht, sehen Sie bei jeder Änderung. Nichts wird gespeichert.',
    'A ogni modifica vede che cosa il mapping ricava dai Suoi dati. Nulla viene salvato.',
    'See with each change what the mapping makes of your data. Nothing is stored.',
  ],
  guide: ['Anleitung', 'Guida', 'Guide'],
  payload: ['Daten', 'Dati', 'Payload'],
  payloadHint: [
    'Fügen Sie sie ein, oder ziehen Sie eine Datei hierher.',
    'Li incolli, o trascini qui un file.',
    'Paste it, or drop a file here.',
  ],
  fromMessage: ['Aus einer Nachricht', 'Da un messaggio', 'From a message'],
  noMessage: ['Nachricht wählen', 'Scelga un messaggio', 'Choose a message'],
  mapping: ['Mapping', 'Mapping', 'Mapping'],
  mappingHint: [
    'YAML mit Ausdrücken in JSONata.',
    'YAML con espressioni in JSONata.',
    'YAML with expressions in JSONata.',
  ],
  fields: ['Felder', 'Campi', 'Fields'],
  faults: ['Fehler im Mapping', 'Errori nel mapping', 'Faults of the mapping'],
  place: (line: string, column: string) => [
    `Zeile ${line}, Spalte ${column}`,
    `Riga ${line}, colonna ${column}`,
    `Line ${line}, column ${column}`,
  ],
  faulty: counted(
    ['Das Mapping hat # Fehler', 'Il mapping ha # errore', 'The mapping has # fault'],
    ['Das Mapping hat # Fehler', 'Il mapping ha # errori', 'The mapping has # faults'],
  ),
  result: ['Ergebnis', 'Risultato', 'Result'],
  made: counted(
    ['# Objekt würde gespeichert', '# elemento verrebbe salvato', '# item would be stored'],
    ['# Objekte würden gespeichert', '# elementi verrebbero salvati', '# items would be stored'],
  ),
  rejected: counted(
    ['# abgelehnt', '# rifiutato', '# rejected'],
    ['# abgelehnt', '# rifiutati', '# rejected'],
  ),
  rejectedItems: ['Was abgelehnt wird', 'Che cosa viene rifiutato', 'What is rejected'],
  where: ['Wo', 'Dove', 'Where'],
  reason: ['Grund', 'Motivo', 'Reason'],
  whole: ['alle Daten', 'tutti i dati', 'whole payload'],
  item: naming(['Element #', 'elemento #', 'item #']),
  line: naming(['Zeile #', 'riga #', 'line #']),
  places: counted(['# Ort', '# luogo', '# place'], ['# Orte', '# luoghi', '# places']),
  chart: counted(
    ['Werte von # Zeitreihe', 'Valori di # serie', 'Values of # series'],
    ['Werte von # Zeitreihen', 'Valori di # serie', 'Values of # series'],
  ),
  moreLines: counted(
    ['und # weitere', 'e un’altra', 'and # more'],
    ['und # weitere', 'e altre #', 'and # more'],
  ),
  objects: ['Objekte', 'Oggetti', 'Objects'],
})
