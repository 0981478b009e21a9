export const login = {
  title: 'Login',
  working: 'One moment: your login is being finished.',
  failed: 'The login did not work',
  whatToDo: 'Try again. If it stays like this, tell the operator what is written below.',
  again: 'Log in again',
  toCatalogue: 'To the catalogue',
}

export type LoginMessages = typeof login
