import type { LoginMessages } from '../en/login.ts'

export const login: LoginMessages = {
  title: 'Accesso',
  working: 'Un momento: l’accesso sta per concludersi.',
  failed: 'L’accesso non è riuscito',
  whatToDo: 'Riprovi. Se non cambia, comunichi al gestore quello che è scritto qui sotto.',
  again: 'Accedi di nuovo',
  toCatalogue: 'Al catalogo',
}
