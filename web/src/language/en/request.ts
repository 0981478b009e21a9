export const request = {
  title: 'Request',
  parts: 'Which request',
  form: 'How the request is written',
  address: 'Address',
  token:
    'You are logged in, and what you see depends on it. Put a token of your own in place of TOKEN.',
}

export type RequestMessages = typeof request
