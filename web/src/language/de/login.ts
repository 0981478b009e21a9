import type { LoginMessages } from '../en/login.ts'

export const login: LoginMessages = {
  title: 'Anmeldung',
  working: 'Einen Moment: Ihre Anmeldung wird abgeschlossen.',
  failed: 'Die Anmeldung hat nicht geklappt',
  whatToDo:
    'Versuchen Sie es noch einmal. Wenn es so bleibt, sagen Sie dem Betreiber, was darunter steht.',
  again: 'Noch einmal anmelden',
  toCatalogue: 'Zum Katalog',
}
