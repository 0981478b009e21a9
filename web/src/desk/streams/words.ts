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
      'Ask the operator of the hub for the permission to push.',
    ],
  },
  readBy: naming(['Gelesen von #', 'Letto da #', 'Read by #']),
  nothingReads: [
    'Noch liest nichts diesen Datenstrom',
    'Nulla legge ancora questo flusso',
    'Nothing reads this stream yet',
  ],
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
    'The body is for its sender only.',
  ],
})
