import { wordsOf } from '../intl.ts'

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
    body: 'Nothing matches what you chose. Remove a filter, or search for something else.',
  },
  failures: {
    offline: {
      title: 'The hub cannot be reached',
      body: 'Check your connection. The page continues as soon as the hub answers.',
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
      title: 'Not found',
      body: 'It does not exist, was removed, or is not public. Check the address, or look in the catalogue.',
    },
    tooMany: {
      title: 'Too many requests',
      body: 'You have used your quota of requests. Wait a moment; the page continues automatically.',
    },
    tooLong: {
      title: 'The range is too long',
      body: 'That is more history than you may read at once. Choose a shorter range, or log in for more.',
    },
    unavailable: {
      title: 'The hub is busy or starting',
      body: 'It will answer again soon. The page retries automatically.',
    },
    invalid: {
      title: 'The hub does not understand this',
      body: 'Something you chose or wrote is not valid. Change it as described here.',
    },
    broken: {
      title: 'Something went wrong',
      body: 'This is not your fault. Try again; if it still fails, tell the operator and include the request id.',
    },
  },
}

export type StateMessages = typeof state
