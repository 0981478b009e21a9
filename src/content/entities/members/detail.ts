import { keyed, note, object, perLanguage, text, texts } from './values.ts'

/** Titles and texts per language. Texts may hold HTML. */
export const detail = perLanguage(
  object({
    Language: text,
    Title: text,
    Header: text,
    SubHeader: text,
    IntroText: text,
    BaseText: text,
    AdditionalText: text,
    GetThereText: text,
    ParkingInfo: text,
    PublicTransportationInfo: text,
    AuthorTip: text,
    SafetyInfo: text,
    EquipmentInfo: text,
    MetaTitle: text,
    MetaDesc: text,
    Keywords: texts,
  }),
)

/** The short form, for what has no texts beyond a title. */
export const shortDetail = perLanguage(object({ Language: text, Title: text, BaseText: text }))

const theme = object({ Title: text, Intro: text, MetaTitle: text, MetaDesc: text })

/** Further titles, one set for each theme of the region's marketing. */
export const themedDetail = perLanguage(
  object({ Language: text, DetailsThemed: note(keyed(theme), 'Keyed by theme') }),
)
