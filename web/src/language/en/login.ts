export const login = {
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

export type LoginMessages = typeof login
