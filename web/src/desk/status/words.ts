import { counted, inLanguage, naming } from '../../language/index.ts'

export const words = inLanguage({
  title: ['Zustand des Hubs', 'Stato dell’hub', 'Hub status'],
  operation: ['Betrieb', 'Gestione', 'Operation'],
  checked: ['Geprüft', 'Verificato', 'Checked'],
  since: ['seit', 'dal', 'since'],
  overall: {
    ok: ['Alle Dienste laufen', 'Tutti i servizi funzionano', 'All services are running'],
    degraded: [
      'Ein Dienst ist eingeschränkt',
      'Un servizio funziona solo in parte',
      'A service is degraded',
    ],
    down: ['Ein Dienst ist ausgefallen', 'Un servizio non risponde', 'A service is down'],
  },
  states: {
    ok: ['läuft', 'funziona', 'running'],
    degraded: ['eingeschränkt', 'in parte', 'degraded'],
    down: ['ausgefallen', 'non risponde', 'down'],
  },
  services: {
    content: ['Inhalte', 'Contenuti', 'Content'],
    timeseries: ['Zeitreihen', 'Serie temporali', 'Time series'],
    traffic: ['Verkehrsmeldungen', 'Notizie sul traffico', 'Traffic feed'],
    push: ['Datenannahme', 'Ricezione dei dati', 'Push'],
    exports: ['Exporte', 'Esportazioni', 'Exports'],
    changes: ['Änderungen', 'Modifiche', 'Changes'],
  },
  datasets: ['Aktualität der Datensätze', 'Attualità dei dataset', 'Freshness of the datasets'],
  noCatalogue: [
    'Der Katalog kann im Moment nicht gelesen werden',
    'Al momento non è possibile leggere il catalogo',
    'The catalogue cannot be read at the moment',
  ],
  dataset: ['Datensatz', 'Dataset', 'Dataset'],
  freshness: ['Aktualität', 'Attualità', 'Freshness'],
  updated: ['Letzte Änderung', 'Ultima modifica', 'Last change'],
  freshnessOf: {
    fresh: ['aktuell', 'aggiornato', 'fresh'],
    late: ['verspätet', 'in ritardo', 'late'],
    stale: ['veraltet', 'vecchio', 'stale'],
    silent: ['ohne neue Werte', 'senza nuovi valori', 'silent'],
  },
  summary: {
    version: ['Version', 'Versione', 'Version'],
    database: ['Datenbank', 'Database', 'Database'],
    migrations: ['Neueste Migration', 'Ultima migrazione', 'Newest migration'],
    pending: counted(
      ['# fehlt', 'ne manca #', '# is missing'],
      ['# fehlen', 'ne mancano #', '# are missing'],
    ),
    perMonth: ['Messwerte je Monat', 'Misure al mese', 'Measurements per month'],
    inAYear: ['Messwerte in einem Jahr', 'Misure fra un anno', 'Measurements in a year'],
    memory: ['Arbeitsspeicher des Knotens', 'Memoria del nodo', 'Memory of the node'],
    cpu: ['Rechenzeit des Knotens', 'Tempo di CPU del nodo', 'CPU time of the node'],
    eventLoop: ['Verzug der Ereignisschleife', 'Ritardo dell’event loop', 'Event loop lag'],
    answerMemory: ['Antworten aus dem Speicher', 'Risposte dalla memoria', 'Responses from memory'],
    heldBack: ['Rückstand der Änderungen', 'Ritardo delle modifiche', 'Change feeds held back'],
  },
  nodes: ['Knoten', 'Nodi', 'Nodes'],
  pools: ['Datenbankverbindungen', 'Connessioni al database', 'Database connections'],
  queue: ['Warteschlange', 'Coda', 'Queue'],
  uses: {
    clients: ['Nutzung nach Programm', 'Uso per programma', 'Use by client'],
    datasets: ['Nutzung nach Datensatz', 'Uso per dataset', 'Use by dataset'],
    formats: ['Nutzung nach Format', 'Uso per formato', 'Use by format'],
    refused: [
      'Abgelehnt wegen Kontingent, nach Programm',
      'Rifiutate per quota, per programma',
      'Refused by quota, by client',
    ],
  },
  quotas: [
    'Abgelehnt wegen Kontingent, nach Art',
    'Rifiutate per quota, per tipo',
    'Refused by quota, by kind of caller',
  ],
  webhooks: ['Webhooks', 'Webhook', 'Webhooks'],
  statements: ['Langsame Abfragen', 'Query lente', 'Slow statements'],
  statementsFrom: {
    pg_stat_statements: [
      'Gemessen von PostgreSQL (pg_stat_statements), alle Knoten.',
      'Misurate da PostgreSQL (pg_stat_statements), tutti i nodi.',
      'Measured by PostgreSQL (pg_stat_statements), all nodes.',
    ],
    hub: [
      'Gemessen von diesem Knoten seit seinem Start.',
      'Misurate da questo nodo dal suo avvio.',
      'Measured by this node since its start.',
    ],
  },
  storage: ['Speicherplatz', 'Spazio occupato', 'Storage'],
  partitions: ['Messwerte nach Monat', 'Misure per mese', 'Measurements by month'],
  months: {
    states: {
      attached: ['lesbar', 'leggibile', 'attached'],
      cold: ['ausgelagert', 'su file', 'cold'],
      detaching: ['wird entfernt', 'in rimozione', 'detaching'],
      detached: ['entfernt', 'rimosso', 'detached'],
      moved: ['archiviert', 'archiviato', 'moved'],
    },
    retire: ['Entfernen', 'Rimuovi', 'Retire'],
    attach: ['Wieder anhängen', 'Ricollega', 'Attach'],
    unavailable: counted(
      [
        'Die Messwerte dieses Monats sind dann in keiner Antwort mehr enthalten.',
        'Le misure di questo mese non saranno più contenute in nessuna risposta.',
        'The values of this month will no longer appear in responses.',
      ],
      [
        'Die Messwerte dieser # Monate sind dann in keiner Antwort mehr enthalten.',
        'Le misure di questi # mesi non saranno più contenute in nessuna risposta.',
        'The values of these # months will no longer appear in responses.',
      ],
    ),
    consequence: naming([
      'Neue Werte für diese Zeit werden abgelehnt. Die Tabellen (#) bleiben erhalten und lassen sich wieder anhängen.',
      'I nuovi valori per questo periodo vengono rifiutati. Le tabelle (#) restano e si possono ricollegare.',
      'New values for this period are rejected. The tables (#) stay, and can be attached again.',
    ]),
    available: [
      'Die Messwerte dieses Monats sind dann wieder in den Antworten enthalten.',
      'Le misure di questo mese saranno di nuovo contenute nelle risposte.',
      'The values of this month will appear in responses again.',
    ],
    restored: [
      'Die Messwerte dieses Monats liegen dann wieder in der Datenbank; neue Werte werden angenommen.',
      'Le misure di questo mese saranno di nuovo nel database; i nuovi valori vengono accettati.',
      'The values of this month will be in the database again; new values are accepted.',
    ],
  },
  tables: ['Größte Tabellen', 'Tabelle più grandi', 'Largest tables'],
  settings: ['Einstellungen', 'Impostazioni', 'Settings'],
  secret: ['gesetzt, geheim', 'impostato, segreto', 'set, secret'],
  /** Column headings, separated by `|`. */
  heads: {
    uses: ['Name|Anfragen', 'Nome|Richieste', 'Name|Requests'],
    webhooks: ['Zustand|Anzahl', 'Stato|Numero', 'State|Count'],
    nodes: [
      'Knoten|Version|Start|Zuletzt gemeldet',
      'Nodo|Versione|Avvio|Ultimo segnale',
      'Node|Version|Started|Last seen',
    ],
    pools: [
      'Zweck|offen|frei|Wartende|höchstens',
      'Scopo|aperte|libere|in attesa|massimo',
      'Purpose|Open|Idle|Waiting|Most',
    ],
    queue: [
      'Datenstrom|wartend|gescheitert|ungelesen|älteste (s)',
      'Flusso|in attesa|falliti|non letti|più vecchio (s)',
      'Stream|Waiting|Dead|Unread|Oldest (s)',
    ],
    statements: [
      'Abfrage|Aufrufe|zusammen (s)|längste (s)',
      'Query|Esecuzioni|totale (s)|più lunga (s)',
      'Statement|Calls|Total (s)|Longest (s)',
    ],
    partitions: [
      'Tabelle|Zustand|Zeilen|Größe|Aktion',
      'Tabella|Stato|Righe|Dimensione|Azione',
      'Table|State|Rows|Size|Action',
    ],
    tables: ['Tabelle|Zeilen|Größe', 'Tabella|Righe|Dimensione', 'Table|Rows|Size'],
    settings: ['Einstellung|Wert|Herkunft', 'Impostazione|Valore|Origine', 'Setting|Value|Origin'],
  },
})
