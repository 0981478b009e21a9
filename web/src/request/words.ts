import { inLanguage } from '../language/index.ts'

const en = {
  title: 'Request',
  parts: 'Which request',
  form: 'How the request is written',
  address: 'Address',
  token:
    'You are logged in, and what you see depends on it. Put a token of your own in place of TOKEN.',
}

const de: typeof en = {
  title: 'Anfrage',
  parts: 'Welche Anfrage',
  form: 'Wie die Anfrage geschrieben ist',
  address: 'Adresse',
  token:
    'Sie sind angemeldet, und davon hängt ab, was Sie sehen. Setzen Sie für TOKEN ein eigenes Token ein.',
}

const it: typeof en = {
  title: 'Richiesta',
  parts: 'Quale richiesta',
  form: 'Come è scritta la richiesta',
  address: 'Indirizzo',
  token:
    'Ha effettuato l’accesso, e da questo dipende ciò che vede. Al posto di TOKEN metta un token suo.',
}

export const words = inLanguage({ de, it, en })
