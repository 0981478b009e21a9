import { defineErrors } from './entry.ts'

/** What can be wrong with a file that is to be converted, or with the URL that it is at. */
export const conversionErrors = defineErrors({
  'HUB-GEO-001': {
    status: 400,
    title: 'File not understood',
    explanation:
      'The file is no well-formed KML or GPX, holds a document type, or has no position where one must be. `detail` names the line and the column. Entities other than the five of XML are not taken, and a compressed KMZ has to be unpacked first.',
  },
  'HUB-GEO-002': {
    status: 400,
    title: 'URL not allowed',
    explanation:
      'Files are fetched with http or https from ports 80, 443, 8080 and 8443 of public addresses only: not from inside of a network, and not with a user name or a password in the URL. Send the file itself with POST.',
  },
  'HUB-GEO-003': {
    status: 404,
    title: 'URL not found',
    explanation:
      'There is no file to be had at the URL: the host is unknown or does not answer, or it answered with another status than 200. `detail` tells which.',
  },
  'HUB-GEO-004': {
    status: 413,
    title: 'File too large',
    explanation:
      'A file may have 10 MiB and 1,000,000 positions. Split it, or leave out what is not needed.',
  },
  'HUB-GEO-005': {
    status: 504,
    title: 'URL too slow',
    explanation:
      'The file did not come within ten seconds. Try again later, or send the file itself with POST.',
  },
  'HUB-GEO-006': {
    status: 503,
    title: 'Too many conversions at once',
    explanation: 'A few files are converted at a time. Try again after the time in `Retry-After`.',
  },
})
