import {
  flag,
  integer,
  integerOrText,
  list,
  moment,
  note,
  number,
  object,
  perLanguage,
  text,
} from './values.ts'

/** What a stay may be booked as. */
export const ratePlans = list({
  RatePlanId: text,
  Code: text,
  ChargeType: text,
  Name: perLanguage(text),
  ShortDescription: perLanguage(text),
  LongDescription: perLanguage(text),
  LastUpdate: moment,
  Visibility: text,
})

const terms = {
  PaymentTerm: object({
    Id: integerOrText,
    Methods: integerOrText,
    Prepayment: integerOrText,
    Ccards: integerOrText,
    Priority: integer,
    Description: text,
    Bank: object({ Name: text, Iban: text, Swift: text }),
  }),
  CancelPolicy: object({
    Id: integerOrText,
    Refundable: integer,
    RefundableUntil: moment,
    Description: text,
    Penalties: list({ Percent: number, Datefrom: moment, Daysarrival: integer }),
  }),
}

const rooms = list({
  RoomId: text,
  RoomSeq: note(integer, 'Which of the rooms asked for'),
  OfferId: text,
  Roomtype: integer,
  Roomtitle: text,
  Roomdesc: text,
  Roomfree: note(integer, 'How many of this room are free'),
  Roommax: integer,
  Roommin: integer,
  Roomstd: integer,
  RoomChannelLink: text,
  RoomPictures: list({ Pictureurl: text }),
  TotalPrice: number,
  TotalPriceString: text,
  Price_ws: note(number, 'Without board'),
  Price_bb: note(number, 'With breakfast'),
  Price_hb: note(number, 'With half board'),
  Price_fb: note(number, 'With full board'),
  Price_ai: note(number, 'All inclusive'),
  ...terms,
})

const combination = list({ RoomId: text, RoomSeq: integer, Price: number, RoomFree: integer })

/** Offers of one booking channel for the stay asked for, in euros (reference content.md 8.3). */
export const offers = list({
  HotelId: integer,
  A0RID: note(text, 'Identifier of the accommodation'),
  Bookable: flag,
  ChannelID: note(text, 'Booking channel, such as hgv or lts'),
  Channellink: text,
  OfferId: text,
  OfferGid: text,
  OfferTyp: integer,
  OfferShow: integer,
  CheapestOffer: number,
  CheapestOfferString: text,
  CheapestOffer_ws: note(number, 'Without board'),
  CheapestOffer_bb: note(number, 'With breakfast'),
  CheapestOffer_hb: note(number, 'With half board'),
  CheapestOffer_fb: note(number, 'With full board'),
  CheapestOffer_ai: note(number, 'All inclusive'),
  CheapestOfferDetail: list({
    Service: note(text, 'Such as price_hb'),
    Price: number,
    CheapestRoomCombinationDetail: combination,
  }),
  OnlinepaymentMethods: text,
  OnlinepaymentPrepayment: text,
  OnlinepaymentCCards: text,
  RoomDetails: rooms,
})
