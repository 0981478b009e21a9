import type { LoginMessages } from '../en/login.ts'

export const login: LoginMessages = {
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
