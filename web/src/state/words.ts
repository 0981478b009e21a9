import { formatLength, inLanguage } from '../language/index.ts'

export const words = inLanguage({
  loading: ['Wird geladen', 'Caricamento', 'Loading'],
  requestId: ['Nummer der Anfrage', 'Numero della richiesta', 'Request id'],
  logIn: ['Anmelden', 'Accedi', 'Log in'],
  tryNow: ['Jetzt noch einmal versuchen', 'Riprova adesso', 'Try again now'],
  toCatalogue: ['Zum Katalog', 'Al catalogo', 'To the catalogue'],
  tryingIn: (seconds: number) =>
    seconds === 0
      ? ['Neuer Versuch …', 'Nuovo tentativo …', 'Trying again …']
      : [
          `Neuer Versuch in ${formatLength(seconds, 'second')}.`,
          `Nuovo tentativo tra ${formatLength(seconds, 'second')}.`,
          `Trying again in ${formatLength(seconds, 'second')}.`,
        ],
  empty: {
    title: ['Hier ist nichts', 'Qui non c’è niente', 'Nothing here'],
    body: [
      'Nichts passt zu Ihrer Auswahl. Entfernen Sie einen Filter, oder suchen Sie etwas anderes.',
      'Niente corrisponde alla scelta. Rimuova un filtro o cerchi qualcos’altro.',
      'Nothing matches your choices. Remove a filter, or search for something else.',
    ],
  },
  failures: {
    offline: {
      title: [
        'Der Hub ist nicht erreichbar',
        'L’hub non è raggiungibile',
        'The hub cannot be reached',
      ],
      body: [
        'Prüfen Sie Ihre Verbindung. Sobald der Hub antwortet, geht es von selbst weiter.',
        'Controlli la connessione. Appena l’hub risponde, la pagina prosegue da sola.',
        'Check your connection. The page continues as soon as the hub responds.',
      ],
    },
    unauthorised: {
      title: [
        'Dafür müssen Sie sich anmelden',
        'Per vederlo bisogna accedere',
        'Log in to see this',
      ],
      body: [
        'Das sehen nur angemeldete Personen. Falls Sie es waren, ist Ihre Anmeldung abgelaufen.',
        'Lo vede solo chi ha effettuato l’accesso. Se lo aveva fatto, l’accesso è scaduto.',
        'This is shown only to logged-in users. If you were logged in, your session has ended.',
      ],
    },
    forbidden: {
      title: ['Nicht für dieses Konto', 'Non per questo account', 'Not for this account'],
      body: [
        'Sie dürfen das nicht sehen. Melden Sie sich mit einem anderen Konto an, oder bitten Sie den Betreiber um Zugang.',
        'Non può vederlo. Acceda con un altro account o chieda l’accesso al gestore.',
        'You may not see this. Log in with another account, or ask the operator for access.',
      ],
    },
    notFound: {
      title: ['Nicht vorhanden', 'Non trovato', 'Not found'],
      body: [
        'Das gibt es nicht, es wurde entfernt, oder es ist nicht öffentlich. Prüfen Sie die Adresse, oder sehen Sie im Katalog nach.',
        'Non esiste, è stato rimosso oppure non è pubblico. Controlli l’indirizzo o guardi nel catalogo.',
        'It does not exist, was removed, or is not public. Check the address, or search the catalogue.',
      ],
    },
    tooMany: {
      title: ['Zu viele Anfragen', 'Troppe richieste', 'Too many requests'],
      body: [
        'Ihr Kontingent an Anfragen ist aufgebraucht. Warten Sie einen Moment; es geht von selbst weiter.',
        'Ha esaurito la sua quota di richieste. Aspetti un momento; la pagina prosegue da sola.',
        'Your request quota is exhausted. Wait a moment; the page continues automatically.',
      ],
    },
    tooLong: {
      title: ['Zu langer Zeitraum', 'Periodo troppo lungo', 'The range is too long'],
      body: [
        'So viel Verlauf dürfen Sie auf einmal nicht lesen. Wählen Sie einen kürzeren Zeitraum, oder melden Sie sich für mehr an.',
        'È più storico di quanto può leggere in una volta. Scelga un periodo più breve o acceda per averne di più.',
        'That is more history than you may read at once. Choose a shorter range, or log in for more.',
      ],
    },
    unavailable: {
      title: [
        'Der Hub ist beschäftigt oder startet gerade',
        'L’hub è occupato o si sta avviando',
        'The hub is busy or starting',
      ],
      body: [
        'Er antwortet bald wieder. Sie müssen nichts tun; die Seite versucht es von selbst.',
        'Tra poco risponde di nuovo. Non deve fare niente; la pagina riprova da sola.',
        'It will respond again soon. The page retries automatically.',
      ],
    },
    invalid: {
      title: [
        'Das versteht der Hub nicht',
        'L’hub non capisce la richiesta',
        'The hub does not understand this',
      ],
      body: [
        'Etwas an Ihrer Auswahl oder Eingabe stimmt nicht. Ändern Sie es, wie hier beschrieben.',
        'Qualcosa nella scelta o nel testo non va. Lo cambi come descritto qui.',
        'Something that you chose or wrote is not valid. Change it as described here.',
      ],
    },
    broken: {
      title: ['Etwas ist schiefgegangen', 'Qualcosa è andato storto', 'Something went wrong'],
      body: [
        'Das ist nicht Ihr Fehler. Versuchen Sie es noch einmal; wenn es wieder geschieht, nennen Sie dem Betreiber die Nummer der Anfrage.',
        'Non è colpa sua. Riprovi; se succede ancora, comunichi al gestore il numero della richiesta.',
        'This is not your fault. Try again; if it still fails, tell the operator and include the request id.',
      ],
    },
  },
})
