// DATEX II, written and read by tables that are printed from its schemas.
export { attributeOf, descend, localName, readStructure, textAt, typeOf } from './from-element.ts'
export type { ReadElement, Value } from './from-element.ts'
export { isRecord, toElement } from './to-element.ts'
export type { Note } from './to-element.ts'
export { isHighSurrogate, longestText } from './values.ts'
export { isRecordType, recordTypes, version2 } from './version-2.ts'
export { element, printElement, toXml, toXmlCharacters } from './xml.ts'
export type { PrintedElement, XmlElement } from './xml.ts'
