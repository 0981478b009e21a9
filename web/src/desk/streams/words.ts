import { counted, inLanguage, naming, plural } from '../../language/index.ts'

const messages = (count: number) => plural(count, { one: '#', other: '#' })

export const words = inLanguage({
  title: ['Datenströme', 'Flussi', 'Streams'],
  lead: [
    'Nachrichten der letzten 30 Tage.',
    'Messaggi degli ultimi 30 giorni.',
    'Messages of the last 30 days.',
  ],
  none: {
    title: [
      'Sie haben noch keinen Datenstrom',
      'Non ha ancora alcun flusso',
      'You have no stream yet',
    ],
    body: [
      'Bitten Sie den Betreiber des Hubs um die Berechtigung, Daten zu senden.',
      'Chieda al gestore dell’hub il permesso di inviare dati.',
      'Ask the operator of the hub for permission to push.',
    ],
  },
  readBy: naming(['Gelesen von #', 'Letto da #', 'Read by #']),
  nothingReads: [
    'Noch liest nichts diesen Datenstrom',
    'Nulla legge ancora questo flusso',
    'Nothing reads this stream yet',
  ],
  playground: ['Mapping ausprobieren', 'Prova un mapping', 'Try a mapping'],
  ownFormat: ['Format des Hubs', 'Formato dell’hub', 'Format of the hub'],
  nothingArrived: [
    'Noch ist nichts eingegangen',
    'Non è ancora arrivato nulla',
    'Nothing has arrived yet',
  ],
  lastArrival: ['Letzter Eingang', 'Ultimo arrivo', 'Last arrival'],
  arrivals: (days: number, most: number) => [
    `Eingänge in ${messages(days)} Tagen, höchstens ${messages(most)} an einem Tag`,
    `Arrivi in ${messages(days)} giorni, al massimo ${messages(most)} in un giorno`,
    `Arrivals in ${messages(days)} days, at most ${messages(most)} in a day`,
  ],
  messagesIn: {
    accepted: counted(
      ['# wartet', '# in attesa', '# waiting'],
      ['# warten', '# in attesa', '# waiting'],
    ),
    processing: counted(['# in Arbeit', '# in corso', '# in progress']),
    visible: counted(
      ['# sichtbar', '# visibile', '# visible'],
      ['# sichtbar', '# visibili', '# visible'],
    ),
    rejected: counted(
      ['# abgelehnt', '# rifiutato', '# rejected'],
      ['# abgelehnt', '# rifiutati', '# rejected'],
    ),
    empty: counted(['# leer', '# vuoto', '# empty'], ['# leer', '# vuoti', '# empty']),
    dead: counted(
      ['# gescheitert', '# fallito', '# dead'],
      ['# gescheitert', '# falliti', '# dead'],
    ),
  },
  state: ['Zustand', 'Stato', 'State'],
  anyState: ['Alle', 'Tutti', 'All'],
  states: {
    accepted: ['Wartet', 'In attesa', 'Waiting'],
    processing: ['In Arbeit', 'In corso', 'In progress'],
    visible: ['Sichtbar', 'Visibile', 'Visible'],
    rejected: ['Abgelehnt', 'Rifiutato', 'Rejected'],
    empty: ['Leer', 'Vuoto', 'Empty'],
    dead: ['Gescheitert', 'Fallito', 'Dead'],
  },
  from: ['Eingegangen ab', 'Arrivati da', 'Received from'],
  cancel: ['Abbrechen', 'Annulla', 'Cancel'],
  replay: {
    one: ['Erneut verarbeiten', 'Elabora di nuovo', 'Replay'],
    many: ['Auswahl erneut verarbeiten', 'Elabora di nuovo la selezione', 'Replay this selection'],
    title: ['Erneut verarbeiten', 'Elabora di nuovo', 'Replay'],
    action: ['Verarbeiten', 'Elabora', 'Replay'],
    lead: [
      'Die Verarbeitung läuft, als wären die Daten gerade eingegangen. Was neuere Nachrichten geschrieben haben, bleibt.',
      'L’elaborazione avviene come se i dati fossero appena arrivati. Ciò che hanno scritto messaggi più recenti resta.',
      'It is processed as if it had just arrived. Data from newer messages stays.',
    ],
    manyLead: [
      'Alle Nachrichten mit diesem Zustand und Eingang, die ältesten zuerst, höchstens 1000 auf einmal.',
      'Tutti i messaggi con questo stato e arrivo, dai più vecchi, al massimo 1000 alla volta.',
      'All messages in this state from this time on, oldest first, at most 1,000 at once.',
    ],
    changes: ['Was sich ändert', 'Che cosa cambia', 'What changes'],
    changesNothing: [
      'An den gespeicherten Daten ändert sich nichts.',
      'I dati salvati non cambiano.',
      'Stored data does not change.',
    ],
    same: [
      'Alle Werte bleiben gleich',
      'Tutti i valori restano uguali',
      'All values stay the same',
    ],
    now: ['Gespeichert', 'Salvato', 'Stored'],
    then: ['Danach', 'Dopo', 'Afterwards'],
    kinds: {
      create: ['Neu', 'Nuovo', 'New'],
      update: ['Geändert', 'Modificato', 'Changed'],
      delete: ['Gelöscht', 'Eliminato', 'Deleted'],
    },
    more: counted(
      ['und # weiterer', 'e # altro', 'and # more'],
      ['und # weitere', 'e altri #', 'and # more'],
    ),
    done: counted(
      ['# Nachricht wird verarbeitet', '# messaggio in elaborazione', '# message is replayed'],
      ['# Nachrichten werden verarbeitet', '# messaggi in elaborazione', '# messages are replayed'],
    ),
    left: counted(
      ['# bleibt', '# rimane', '# is left'],
      ['# bleiben', '# rimangono', '# are left'],
    ),
  },
  discard: {
    one: ['Löschen', 'Elimina', 'Delete'],
    title: ['Nachricht löschen', 'Elimina il messaggio', 'Delete message'],
    action: ['Endgültig löschen', 'Elimina definitivamente', 'Delete permanently'],
    lead: [
      'Die gesendeten Daten gehen verloren. Verarbeiten Sie die Nachricht erneut, wenn die Ursache behoben ist.',
      'I dati inviati vanno persi. Se la causa è risolta, elabori di nuovo il messaggio.',
      'The body will be deleted. If the cause of the failure is fixed, replay the message instead.',
    ],
  },
  noMessages: ['Keine Nachrichten', 'Nessun messaggio', 'No messages'],
  newest: ['Neueste Nachrichten', 'Messaggi più recenti', 'Newest messages'],
  older: ['Ältere Nachrichten', 'Messaggi meno recenti', 'Older messages'],
  stored: counted(
    ['# Objekt gespeichert', '# elemento salvato', '# item stored'],
    ['# Objekte gespeichert', '# elementi salvati', '# items stored'],
  ),
  rejected: counted(
    ['# abgelehnt', '# rifiutato', '# rejected'],
    ['# abgelehnt', '# rifiutati', '# rejected'],
  ),
  visibleAfter: naming(['sichtbar nach # s', 'visibile dopo # s', 'visible after # s']),
  receipt: ['Quittung', 'Ricevuta', 'Receipt'],
  attempts: counted(
    ['# Versuch', '# tentativo', '# attempt'],
    ['# Versuche', '# tentativi', '# attempts'],
  ),
  items: {
    rejected: ['Was abgelehnt wurde', 'Che cosa è stato rifiutato', 'What was rejected'],
    warnings: ['Hinweise', 'Avvisi', 'Warnings'],
  },
  where: ['Wo', 'Dove', 'Where'],
  reason: ['Grund', 'Motivo', 'Reason'],
  wholeMessage: ['ganze Nachricht', 'tutto il messaggio', 'whole message'],
  line: naming(['Zeile #', 'riga #', 'line #']),
  original: [
    'Gesendete Daten herunterladen',
    'Scarica i dati inviati',
    'Download the body as received',
  ],
  notOwn: [
    'Die gesendeten Daten erhält nur, wer sie gesendet hat.',
    'I dati inviati sono solo per chi li ha inviati.',
    'Only its sender can see the body.',
  ],
})
