import { inLanguage } from '../language/index.ts'

const en = {
  title: 'Login',
  working: 'One moment: completing your login.',
  failed: 'The login did not work',
  whatToDo: 'Try again. If it still fails, send the operator the text below.',
  notBegun: 'This login was not started in this tab, or it is finished already.',
  trouble: {
    ended: {
      title: 'Your login has ended',
      body: 'You see what everybody sees. Log in again to see more.',
    },
    login: {
      title: 'The login could not start',
      body: 'Try again. If it still fails, send the operator the text below. Where your browser keeps no data of websites, allow it for this one.',
    },
    logout: {
      title: 'You are logged out here only',
      body: 'The account could not be reached: it may still be open elsewhere. Log out there, too, if others use this computer.',
    },
  },
  close: 'Close',
  again: 'Log in again',
  toCatalogue: 'To the catalogue',
}

const de: typeof en = {
  title: 'Anmeldung',
  working: 'Einen Moment: Ihre Anmeldung wird abgeschlossen.',
  failed: 'Die Anmeldung hat nicht geklappt',
  whatToDo:
    'Versuchen Sie es noch einmal. Wenn es so bleibt, sagen Sie dem Betreiber, was darunter steht.',
  notBegun: 'Diese Anmeldung wurde nicht in diesem Tab begonnen, oder sie ist schon abgeschlossen.',
  trouble: {
    ended: {
      title: 'Ihre Anmeldung ist abgelaufen',
      body: 'Sie sehen, was alle sehen. Melden Sie sich wieder an, um mehr zu sehen.',
    },
    login: {
      title: 'Die Anmeldung konnte nicht beginnen',
      body: 'Versuchen Sie es noch einmal. Wenn es so bleibt, sagen Sie dem Betreiber, was darunter steht. Falls Ihr Browser keine Daten von Websites speichert, erlauben Sie es für diese.',
    },
    logout: {
      title: 'Sie sind nur hier abgemeldet',
      body: 'Das Konto war nicht zu erreichen: Anderswo ist es vielleicht noch offen. Melden Sie sich auch dort ab, wenn andere diesen Computer benutzen.',
    },
  },
  close: 'Schließen',
  again: 'Noch einmal anmelden',
  toCatalogue: 'Zum Katalog',
}

const it: typeof en = {
  title: 'Accesso',
  working: 'Un momento: l’accesso sta per concludersi.',
  failed: 'L’accesso non è riuscito',
  whatToDo: 'Riprovi. Se non cambia, comunichi al gestore quello che è scritto qui sotto.',
  notBegun: 'Questo accesso non è iniziato in questa scheda, oppure è già concluso.',
  trouble: {
    ended: {
      title: 'L’accesso è scaduto',
      body: 'Vede quello che vedono tutti. Acceda di nuovo per vedere di più.',
    },
    login: {
      title: 'L’accesso non è potuto iniziare',
      body: 'Riprovi. Se non cambia, comunichi al gestore quello che è scritto qui sotto. Se il browser non conserva dati dei siti, lo permetta per questo.',
    },
    logout: {
      title: 'È uscito solo da qui',
      body: 'L’account non era raggiungibile: altrove potrebbe essere ancora aperto. Esca anche da lì, se altri usano questo computer.',
    },
  },
  close: 'Chiudi',
  again: 'Accedi di nuovo',
  toCatalogue: 'Al catalogo',
}

export const words = inLanguage({ de, it, en })
