import { inLanguage } from '../language/index.ts'

export const words = inLanguage({
  title: ['Anfrage', 'Richiesta', 'Request'],
  standards: ['Standards', 'Standard', 'Standards'],
  parts: ['Welche Anfrage', 'Quale richiesta', 'Which request'],
  form: ['Wie die Anfrage geschrieben ist', 'Come è scritta la richiesta', 'Format of the request'],
  address: ['Adresse', 'Indirizzo', 'Address'],
  token: [
    'Sie sind angemeldet, und davon hängt ab, was Sie sehen. Setzen Sie für TOKEN ein eigenes Token ein.',
    'Ha effettuato l’accesso, e da questo dipende ciò che vede. Al posto di TOKEN metta un token suo.',
    'You are logged in, and what you see depends on it. Replace TOKEN with your own token.',
  ],
})
