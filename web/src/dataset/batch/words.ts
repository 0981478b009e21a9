import { counted, inLanguage } from '../../language/index.ts'

export const words = inLanguage({
  title: ['Mehrere Einträge ändern', 'Modificare più schede', 'Edit several records'],
  lead: [
    'Der Hub prüft jeden Eintrag, bevor gespeichert wird. Gespeichert wird einer nach dem anderen.',
    'L’hub controlla ogni scheda prima di salvare. Si salva una scheda alla volta.',
    'The hub checks each record before it is saved. They are saved one by one.',
  ],
  how: ['Was geschieht', 'Che cosa fare', 'What to do'],
  set: ['Feld setzen', 'Imposta un campo', 'Set a field'],
  add: ['Schlagwort hinzufügen', 'Aggiungi un’etichetta', 'Add a tag'],
  field: ['Feld', 'Campo', 'Field'],
  value: ['Wert', 'Valore', 'Value'],
  valueHint: [
    'Ja und Nein heißen true und false; leer löscht den Wert.',
    'Sì e no si scrivono true e false; vuoto elimina il valore.',
    'Write true or false for yes or no; an empty value removes the field.',
  ],
  tag: ['Schlagwort', 'Etichetta', 'Tag'],
  records: ['Einträge', 'Schede', 'Records'],
  all: ['Alle', 'Tutte', 'All'],
  none: ['Keine', 'Nessuna', 'None'],
  check: ['Prüfen', 'Controlla', 'Check'],
  save: counted(
    ['# Eintrag speichern', 'Salva # scheda', 'Save # record'],
    ['# Einträge speichern', 'Salva # schede', 'Save # records'],
  ),
  undo: ['Rückgängig machen', 'Annulla le modifiche', 'Undo'],
  close: ['Schließen', 'Chiudi', 'Close'],
  progress: ['Fortschritt', 'Avanzamento', 'Progress'],
  states: {
    same: ['unverändert', 'invariata', 'unchanged'],
    changed: {
      try: ['wird geändert', 'sarà modificata', 'will be changed'],
      write: ['gespeichert', 'salvata', 'saved'],
      undo: ['zurückgenommen', 'ripristinata', 'undone'],
    },
    failed: ['nicht möglich', 'non riuscita', 'failed'],
  },
})
