import type { LoginMessages } from '../en/login.ts'

export const login: LoginMessages = {
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
