export {
  complexTypes,
  enumerations,
  isHighSurrogate,
  isRecordType,
  longestText,
  recordTypes,
} from './complex-types.ts'
export { attributeOf, descend, localName, readStructure, textAt, typeOf } from './from-element.ts'
export type { ReadElement, Value } from './from-element.ts'
export { isRecord, toElement } from './to-element.ts'
export type { Note } from './to-element.ts'
export { element, printElement, toXml, toXmlCharacters } from './xml.ts'
export type { PrintedElement, XmlElement } from './xml.ts'
