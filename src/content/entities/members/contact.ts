import { object, perLanguage, text } from './values.ts'

const contact = object({
  Language: text,
  CompanyName: text,
  NamePrefix: text,
  Givenname: text,
  Surname: text,
  Address: text,
  ZipCode: text,
  City: text,
  Area: text,
  Region: text,
  RegionCode: text,
  CountryCode: text,
  CountryName: text,
  Phonenumber: text,
  Faxnumber: text,
  Email: text,
  Url: text,
  LogoUrl: text,
  Vat: text,
  Tax: text,
})

/** Whom to ask, and where, per language. */
export const contacts = perLanguage(contact)
