import { inLanguage } from '../language/index.ts'

export const words = inLanguage({
  title: ['Anmeldung', 'Accesso', 'Login'],
  working: [
    'Einen Moment: Ihre Anmeldung wird abgeschlossen.',
    'Un momento: l’accesso sta per concludersi.',
    'One moment: completing your login.',
  ],
  failed: [
    'Die Anmeldung hat nicht geklappt',
    'L’accesso non è riuscito',
    'The login did not work',
  ],
  whatToDo: [
    'Versuchen Sie es noch einmal. Wenn es wieder nicht klappt, senden Sie dem Betreiber den Text unten.',
    'Riprovi. Se non funziona ancora, invii al gestore il testo qui sotto.',
    'Try again. If it still fails, send the operator the text below.',
  ],
  notBegun: [
    'Diese Anmeldung wurde nicht in diesem Tab begonnen, oder sie ist schon abgeschlossen.',
    'Questo accesso non è iniziato in questa scheda, oppure è già concluso.',
    'This login was not started in this tab, or is already finished.',
  ],
  trouble: {
    ended: {
      title: ['Ihre Anmeldung ist abgelaufen', 'L’accesso è scaduto', 'Your login has ended'],
      body: [
        'Sie sehen, was alle sehen. Melden Sie sich wieder an, um mehr zu sehen.',
        'Vede quello che vedono tutti. Acceda di nuovo per vedere di più.',
        'You see only public data. Log in again to see more.',
      ],
    },
    login: {
      title: [
        'Die Anmeldung konnte nicht beginnen',
        'L’accesso non è potuto iniziare',
        'The login could not start',
      ],
      body: [
        'Versuchen Sie es noch einmal. Wenn es wieder nicht klappt, senden Sie dem Betreiber den Text unten. Falls Ihr Browser keine Daten von Websites speichert, erlauben Sie es für diese.',
        'Riprovi. Se non funziona ancora, invii al gestore il testo qui sotto. Se il browser non conserva dati dei siti, lo permetta per questo.',
        'Try again. If it still fails, send the operator the text below. If your browser blocks website data, allow it for this site.',
      ],
    },
    logout: {
      title: [
        'Sie sind nur hier abgemeldet',
        'È uscito solo da qui',
        'You are logged out here only',
      ],
      body: [
        'Das Konto war nicht zu erreichen: Anderswo ist es vielleicht noch offen. Melden Sie sich auch dort ab, wenn andere diesen Computer benutzen.',
        'L’account non era raggiungibile: altrove potrebbe essere ancora aperto. Esca anche da lì, se altri usano questo computer.',
        'The identity provider did not respond, so you may still be logged in there. Log out there too if others use this computer.',
      ],
    },
  },
  close: ['Schließen', 'Chiudi', 'Close'],
  again: ['Noch einmal anmelden', 'Accedi di nuovo', 'Log in again'],
  toCatalogue: ['Zum Katalog', 'Al catalogo', 'To the catalogue'],
})
