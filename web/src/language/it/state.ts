import type { StateMessages } from '../en/state.ts'
import { wordsOf } from '../intl.ts'

const { plural } = wordsOf('it')

export const state: StateMessages = {
  loading: 'Caricamento',
  requestId: 'Numero della richiesta',
  logIn: 'Accedi',
  tryNow: 'Riprova adesso',
  toCatalogue: 'Al catalogo',
  tryingIn: (seconds) =>
    seconds === 0
      ? 'Nuovo tentativo …'
      : `Nuovo tentativo tra ${plural(seconds, { one: '# secondo', other: '# secondi' })}.`,
  empty: {
    title: 'Qui non c’è niente',
    body: 'Niente corrisponde alla scelta. Tolga un filtro o cerchi qualcos’altro.',
  },
  failures: {
    offline: {
      title: 'L’hub non è raggiungibile',
      body: 'Controlli la connessione. Appena l’hub risponde, la pagina prosegue da sola.',
    },
    unauthorised: {
      title: 'Per vederlo bisogna accedere',
      body: 'Lo vede solo chi ha effettuato l’accesso. Se lo aveva fatto, l’accesso è scaduto.',
    },
    forbidden: {
      title: 'Non per questo account',
      body: 'Non può vederlo. Acceda con un altro account o chieda l’accesso al gestore.',
    },
    notFound: {
      title: 'Non trovato',
      body: 'Non esiste, è stato rimosso oppure non è pubblico. Controlli l’indirizzo o guardi nel catalogo.',
    },
    tooMany: {
      title: 'Troppe richieste',
      body: 'Ha già usato tutte le richieste consentite. Aspetti un momento; la pagina prosegue da sola.',
    },
    tooLong: {
      title: 'Periodo troppo lungo',
      body: 'È più storico di quanto può avere in una volta. Scelga un periodo più breve o acceda per averne di più.',
    },
    unavailable: {
      title: 'L’hub è occupato o si sta avviando',
      body: 'Tra poco risponde di nuovo. Non deve fare niente; la pagina riprova da sola.',
    },
    invalid: {
      title: 'L’hub non capisce la richiesta',
      body: 'Qualcosa nella scelta o nel testo non va. Lo cambi come descritto qui.',
    },
    broken: {
      title: 'Qualcosa è andato storto',
      body: 'Non è colpa sua. Riprovi; se succede ancora, comunichi al gestore il numero della richiesta.',
    },
  },
}
