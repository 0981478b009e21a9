import { inLanguage, naming } from '../language/index.ts'

export const words = inLanguage({
  title: ['Arbeitsplatz', 'Scrivania', 'Desk'],
  lead: naming(['Was Sie als # tun können.', 'Che cosa può fare come #.', 'What you can do as #.']),
  logIn: {
    title: ['Melden Sie sich an', 'Effettui l’accesso', 'Log in'],
    body: [
      'Hier werden Daten bereitgestellt, gepflegt und überwacht. Was Sie sehen, hängt von Ihren Rechten ab.',
      'Qui si forniscono, curano e controllano i dati. Che cosa vede dipende dai suoi diritti.',
      'Provide, maintain and monitor data here. What you see depends on your rights.',
    ],
    action: ['Anmelden', 'Accedi', 'Log in'],
  },
  nothing: {
    title: [
      'Ihr Konto darf hier nichts ändern',
      'Il suo account non può cambiare nulla qui',
      'Your account cannot change anything here',
    ],
    body: [
      'Bitten Sie den Betreiber des Hubs um eine Rolle.',
      'Chieda un ruolo al gestore dell’hub.',
      'Ask the operator of the hub for a role.',
    ],
  },
  alerts: {
    none: ['Nichts zu melden', 'Niente da segnalare', 'Nothing to report'],
    noRules: [
      'Es gibt keine Regeln. Die Einstellung HUB_ALERTS nennt ihre Datei.',
      'Non ci sono regole. L’impostazione HUB_ALERTS indica il loro file.',
      'There are no rules. Set HUB_ALERTS to a file of rules.',
    ],
    guide: ['Anleitung', 'Guida', 'Guide'],
    pending: ['noch nicht gemeldet', 'non ancora segnalato', 'not reported yet'],
    takenBy: naming(['# kümmert sich darum', 'Se ne occupa #', 'Acknowledged by #']),
    take: ['Übernehmen', 'Prendi in carico', 'Acknowledge'],
    rules: ['Regeln', 'Regole', 'Rules'],
    rule: ['Regel', 'Regola', 'Rule'],
    watches: ['Überwacht', 'Controlla', 'Watches'],
    limit: ['Grenze', 'Limite', 'Limit'],
    receivers: ['Empfänger', 'Destinatari', 'Receivers'],
    silence: ['Stille', 'Silenzio', 'Silence'],
    silenceFor: ['Stumm schalten', 'Silenzia', 'Silence'],
    hours: {
      one: ['1 Stunde', '1 ora', '1 hour'],
      eight: ['8 Stunden', '8 ore', '8 hours'],
      week: ['1 Woche', '1 settimana', '1 week'],
    },
    until: ['bis', 'fino a', 'until'],
    endSilence: ['Stille beenden', 'Termina il silenzio', 'End silence'],
    notices: ['Nicht angekommen', 'Non recapitati', 'Not delivered'],
    attempts: ['Versuche', 'Tentativi', 'Attempts'],
    reason: ['Grund', 'Motivo', 'Reason'],
    message: ['Meldung', 'Avviso', 'Message'],
  },
  parts: {
    alerts: {
      title: ['Meldungen', 'Avvisi', 'Alerts'],
      lead: [
        'Was stillsteht, veraltet oder voll ist, und wer es erfährt.',
        'Che cosa è fermo, vecchio o pieno, e chi ne viene informato.',
        'Alerts about silent streams, stale series and full disks, and who is notified.',
      ],
    },
    status: {
      title: ['Zustand des Hubs', 'Stato dell’hub', 'Hub status'],
      lead: [
        'Dienste, Knoten, Warteschlange, Nutzung, Speicherplatz und Einstellungen.',
        'Servizi, nodi, coda, uso, spazio occupato e impostazioni.',
        'Services, nodes, queue, use, storage and settings.',
      ],
    },
    records: {
      title: ['Einträge', 'Schede', 'Records'],
      lead: [
        'Öffnen Sie im Katalog einen Eintrag: Dort bearbeiten oder löschen Sie ihn; unter „Versionen“ stellen Sie eine frühere wieder her.',
        'Apra una scheda dal catalogo: lì può modificarla o eliminarla; in «Versioni» può ripristinarne una precedente.',
        'Open a record in the catalogue to edit or delete it; under “Versions” you can restore an earlier one.',
      ],
    },
    quality: {
      title: ['Datenqualität', 'Qualità dei dati', 'Data quality'],
      lead: [
        'Was Einträgen und Zeitreihen fehlt, mit den Listen dazu: Texte, Bilder, Lizenzen, Positionen, Werte.',
        'Che cosa manca a schede e serie, con i relativi elenchi: testi, immagini, licenze, posizioni, valori.',
        'Records and series with missing texts, pictures, licences, positions or values.',
      ],
    },
    streams: {
      title: ['Datenströme', 'Flussi', 'Streams'],
      lead: [
        'Was Sie an den Hub senden, was daraus wurde und was abgelehnt wurde.',
        'Che cosa invia all’hub, che cosa ne è stato e che cosa è stato rifiutato.',
        'What you send to the hub, how it was processed, and what was rejected.',
      ],
    },
    access: {
      title: ['Zugang', 'Accesso', 'Access'],
      lead: [
        'Benutzer, Clients, Regeln, Push-Rechte und das Protokoll aller Änderungen.',
        'Utenti, client, regole, permessi push e il registro di tutte le modifiche.',
        'Users, clients, rules, push permissions and the log of all changes.',
      ],
    },
  },
})
