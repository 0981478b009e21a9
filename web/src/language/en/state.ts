import { wordsOf } from '../words.ts'

const { plural } = wordsOf('en')

export const state = {
  loading: 'Loading',
  requestId: 'Request id',
  logIn: 'Log in',
  tryNow: 'Try again now',
  toCatalogue: 'To the catalogue',
  tryingIn: (seconds: number) =>
    seconds === 0
      ? 'Trying again …'
      : `Trying again in ${plural(seconds, { one: '# second', other: '# seconds' })}.`,
  empty: {
    title: 'Nothing here',
    body: 'Nothing matches what you chose. Take back a filter, or search for something else.',
  },
  failures: {
    offline: {
      title: 'The hub cannot be reached',
      body: 'Check your connection. The page continues by itself as soon as the hub answers.',
    },
    unauthorised: {
      title: 'Log in to see this',
      body: 'This is shown only to those who are logged in. If you were, your login has ended.',
    },
    forbidden: {
      title: 'Not for this account',
      body: 'You may not see this. Log in with another account, or ask the operator for access.',
    },
    notFound: {
      title: 'Not there',
      body: 'It does not exist, was removed, or is not public. Check the address, or look in the catalogue.',
    },
    tooMany: {
      title: 'Too many requests',
      body: 'You have asked as often as your quota allows. Wait a moment; the page continues by itself.',
    },
    tooLong: {
      title: 'Too long a range',
      body: 'That is more history at once than you may have. Choose a shorter range, or log in for more.',
    },
    unavailable: {
      title: 'The hub is busy or starting',
      body: 'It answers again soon. You need not do anything; the page tries again by itself.',
    },
    invalid: {
      title: 'The hub does not understand this',
      body: 'Something in what you chose or wrote is wrong. Change it as described here.',
    },
    broken: {
      title: 'Something broke',
      body: 'This is not your fault. Try again; if it stays, tell the operator and name the request id.',
    },
  },
}

export type StateMessages = typeof state
