import { flag, note, object, text } from './values.ts'

/** Under which terms a record may be used, and who holds the rights. */
export const licence = object({
  License: note(text, 'Such as CC0; Closed for closed data'),
  LicenseHolder: note(text, 'Address of the provider'),
  Author: text,
  ClosedData: note(flag, 'Whether only callers with a role for it see the record'),
})
