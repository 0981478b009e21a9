import type { StateMessages } from '../en/state.ts'
import { wordsOf } from '../intl.ts'

const { plural } = wordsOf('de')

export const state: StateMessages = {
  loading: 'Wird geladen',
  requestId: 'Nummer der Anfrage',
  logIn: 'Anmelden',
  tryNow: 'Jetzt noch einmal versuchen',
  toCatalogue: 'Zum Katalog',
  tryingIn: (seconds) =>
    seconds === 0
      ? 'Neuer Versuch …'
      : `Neuer Versuch in ${plural(seconds, { one: '# Sekunde', other: '# Sekunden' })}.`,
  empty: {
    title: 'Hier ist nichts',
    body: 'Nichts passt zu Ihrer Auswahl. Entfernen Sie einen Filter, oder suchen Sie etwas anderes.',
  },
  failures: {
    offline: {
      title: 'Der Hub ist nicht erreichbar',
      body: 'Prüfen Sie Ihre Verbindung. Sobald der Hub antwortet, geht es von selbst weiter.',
    },
    unauthorised: {
      title: 'Dafür müssen Sie sich anmelden',
      body: 'Das sehen nur angemeldete Personen. Falls Sie es waren, ist Ihre Anmeldung abgelaufen.',
    },
    forbidden: {
      title: 'Nicht für dieses Konto',
      body: 'Sie dürfen das nicht sehen. Melden Sie sich mit einem anderen Konto an, oder bitten Sie den Betreiber um Zugang.',
    },
    notFound: {
      title: 'Nicht vorhanden',
      body: 'Das gibt es nicht, es wurde entfernt, oder es ist nicht öffentlich. Prüfen Sie die Adresse, oder sehen Sie im Katalog nach.',
    },
    tooMany: {
      title: 'Zu viele Anfragen',
      body: 'Sie haben so oft gefragt, wie Ihr Kontingent erlaubt. Warten Sie einen Moment; es geht von selbst weiter.',
    },
    tooLong: {
      title: 'Zu langer Zeitraum',
      body: 'So viel Verlauf auf einmal steht Ihnen nicht zu. Wählen Sie einen kürzeren Zeitraum, oder melden Sie sich für mehr an.',
    },
    unavailable: {
      title: 'Der Hub ist beschäftigt oder startet gerade',
      body: 'Er antwortet bald wieder. Sie müssen nichts tun; die Seite versucht es von selbst.',
    },
    invalid: {
      title: 'Das versteht der Hub nicht',
      body: 'Etwas an Ihrer Auswahl oder Eingabe stimmt nicht. Ändern Sie es, wie hier beschrieben.',
    },
    broken: {
      title: 'Etwas ist schiefgegangen',
      body: 'Das ist nicht Ihr Fehler. Versuchen Sie es noch einmal; wenn es bleibt, nennen Sie dem Betreiber die Nummer der Anfrage.',
    },
  },
}
