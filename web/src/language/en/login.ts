export const login = {
  title: 'Login',
  working: 'One moment: your login is being finished.',
  failed: 'The login did not work',
  whatToDo: 'Try again. If it stays like this, tell the operator what is written below.',
  notBegun: 'This login was not begun in this tab, or it is finished already.',
  trouble: {
    ended: {
      title: 'Your login has ended',
      body: 'You see what everybody sees. Log in again to see more.',
    },
    login: {
      title: 'The login could not begin',
      body: 'Try again. If it stays like this, tell the operator what is written below. Where your browser keeps no data of websites, allow it for this one.',
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

export type LoginMessages = typeof login
